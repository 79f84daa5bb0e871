#include "dedup_md5.h"

#include "dedup_cpu.h"
#include "md5_kernels.h"

const uint32_t dedup_md5_k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static inline uint32_t rotate(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

static inline uint32_t little_endian(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The chain goes through a and b only: what does not depend on b is added first. */
static inline __attribute__((always_inline)) void rounds(uint32_t s[4], const uint32_t w[16]) {
    static const int shifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
#pragma GCC unroll 64
    for (int t = 0; t < 64; t++) {
        uint32_t b = s[(65 - t) & 3], c = s[(66 - t) & 3], d = s[(67 - t) & 3];
        uint32_t a = s[(64 - t) & 3] + dedup_md5_k[t];
        switch (t / 16) {
        case 0:
            a += w[t] + (d ^ (b & (c ^ d)));
            break;
        case 1:
            /* A sum instead of an or: only one of the terms waits for b. */
            a = a + w[(5 * t + 1) & 15] + (~d & c) + (d & b);
            break;
        case 2:
            a += w[(3 * t + 5) & 15] + (c ^ d ^ b);
            break;
        default:
            a += w[(7 * t) & 15] + (c ^ (b | ~d));
            break;
        }
        s[(64 - t) & 3] = b + rotate(a, shifts[t / 16][t & 3]);
    }
}

void dedup_md5_portable(uint32_t *state, const uint8_t *data, size_t blocks) {
    for (; blocks > 0; blocks--, data += DEDUP_BLOCK) {
        uint32_t w[16], s[4] = {state[0], state[1], state[2], state[3]};
        for (int i = 0; i < 16; i++) {
            w[i] = little_endian(data + 4 * i);
        }
        rounds(s, w);
        for (int i = 0; i < 4; i++) {
            state[i] += s[i];
        }
    }
}

/*
 * Thresholds by time of a run of all lanes: sixteen lanes take hardly longer than eight, thirty-two
 * one and a half times as long as sixteen, and eight hardly longer than the scalar code one stream.
 */
static const dedup_lane_kernels portable = {"portable", 4, dedup_md5_portable, NULL, {{0}}};

#ifdef DEDUP_X86
#define ONLY(name, lanes, run)                                                                     \
    {                                                                                              \
        name, 4, dedup_md5_portable, NULL, {                                                       \
            { lanes, 1, run }                                                                      \
        }                                                                                          \
    }

static const dedup_lane_kernels avx512 = {
    "avx512-x32+avx512-x16+avx512-x8",
    4,
    dedup_md5_portable,
    NULL,
    {{32, 17, dedup_md5_avx512_x32}, {16, 9, dedup_md5_avx512_x16}, {8, 2, dedup_md5_avx512_x8}}};
static const dedup_lane_kernels avx2 = {"avx2-x16+avx2-x8",
                                        4,
                                        dedup_md5_portable,
                                        NULL,
                                        {{16, 9, dedup_md5_avx2_x16}, {8, 2, dedup_md5_avx2_x8}}};
static const dedup_lane_kernels avx512_x32 = ONLY("avx512-x32", 32, dedup_md5_avx512_x32);
static const dedup_lane_kernels avx512_x16 = ONLY("avx512-x16", 16, dedup_md5_avx512_x16);
static const dedup_lane_kernels avx512_x8 = ONLY("avx512-x8", 8, dedup_md5_avx512_x8);
static const dedup_lane_kernels avx2_x16 = ONLY("avx2-x16", 16, dedup_md5_avx2_x16);
static const dedup_lane_kernels avx2_x8 = ONLY("avx2-x8", 8, dedup_md5_avx2_x8);
#endif

const dedup_lane_kernels *dedup_md5_best(void) {
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->avx512) {
        return &avx512;
    }
    if (cpu->avx2) {
        return &avx2;
    }
#endif
    return &portable;
}

size_t dedup_md5_drivers(const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS]) {
    size_t n = 0;
    drivers[n++] = dedup_md5_best();
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->avx512) {
        drivers[n++] = &avx512_x32;
        drivers[n++] = &avx512_x16;
        drivers[n++] = &avx512_x8;
    }
    if (cpu->avx2) {
        drivers[n++] = &avx2_x16;
        drivers[n++] = &avx2_x8;
    }
#endif
    if (drivers[0] != &portable) {
        drivers[n++] = &portable;
    }
    return n;
}

void dedup_md5_blocks(uint32_t state[4], const uint8_t *data, size_t blocks) {
    dedup_md5_portable(state, data, blocks);
}

void dedup_md5_updates(const dedup_update_job *jobs, size_t n) {
    dedup_run_updates(dedup_md5_best(), jobs, n);
}

size_t dedup_md5_driver_names(const char *names[DEDUP_MAX_DRIVERS]) {
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_md5_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        names[i] = drivers[i]->name;
    }
    return n;
}

static const dedup_lane_kernels *by_index(size_t driver) {
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    return driver < dedup_md5_drivers(drivers) ? drivers[driver] : drivers[0];
}

void dedup_md5_updates_by(size_t driver, const dedup_update_job *jobs, size_t n) {
    dedup_run_updates(by_index(driver), jobs, n);
}
