#include "check.h"
#include "dedup_cpu.h"
#include "dedup_md5.h"
#include "md5_kernels.h"

#define SEED 20261110u
#define MAX_STREAMS 40
#define MAX_BLOCKS 300

static const uint32_t initial[8] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 11, 12, 13, 14};

/* RFC 1321, section A.5, padded by hand. */
static void known_answer(dedup_single_kernel kernel, const char *text, const char *wanted) {
    uint8_t block[64] = {0}, out[16];
    uint32_t state[8];
    char got[33];
    size_t length = strlen(text);
    memcpy(block, text, length);
    block[length] = 0x80;
    block[56] = (uint8_t)(length * 8);
    block[57] = (uint8_t)(length * 8 >> 8);
    memcpy(state, initial, sizeof state);
    kernel(state, block, 1);
    for (int i = 0; i < 16; i++) {
        out[i] = (uint8_t)(state[i / 4] >> (8 * (i & 3)));
    }
    hex(out, 16, got);
    CHECK(strcmp(got, wanted) == 0, "%s of %s", got, text);
}

static void compare(const dedup_lane_kernels *kernels, unsigned n, uint64_t *random) {
    _Alignas(64) static uint32_t states[MAX_STREAMS][8];
    uint8_t *data[MAX_STREAMS];
    dedup_update_job jobs[MAX_STREAMS];
    for (unsigned i = 0; i < n; i++) {
        size_t blocks = below(random, MAX_BLOCKS);
        data[i] = exact(64 * blocks);
        fill_random(data[i], 64 * blocks, random);
        memcpy(states[i], initial, sizeof initial);
        jobs[i] = (dedup_update_job){(uintptr_t)data[i], blocks, (uintptr_t)states[i]};
    }
    dedup_run_updates(kernels, jobs, n);
    for (unsigned i = 0; i < n; i++) {
        uint32_t wanted[8];
        memcpy(wanted, initial, sizeof wanted);
        dedup_md5_portable(wanted, data[i], jobs[i].blocks);
        CHECK(memcmp(states[i], wanted, 16) == 0, "%s: stream %u of %u, seed %u", kernels->name, i,
              n, SEED);
        CHECK(states[i][4] == 11 && states[i][7] == 14, "%s: beyond the state", kernels->name);
        free(data[i]);
    }
}

static void compare_all(dedup_lane_kernels kernels) {
    uint64_t random = SEED;
    for (unsigned n = 1; n <= MAX_STREAMS; n++) {
        compare(&kernels, n, &random);
    }
}

int main(void) {
    known_answer(dedup_md5_portable, "", "d41d8cd98f00b204e9800998ecf8427e");
    known_answer(dedup_md5_portable, "abc", "900150983cd24fb0d6963f7d28e17f72");
    known_answer(dedup_md5_portable, "abcdefghijklmnopqrstuvwxyz",
                 "c3fcd3d76192e4007dfb496cca67e13b");
    compare_all(*dedup_md5_best());
#ifdef DEDUP_X86
    dedup_single_kernel single = dedup_md5_portable;
    if (dedup_cpu_features()->avx2) {
        compare_all(
            (dedup_lane_kernels){"avx2-x8", 4, 0, 2, single, NULL, dedup_md5_avx2_x8, NULL});
    }
    if (dedup_cpu_features()->avx512) {
        compare_all((dedup_lane_kernels){"x8", 4, 0, 2, single, NULL, dedup_md5_avx512_x8, NULL});
        compare_all((dedup_lane_kernels){"x16", 4, 2, 0, single, NULL, NULL, dedup_md5_avx512_x16});
    }
#endif
    printf("%s\n", dedup_md5_driver());
    return 0;
}
