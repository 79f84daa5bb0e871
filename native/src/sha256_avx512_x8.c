/* Needs AVX-512 F and VL: 256-bit vectors with its rotations and three-way logic. */
#include <immintrin.h>

#include "sha256_kernels.h"

#define LANES 8
typedef __m256i vec;
#define vadd _mm256_add_epi32
#define vxor3(x, y, z) _mm256_ternarylogic_epi32(x, y, z, 0x96)
#define vchoose(x, y, z) _mm256_ternarylogic_epi32(x, y, z, 0xca)
#define vmajority(x, y, z) _mm256_ternarylogic_epi32(x, y, z, 0xe8)
#define vrotate _mm256_ror_epi32
#define vshift _mm256_srli_epi32
#define vset1(x) _mm256_set1_epi32((int) (x))
#define vload(p) _mm256_loadu_si256((const __m256i *) (p))
#define vstore(p, v) _mm256_storeu_si256((__m256i *) (p), v)

/* Two 8x8 transpositions of 32-bit words. */
static inline __attribute__((always_inline)) void load_transposed(__m256i w[16],
                                                                  const uint8_t *const *lanes,
                                                                  size_t offset) {
    const __m256i swap = _mm256_broadcastsi128_si256(
        _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL));
    for (int half = 0; half < 2; half++) {
        __m256i q[2][4];
        for (int g = 0; g < 2; g++) {
            __m256i r[4];
            for (int i = 0; i < 4; i++) {
                r[i] = vload(lanes[4 * g + i] + offset + 32 * half);
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
            w[8 * half + c] =
                _mm256_shuffle_epi8(_mm256_permute2x128_si256(q[0][c], q[1][c], 0x20), swap);
            w[8 * half + 4 + c] =
                _mm256_shuffle_epi8(_mm256_permute2x128_si256(q[0][c], q[1][c], 0x31), swap);
        }
    }
}

#include "sha256_lanes.h"

void dedup_sha256_avx512_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
