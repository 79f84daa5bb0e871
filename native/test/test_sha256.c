#include "check.h"
#include "dedup_cpu.h"
#include "dedup_sha256.h"
#include "sha256_kernels.h"

#define MAX_JOBS 70
#define SEED 20261101u
#define PORTABLE {{"portable", 8, 0, 0, dedup_sha256_portable, NULL, NULL, NULL}, NULL}

static void single_digest(const uint8_t *data, size_t length, uint8_t out[32]) {
    dedup_sha256_kernels portable = PORTABLE;
    dedup_sha256_job job = {(uintptr_t)data, length, (uintptr_t)out};
    dedup_sha256_batch_with(&portable, &job, 1);
}

static void expect(const char *text, size_t repeat, const char *wanted) {
    size_t unit = strlen(text), length = unit * repeat;
    uint8_t *data = exact(length), out[32];
    char got[65];
    for (size_t i = 0; i < repeat; i++) {
        memcpy(data + i * unit, text, unit);
    }
    dedup_sha256_job job = {(uintptr_t)data, length, (uintptr_t)out};
    dedup_sha256_batch(&job, 1);
    hex(out, 32, got);
    CHECK(strcmp(got, wanted) == 0, "%s", got);
    single_digest(data, length, out);
    hex(out, 32, got);
    CHECK(strcmp(got, wanted) == 0, "%s", got);
    free(data);
}

/* FIPS 180-4 examples. */
static void known_answers(void) {
    expect("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void compare_batch(const dedup_sha256_kernels *kernels, unsigned n, uint64_t longest,
                          uint64_t *random) {
    uint8_t *data[MAX_JOBS], out[MAX_JOBS][32], wanted[32];
    dedup_sha256_job jobs[MAX_JOBS];
    for (unsigned i = 0; i < n; i++) {
        uint64_t length = below(random, longest + 1);
        data[i] = exact(length);
        fill_random(data[i], length, random);
        jobs[i] = (dedup_sha256_job){(uintptr_t)data[i], length, (uintptr_t)out[i]};
    }
    dedup_sha256_batch_with(kernels, jobs, n);
    for (unsigned i = 0; i < n; i++) {
        single_digest(data[i], jobs[i].length, wanted);
        CHECK(memcmp(out[i], wanted, 32) == 0, "%s: job %u of %u, %llu bytes, seed %u",
              kernels->lanes.name, i, n, (unsigned long long)jobs[i].length, SEED);
        free(data[i]);
    }
}

static void compare_kernels(const dedup_sha256_kernels *kernels) {
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

static void hmac(const dedup_sha256_kernels *kernels) {
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
            dedup_sha256_kernels portable = PORTABLE;
            dedup_hmac_sha256_digests_with(&portable, inner, outer, digests + 32 * i, 1, wanted);
            CHECK(memcmp(out + 32 * i, wanted, 32) == 0, "%s: digest %u of %u", kernels->lanes.name,
                  i, n);
        }
    }
}

static void both(dedup_sha256_kernels kernels) {
    compare_kernels(&kernels);
    hmac(&kernels);
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
    updates();
    known_answers();
    both(*dedup_sha256_best());
    both((dedup_sha256_kernels)PORTABLE);
#ifdef DEDUP_X86
    dedup_single_kernel c = dedup_sha256_portable, ni = dedup_sha256_ni;
    dedup_wide_kernel x8 = dedup_sha256_avx512_x8, x16 = dedup_sha256_avx512_x16;
    dedup_hmac_wide wide = dedup_hmac_sha256_avx512_x16;
    if (dedup_cpu_features()->sha) {
        both((dedup_sha256_kernels){{"sha-ni", 8, 0, 0, ni, NULL, NULL, NULL}, NULL});
        both((dedup_sha256_kernels){{"sha-ni-x2", 8, 0, 0, ni, dedup_sha256_ni_pair, NULL, NULL},
                                    NULL});
    }
    if (dedup_cpu_features()->avx512) {
        both((dedup_sha256_kernels){{"x8", 8, 0, 2, c, NULL, x8, NULL}, NULL});
        both((dedup_sha256_kernels){{"x16", 8, 3, 0, c, NULL, NULL, x16}, wide});
        both((dedup_sha256_kernels){{"x16+x8", 8, 11, 6, c, NULL, x8, x16}, wide});
    }
#endif
    printf("%s\n", dedup_sha256_driver());
    return 0;
}
