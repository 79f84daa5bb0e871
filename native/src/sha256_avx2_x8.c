/* Needs AVX2: for processors that have neither AVX-512 nor SHA extensions. */
#include <immintrin.h>

#include "sha256_kernels.h"
#include "transpose_avx2.h"

#define LANES 8
typedef __m256i vec;
#define vadd _mm256_add_epi32
#define vshift _mm256_srli_epi32
#define vset1(x) _mm256_set1_epi32((int)(x))
#define vload(p) _mm256_loadu_si256((const __m256i *)(p))
#define vstore(p, v) _mm256_storeu_si256((__m256i *)(p), v)

static inline __attribute__((always_inline)) __m256i vrotate(__m256i x, int n) {
    return _mm256_xor_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - n));
}

static inline __m256i vxor3(__m256i x, __m256i y, __m256i z) {
    return _mm256_xor_si256(_mm256_xor_si256(x, y), z);
}

static inline __m256i vchoose(__m256i x, __m256i y, __m256i z) {
    return _mm256_xor_si256(z, _mm256_and_si256(x, _mm256_xor_si256(y, z)));
}

/* y and z of a round are x and y of the round before: each difference is computed once. */
static inline __m256i vmajority(__m256i x, __m256i y, __m256i z) {
    return _mm256_xor_si256(y, _mm256_and_si256(_mm256_xor_si256(x, y), _mm256_xor_si256(y, z)));
}

static inline __attribute__((always_inline)) void
load_transposed(__m256i w[16], const uint8_t *const *lanes, size_t offset) {
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL));
    load_transposed8(w, lanes, offset);
    for (int i = 0; i < 16; i++) {
        w[i] = _mm256_shuffle_epi8(w[i], swap);
    }
}

#include "sha256_lanes.h"

void dedup_sha256_avx2_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
