/*
 * Every driver of every function against its plain C twin, on inputs that a fuzzer makes up: the
 * first byte chooses the function, the next ones its arguments, the rest is data. With clang this
 * is a libFuzzer harness; elsewhere fuzz_main.c drives it.
 */
#include "check.h"
#include "dedup_cpu.h"
#include "dedup_crc64.h"
#include "dedup_gear.h"
#include "md5_kernels.h"
#include "sha256_kernels.h"

#define MAX_JOBS 70
#define MAX_CUTS 512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *at;
    size_t left;
} input;

static unsigned byte(input *in) {
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

static unsigned two(input *in) {
    unsigned high = byte(in);
    return high << 8 | byte(in);
}

/* The rest of the input, where a sanitizer sees any access beyond. */
static uint8_t *rest(const input *in) {
    uint8_t *data = exact(in->left);
    if (in->left > 0) {
        memcpy(data, in->at, in->left);
    }
    return data;
}

static void fuzz_cuts(input *in) {
    static int32_t wanted[MAX_CUTS], got[MAX_CUTS];
    uint32_t seed[DEDUP_GEAR_SEED_WORDS], avg = 256u << (byte(in) & 7);
    unsigned strict = byte(in) & 31, loose = byte(in) & 31, first = byte(in);
    uint64_t random = byte(in);
    bool end = first & 1;
    size_t capacity = 1 + (size_t)two(in) % MAX_CUTS;
    fill_random((uint8_t *)seed, sizeof seed, &random);
    static dedup_gear gear;
    dedup_gear_init(&gear, seed, avg / 2 < 128 ? 128 : avg / 2, avg, avg * 4, 1u << strict,
                    1u << loose);
    const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
    size_t n = dedup_gear_drivers(drivers);
    uint8_t *data = rest(in);
    size_t count =
        dedup_gear_cuts_with(drivers[n - 1], &gear, data, in->left, end, wanted, capacity);
    for (size_t i = 0; i + 1 < n; i++) {
        size_t found = dedup_gear_cuts_with(drivers[i], &gear, data, in->left, end, got, capacity);
        CHECK(found == count && memcmp(wanted, got, count * sizeof got[0]) == 0, "%s",
              drivers[i]->name);
    }
    free(data);
}

static void fuzz_scan(input *in) {
    uint32_t seed[DEDUP_GEAR_SEED_WORDS];
    uint64_t random = byte(in);
    uint32_t threshold = (two(in) | 1u) << (byte(in) & 15);
    size_t from = 64 + two(in);
    static dedup_gear gear;
    fill_random((uint8_t *)seed, sizeof seed, &random);
    dedup_gear_init(&gear, seed, 2048, 8192, 32768, 1u << 17, 1u << 21);
    uint8_t *data = rest(in);
    if (from <= in->left) {
        const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
        size_t n = dedup_gear_drivers(drivers);
        size_t wanted = dedup_gear_scan_scalar(&gear, data, from, in->left, threshold);
        for (size_t i = 0; i < n; i++) {
            size_t got = drivers[i]->scan(&gear, data, from, in->left, threshold);
            CHECK(got == wanted, "%s: %zu, not %zu", drivers[i]->name, got, wanted);
        }
    }
    free(data);
}

/* Ranges of data, overlapping or not. */
static size_t range(input *in, size_t total, size_t *length) {
    size_t from = total > 0 ? two(in) % total : 0;
    size_t longest = total - from;
    *length = longest > 0 ? two(in) % (longest + 1) : 0;
    return from;
}

static void fuzz_sha256(input *in) {
    static uint8_t out[MAX_JOBS][32], wanted[MAX_JOBS][32];
    dedup_sha256_job jobs[MAX_JOBS];
    unsigned n = 1 + byte(in) % MAX_JOBS;
    input arguments = *in;
    uint8_t *data = rest(in);
    for (unsigned i = 0; i < n; i++) {
        size_t length, from = range(&arguments, in->left, &length);
        jobs[i] = (dedup_sha256_job){(uintptr_t)(data + from), length, (uintptr_t)out[i]};
    }
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t count = dedup_sha256_drivers(drivers);
    for (size_t i = count; i-- > 0;) {
        dedup_sha256_batch_with(drivers[i], jobs, n);
        if (i + 1 == count) {
            memcpy(wanted, out, n * sizeof out[0]);
        }
        CHECK(memcmp(out, wanted, n * sizeof out[0]) == 0, "%s", drivers[i]->name);
    }
    free(data);
}

static void fuzz_md5(input *in) {
    _Alignas(64) static uint32_t states[MAX_JOBS][8], wanted[MAX_JOBS][8];
    dedup_update_job jobs[MAX_JOBS];
    unsigned n = 1 + byte(in) % MAX_JOBS;
    input arguments = *in;
    uint8_t *data = rest(in);
    for (unsigned i = 0; i < n; i++) {
        size_t length, from = range(&arguments, in->left, &length);
        jobs[i] = (dedup_update_job){(uintptr_t)(data + from), length / 64, (uintptr_t)states[i]};
    }
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t count = dedup_md5_drivers(drivers);
    for (size_t i = count; i-- > 0;) {
        memset(states, 0x5a, sizeof states);
        dedup_run_updates(drivers[i], jobs, n);
        if (i + 1 == count) {
            memcpy(wanted, states, sizeof states);
        }
        CHECK(memcmp(states, wanted, n * sizeof states[0]) == 0, "%s", drivers[i]->name);
    }
    free(data);
}

static void fuzz_hmac(input *in) {
    uint32_t midstates[16];
    uint64_t random = byte(in);
    fill_random((uint8_t *)midstates, sizeof midstates, &random);
    size_t n = in->left / 32;
    uint8_t *digests = rest(in), *wanted = exact(32 * n), *got = exact(32 * n);
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t count = dedup_sha256_drivers(drivers);
    dedup_hmac_sha256_digests_with(drivers[count - 1], midstates, midstates + 8, digests, n,
                                   wanted);
    for (size_t i = 0; i + 1 < count; i++) {
        memcpy(got, digests, 32 * n);
        dedup_hmac_sha256_digests_with(drivers[i], midstates, midstates + 8, got, n, got);
        CHECK(memcmp(got, wanted, 32 * n) == 0, "%s", drivers[i]->name);
    }
    free(digests);
    free(wanted);
    free(got);
}

static void fuzz_crc(input *in) {
    uint64_t before = (uint64_t)two(in) << 40 | two(in);
    size_t split = two(in);
    uint8_t *data = rest(in);
    split = in->left > 0 ? split % in->left : 0;
    uint64_t wanted = dedup_crc64nvme_table(before, data, in->left);
    const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS];
    size_t n = dedup_crc64nvme_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        uint64_t half = drivers[i]->extend(before, data, split);
        CHECK(drivers[i]->extend(half, data + split, in->left - split) == wanted, "%s",
              drivers[i]->name);
    }
    free(data);
}

static void fuzz_limit(input *in) {
    char *text = malloc(in->left + 1);
    CHECK(text != NULL, "no memory");
    memcpy(text, in->at, in->left);
    text[in->left] = '\0';
    dedup_cpu cpu = *dedup_cpu_features();
    (void)dedup_cpu_without(&cpu, text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const functions[])(input *) = {fuzz_cuts, fuzz_scan, fuzz_sha256, fuzz_md5,
                                                 fuzz_hmac, fuzz_crc,  fuzz_limit};
    input in = {data, size};
    functions[byte(&in) % (sizeof functions / sizeof functions[0])](&in);
    return 0;
}
