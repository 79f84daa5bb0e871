#include "dedup_cpu.h"

#include <stdatomic.h>
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
    cpu.avx512 = (state & XCR0_ZMM) == XCR0_ZMM && (b & avx512) == avx512;
    return cpu;
}
#else
static dedup_cpu detect(void) {
    return (dedup_cpu){0};
}
#endif

static dedup_cpu restrict_features(dedup_cpu cpu) {
    const char *limit = getenv("DEDUP_NATIVE_CPU");
    if (limit == NULL) {
        return cpu;
    }
    if (strcmp(limit, "portable") == 0) {
        return (dedup_cpu){0};
    }
    if (strcmp(limit, "sse") == 0) {
        cpu.avx2 = cpu.gfni = cpu.avx512 = false;
    } else if (strcmp(limit, "avx2") == 0) {
        cpu.gfni = cpu.avx512 = false;
    }
    return cpu;
}

static dedup_cpu features;
static atomic_int detection; /* 0 not begun, 1 running, 2 done */

const dedup_cpu *dedup_cpu_features(void) {
    int expected = 0;
    if (atomic_load_explicit(&detection, memory_order_acquire) == 2) {
        return &features;
    }
    if (atomic_compare_exchange_strong(&detection, &expected, 1)) {
        features = restrict_features(detect());
        atomic_store_explicit(&detection, 2, memory_order_release);
    }
    while (atomic_load_explicit(&detection, memory_order_acquire) != 2) {
        /* Another thread is detecting; that takes microseconds. */
    }
    return &features;
}
