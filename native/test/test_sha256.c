#include "check.h"
#include "dedup_cpu.h"
#include "dedup_sha256.h"
#include "sha256_kernels.h"

#define MAX_JOBS 70
#define SEED 20261101u

static const dedup_lane_kernels portable = {"portable", 8, dedup_sha256_portable, NULL, {{0}}};

static void single_digest(const uint8_t *data, size_t length, uint8_t out[32]) {
    dedup_sha256_job job = {(uintptr_t)data, length, (uintptr_t)out};
    dedup_sha256_batch_with(&portable, &job, 1);
}

static void check_digest(const char *name, const uint8_t out[32], const char *wanted) {
    char got[65];
    hex(out, 32, got);
    CHECK(strcmp(got, wanted) == 0, "%s: %s", name, got);
}

/* In every lane: as many jobs at once as the kernels have lanes, and one more. */
static void expect(const dedup_lane_kernels *kernels, const char *text, size_t repeat,
                   const char *wanted) {
    size_t unit = strlen(text), length = unit * repeat;
    uint8_t *data = exact(length), out[DEDUP_MAX_LANES + 1][32];
    dedup_sha256_job jobs[DEDUP_MAX_LANES + 1];
    unsigned n = length > 1000 ? 17 : DEDUP_MAX_LANES + 1;
    for (size_t i = 0; i < repeat; i++) {
        memcpy(data + i * unit, text, unit);
    }
    for (unsigned i = 0; i < n; i++) {
        jobs[i] = (dedup_sha256_job){(uintptr_t)data, length, (uintptr_t)out[i]};
    }
    dedup_sha256_batch_with(kernels, jobs, n);
    for (unsigned i = 0; i < n; i++) {
        check_digest(kernels->name, out[i], wanted);
    }
    dedup_sha256_batch_with(kernels, jobs, 1);
    check_digest(kernels->name, out[0], wanted);
    free(data);
}

/* FIPS 180-4 examples, and the further ones NIST publishes with them. */
static void known_answers(const dedup_lane_kernels *kernels) {
    expect(kernels, "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(kernels, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(kernels, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect(kernels,
           "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
           "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
           1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    expect(kernels, "a", 1000000,
           "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    expect(kernels, "\xbd", 1, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
    expect(kernels, "\xc9\x8c\x8e\x55", 1,
           "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504");
    expect(kernels, "A", 1000, "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4");
    expect(kernels, "U", 1005, "f4d62ddec0f3dd90ea1380fa16a5ff8dc4c54b21740650f24afc4120903552b0");
}

static void compare_batch(const dedup_lane_kernels *kernels, unsigned n, uint64_t longest,
                          uint64_t *random) {
    uint8_t *block[MAX_JOBS], *data[MAX_JOBS], out[MAX_JOBS][32], wanted[32];
    dedup_sha256_job jobs[MAX_JOBS];
    for (unsigned i = 0; i < n; i++) {
        uint64_t length = below(random, longest + 1), offset = below(random, 64);
        block[i] = exact(offset + length);
        data[i] = block[i] + offset;
        fill_random(data[i], length, random);
        jobs[i] = (dedup_sha256_job){(uintptr_t)data[i], length, (uintptr_t)out[i]};
    }
    dedup_sha256_batch_with(kernels, jobs, n);
    for (unsigned i = 0; i < n; i++) {
        single_digest(data[i], jobs[i].length, wanted);
        CHECK(memcmp(out[i], wanted, 32) == 0, "%s: job %u of %u, %llu bytes, seed %u",
              kernels->name, i, n, (unsigned long long)jobs[i].length, SEED);
        free(block[i]);
    }
}

static void compare_kernels(const dedup_lane_kernels *kernels) {
    uint64_t random = SEED;
    for (unsigned n = 1; n <= MAX_JOBS; n++) {
        compare_batch(kernels, n, 200, &random);
        compare_batch(kernels, n, 1500, &random);
    }
    for (unsigned i = 0; i < 20; i++) {
        compare_batch(kernels, 1 + (unsigned)below(&random, MAX_JOBS), 20000, &random);
    }
}

static void midstate(uint32_t state[8], const uint8_t key[32], uint8_t pad) {
    uint8_t block[64];
    memset(block, pad, sizeof block);
    for (int i = 0; i < 32; i++) {
        block[i] ^= key[i];
    }
    memcpy(state, dedup_sha256_initial, 32);
    dedup_sha256_portable(state, block, 1);
}

static void hmac(const dedup_lane_kernels *kernels) {
    uint8_t key[32], digests[40 * 32], out[40 * 32], wanted[32];
    uint32_t inner[8], outer[8];
    char text[65];
    for (int i = 0; i < 32; i++) {
        key[i] = (uint8_t)i;
    }
    midstate(inner, key, 0x36);
    midstate(outer, key, 0x5c);
    single_digest((const uint8_t *)"abc", 3, digests);
    dedup_hmac_sha256_digests_with(kernels, inner, outer, digests, 1, out);
    hex(out, 32, text);
    CHECK(strcmp(text, "910ec338f64892dfc0288e343162e996b71c39c67dd1cad13923f2d67a79cff6") == 0,
          "%s", text);
    uint64_t random = SEED;
    fill_random(digests, sizeof digests, &random);
    for (unsigned n = 0; n <= 40; n++) {
        memcpy(out, digests, sizeof out);
        dedup_hmac_sha256_digests_with(kernels, inner, outer, out, n, out);
        for (unsigned i = 0; i < n; i++) {
            dedup_hmac_sha256_digests_with(&portable, inner, outer, digests + 32 * i, 1, wanted);
            CHECK(memcmp(out + 32 * i, wanted, 32) == 0, "%s: digest %u of %u", kernels->name, i,
                  n);
        }
    }
}

/* Updates in many steps against one batch. */
static void updates(void) {
    enum { N = 23, BLOCKS = 40 };
    uint64_t random = SEED;
    _Alignas(64) static uint32_t states[N][8];
    static uint8_t data[N][BLOCKS * 64];
    dedup_update_job jobs[N];
    for (unsigned i = 0; i < N; i++) {
        memcpy(states[i], dedup_sha256_initial, 32);
        fill_random(data[i], sizeof data[i], &random);
    }
    size_t at = 0;
    while (at < BLOCKS) {
        size_t step = 1 + below(&random, BLOCKS - at);
        for (unsigned i = 0; i < N; i++) {
            jobs[i] =
                (dedup_update_job){(uintptr_t)(data[i] + 64 * at), step, (uintptr_t)states[i]};
        }
        dedup_sha256_updates(jobs, N);
        at += step;
    }
    for (unsigned i = 0; i < N; i++) {
        uint32_t wanted[8];
        memcpy(wanted, dedup_sha256_initial, 32);
        dedup_sha256_portable(wanted, data[i], BLOCKS);
        CHECK(memcmp(states[i], wanted, 32) == 0, "stream %u", i);
    }
}

int main(void) {
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_sha256_drivers(drivers);
    CHECK(drivers[0] == dedup_sha256_best(), "the first is the one in use");
    updates();
    for (size_t i = 0; i < n; i++) {
        known_answers(drivers[i]);
        compare_kernels(drivers[i]);
        hmac(drivers[i]);
        printf("%s\n", drivers[i]->name);
    }
    return 0;
}
