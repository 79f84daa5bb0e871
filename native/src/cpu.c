#include "dedup_cpu.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef DEDUP_X86
#include <cpuid.h>
#include <stdint.h>

#define XCR0_YMM 0x06u
#define XCR0_ZMM 0xe6u

static uint64_t enabled_state(void) {
    uint32_t low, high;
    /* xgetbv, written out so that no file needs -mxsave. */
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static dedup_cpu detect(void) {
    dedup_cpu cpu = {0};
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) {
        return cpu;
    }
    bool sse41 = (c & bit_SSSE3) && (c & bit_SSE4_1);
    bool osxsave = c & bit_OSXSAVE;
    cpu.pclmul = sse41 && (c & bit_PCLMUL);
    uint64_t state = osxsave ? enabled_state() : 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        return cpu;
    }
    cpu.sha = sse41 && (b & 1u << 29);
    cpu.avx2 = (state & XCR0_YMM) == XCR0_YMM && (b & 1u << 5);
    cpu.gfni = cpu.avx2 && (c & 1u << 8);
    uint32_t avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* F, DQ, BW, VL */
    cpu.avx512 = cpu.avx2 && (state & XCR0_ZMM) == XCR0_ZMM && (b & avx512) == avx512;
    cpu.vpclmul = cpu.avx512 && cpu.pclmul && (c & 1u << 10);
    return cpu;
}
#else
static dedup_cpu detect(void) {
    return (dedup_cpu){0};
}
#endif

/* What a word takes away directly. */
typedef struct {
    const char *word;
    dedup_cpu gone;
} limit_word;

static const limit_word words[] = {
    {"portable", {.pclmul = true, .sha = true, .avx2 = true}},
    {"sse", {.avx2 = true}},
    {"avx2", {.gfni = true, .avx512 = true}},
    {"-sha", {.sha = true}},
    {"-pclmul", {.pclmul = true}},
    {"-avx2", {.avx2 = true}},
    {"-gfni", {.gfni = true}},
    {"-avx512", {.avx512 = true}},
    {"-vpclmul", {.vpclmul = true}},
};

static const limit_word *find_word(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, text, length) == 0) {
            return &words[i];
        }
    }
    return NULL;
}

static void take_away(dedup_cpu *cpu, const dedup_cpu *gone) {
    cpu->pclmul &= !gone->pclmul;
    cpu->sha &= !gone->sha;
    cpu->avx2 &= !gone->avx2;
    cpu->gfni &= !gone->gfni && cpu->avx2;
    cpu->avx512 &= !gone->avx512 && cpu->avx2;
    cpu->vpclmul &= !gone->vpclmul && cpu->avx512 && cpu->pclmul;
}

bool dedup_cpu_without(dedup_cpu *cpu, const char *limit) {
    dedup_cpu left = *cpu;
    for (bool more = *limit != '\0'; more;) {
        size_t length = strcspn(limit, ",");
        const limit_word *word = find_word(limit, length);
        if (word == NULL) {
            return false;
        }
        take_away(&left, &word->gone);
        more = limit[length] == ',';
        limit += length + more;
    }
    *cpu = left;
    return true;
}

static dedup_cpu features;
static atomic_int detection; /* 0 not begun, 1 running, 2 done */

/* Whether this call was the one that detected. */
static bool detect_once(const char *limit, bool *understood) {
    int expected = 0;
    if (!atomic_compare_exchange_strong(&detection, &expected, 1)) {
        return false;
    }
    features = detect();
    *understood = limit == NULL || dedup_cpu_without(&features, limit);
    atomic_store_explicit(&detection, 2, memory_order_release);
    return true;
}

bool dedup_cpu_limit(const char *limit) {
    bool understood = false;
    return detect_once(limit, &understood) && understood;
}

const dedup_cpu *dedup_cpu_features(void) {
    bool understood;
    if (atomic_load_explicit(&detection, memory_order_acquire) == 2) {
        return &features;
    }
    (void)detect_once(getenv("DEDUP_NATIVE_CPU"), &understood);
    while (atomic_load_explicit(&detection, memory_order_acquire) != 2) {
        /* Another thread is detecting; that takes microseconds. */
    }
    return &features;
}
