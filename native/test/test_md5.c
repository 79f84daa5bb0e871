#include "check.h"
#include "dedup_cpu.h"
#include "dedup_md5.h"
#include "md5_kernels.h"

#define SEED 20261110u
#define MAX_STREAMS 70
#define MAX_BLOCKS 150

static const uint32_t initial[8] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 11, 12, 13, 14};

/* Padded by hand into two blocks at most, run in all lanes and one more. */
static void known_answer(const dedup_lane_kernels *kernels, const char *text, const char *wanted) {
    _Alignas(64) static uint32_t states[DEDUP_MAX_LANES + 1][8];
    dedup_update_job jobs[DEDUP_MAX_LANES + 1];
    uint8_t padded[128] = {0}, out[16];
    char got[33];
    size_t length = strlen(text), blocks = length + 9 > 64 ? 2 : 1;
    memcpy(padded, text, length);
    padded[length] = 0x80;
    padded[64 * blocks - 8] = (uint8_t)(length * 8);
    padded[64 * blocks - 7] = (uint8_t)(length * 8 >> 8);
    for (unsigned i = 0; i <= DEDUP_MAX_LANES; i++) {
        memcpy(states[i], initial, sizeof initial);
        jobs[i] = (dedup_update_job){(uintptr_t)padded, blocks, (uintptr_t)states[i]};
    }
    dedup_run_updates(kernels, jobs, DEDUP_MAX_LANES);
    dedup_run_updates(kernels, jobs + DEDUP_MAX_LANES, 1);
    for (unsigned lane = 0; lane <= DEDUP_MAX_LANES; lane++) {
        for (int i = 0; i < 16; i++) {
            out[i] = (uint8_t)(states[lane][i / 4] >> (8 * (i & 3)));
        }
        hex(out, 16, got);
        CHECK(strcmp(got, wanted) == 0, "%s, lane %u: %s of %s", kernels->name, lane, got, text);
    }
}

/* RFC 1321, section A.5. */
static void known_answers(const dedup_lane_kernels *kernels) {
    known_answer(kernels, "", "d41d8cd98f00b204e9800998ecf8427e");
    known_answer(kernels, "a", "0cc175b9c0f1b6a831c399e269772661");
    known_answer(kernels, "abc", "900150983cd24fb0d6963f7d28e17f72");
    known_answer(kernels, "message digest", "f96b697d7cb7938d525a2f31aaf161d0");
    known_answer(kernels, "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b");
    known_answer(kernels, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                 "d174ab98d277d9f5a5611c2c9f419d9f");
    known_answer(kernels,
                 "1234567890123456789012345678901234567890"
                 "1234567890123456789012345678901234567890",
                 "57edf4a22be3c955ac49da2e2107b67a");
}

static void compare(const dedup_lane_kernels *kernels, unsigned n, uint64_t *random) {
    _Alignas(64) static uint32_t states[MAX_STREAMS][8];
    uint8_t *whole[MAX_STREAMS], *data[MAX_STREAMS];
    dedup_update_job jobs[MAX_STREAMS];
    for (unsigned i = 0; i < n; i++) {
        size_t blocks = below(random, MAX_BLOCKS);
        size_t offset = below(random, 64);
        whole[i] = exact(offset + 64 * blocks);
        data[i] = whole[i] + offset;
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
        free(whole[i]);
    }
}

static void compare_all(const dedup_lane_kernels *kernels) {
    uint64_t random = SEED;
    for (unsigned n = 1; n <= MAX_STREAMS; n++) {
        compare(kernels, n, &random);
    }
}

int main(void) {
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_md5_drivers(drivers);
    CHECK(drivers[0] == dedup_md5_best(), "the first is the one in use");
    for (size_t i = 0; i < n; i++) {
        known_answers(drivers[i]);
        compare_all(drivers[i]);
        printf("%s\n", drivers[i]->name);
    }
    return 0;
}
