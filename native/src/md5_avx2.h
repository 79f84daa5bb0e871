/* AVX2: eight words, for md5_lanes.h. */
#include <immintrin.h>
#include <string.h>

#include "md5_kernels.h"
#include "transpose_avx2.h"

#define VECTOR 8
typedef __m256i vec;
#define vadd _mm256_add_epi32
#define vset1(x) _mm256_set1_epi32((int)(x))
#define vload(p) _mm256_loadu_si256((const __m256i *)(p))
#define vstore(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define load_transposed load_transposed8
static inline __m256i vf(__m256i b, __m256i c, __m256i d) {
    return _mm256_xor_si256(d, _mm256_and_si256(b, _mm256_xor_si256(c, d)));
}

static inline __m256i vg(__m256i b, __m256i c, __m256i d) {
    return _mm256_xor_si256(c, _mm256_and_si256(d, _mm256_xor_si256(b, c)));
}

static inline __m256i vh(__m256i b, __m256i c, __m256i d) {
    return _mm256_xor_si256(b, _mm256_xor_si256(c, d));
}

static inline __m256i vi(__m256i b, __m256i c, __m256i d) {
    return _mm256_xor_si256(c, _mm256_or_si256(b, _mm256_xor_si256(d, _mm256_set1_epi32(-1))));
}

static inline __m256i vrotate(__m256i x, int n) {
    return _mm256_or_si256(_mm256_slli_epi32(x, n), _mm256_srli_epi32(x, 32 - n));
}

#include "md5_lanes.h"
