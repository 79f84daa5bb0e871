/* Needs AVX2; included by the files of kernels with eight lanes. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* Two 8x8 transpositions of 32-bit words. */
static inline __attribute__((always_inline)) void
load_transposed8(__m256i w[16], const uint8_t *const *lanes, size_t offset) {
    for (int half = 0; half < 2; half++) {
        __m256i q[2][4];
        for (int g = 0; g < 2; g++) {
            __m256i r[4];
            for (int i = 0; i < 4; i++) {
                r[i] = _mm256_loadu_si256((const __m256i *)(lanes[4 * g + i] + offset + 32 * half));
            }
            __m256i lo01 = _mm256_unpacklo_epi32(r[0], r[1]);
            __m256i hi01 = _mm256_unpackhi_epi32(r[0], r[1]);
            __m256i lo23 = _mm256_unpacklo_epi32(r[2], r[3]);
            __m256i hi23 = _mm256_unpackhi_epi32(r[2], r[3]);
            q[g][0] = _mm256_unpacklo_epi64(lo01, lo23);
            q[g][1] = _mm256_unpackhi_epi64(lo01, lo23);
            q[g][2] = _mm256_unpacklo_epi64(hi01, hi23);
            q[g][3] = _mm256_unpackhi_epi64(hi01, hi23);
        }
        for (int c = 0; c < 4; c++) {
            w[8 * half + c] = _mm256_permute2x128_si256(q[0][c], q[1][c], 0x20);
            w[8 * half + 4 + c] = _mm256_permute2x128_si256(q[0][c], q[1][c], 0x31);
        }
    }
}
