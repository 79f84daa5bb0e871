#include "check.h"
#include "dedup_cpu.h"
#include "dedup_sha256.h"
#include "sha256_kernels.h"

#define MAX_JOBS 70
#define SEED 20261101u

static void single_digest(const uint8_t *data, size_t length, uint8_t out[32]) {
    dedup_sha256_kernels portable = {"portable", dedup_sha256_portable, NULL, NULL, NULL, NULL};
    dedup_sha256_job job = {(uintptr_t) data, length, (uintptr_t) out};
    dedup_sha256_batch_with(&portable, &job, 1);
}

static void expect(const char *text, size_t repeat, const char *wanted) {
    size_t unit = strlen(text), length = unit * repeat;
    uint8_t *data = exact(length), out[32];
    char got[65];
    for (size_t i = 0; i < repeat; i++) {
        memcpy(data + i * unit, text, unit);
    }
    dedup_sha256_job job = {(uintptr_t) data, length, (uintptr_t) out};
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
        jobs[i] = (dedup_sha256_job){(uintptr_t) data[i], length, (uintptr_t) out[i]};
    }
    dedup_sha256_batch_with(kernels, jobs, n);
    for (unsigned i = 0; i < n; i++) {
        single_digest(data[i], jobs[i].length, wanted);
        CHECK(memcmp(out[i], wanted, 32) == 0, "%s: job %u of %u, %llu bytes, seed %u", kernels->name,
              i, n, (unsigned long long) jobs[i].length, SEED);
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
        compare_batch(kernels, 1 + (unsigned) below(&random, MAX_JOBS), 20000, &random);
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
        key[i] = (uint8_t) i;
    }
    midstate(inner, key, 0x36);
    midstate(outer, key, 0x5c);
    single_digest((const uint8_t *) "abc", 3, digests);
    dedup_hmac_sha256_digests_with(kernels, inner, outer, digests, 1, out);
    hex(out, 32, text);
    CHECK(strcmp(text, "910ec338f64892dfc0288e343162e996b71c39c67dd1cad13923f2d67a79cff6") == 0, "%s", text);
    uint64_t random = SEED;
    fill_random(digests, sizeof digests, &random);
    for (unsigned n = 0; n <= 40; n++) {
        memcpy(out, digests, sizeof out);
        dedup_hmac_sha256_digests_with(kernels, inner, outer, out, n, out);
        for (unsigned i = 0; i < n; i++) {
            dedup_sha256_kernels portable = {"portable", dedup_sha256_portable, NULL, NULL, NULL, NULL};
            dedup_hmac_sha256_digests_with(&portable, inner, outer, digests + 32 * i, 1, wanted);
            CHECK(memcmp(out + 32 * i, wanted, 32) == 0, "%s: digest %u of %u", kernels->name, i, n);
        }
    }
}

static void both(dedup_sha256_kernels kernels) {
    compare_kernels(&kernels);
    hmac(&kernels);
}

int main(void) {
    known_answers();
    both(*dedup_sha256_best());
    both((dedup_sha256_kernels){"portable", dedup_sha256_portable, NULL, NULL, NULL, NULL});
#if defined(__x86_64__)
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->sha) {
        both((dedup_sha256_kernels){"sha-ni", dedup_sha256_ni, NULL, NULL, NULL, NULL});
        both((dedup_sha256_kernels){"sha-ni-x2", dedup_sha256_ni, dedup_sha256_ni_pair, NULL, NULL, NULL});
    }
    if (cpu->avx512) {
        both((dedup_sha256_kernels){"x8", dedup_sha256_portable, NULL, dedup_sha256_avx512_x8, NULL, NULL});
        both((dedup_sha256_kernels){"x16", dedup_sha256_portable, NULL, NULL, dedup_sha256_avx512_x16,
                                    dedup_hmac_sha256_avx512_x16});
        both((dedup_sha256_kernels){"x16+x8", dedup_sha256_portable, NULL, dedup_sha256_avx512_x8,
                                    dedup_sha256_avx512_x16, dedup_hmac_sha256_avx512_x16});
    }
#endif
    printf("%s\n", dedup_sha256_driver());
    return 0;
}
