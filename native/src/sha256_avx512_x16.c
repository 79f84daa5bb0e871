/* Needs AVX-512 F and BW. */
#include <immintrin.h>

#include "sha256_kernels.h"

#define LANES 16
typedef __m512i vec;
#define vadd _mm512_add_epi32
#define vxor3(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define vchoose(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0xca)
#define vmajority(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0xe8)
#define vrotate _mm512_ror_epi32
#define vshift _mm512_srli_epi32
#define vset1(x) _mm512_set1_epi32((int) (x))
#define vload(p) _mm512_loadu_si512(p)
#define vstore(p, v) _mm512_storeu_si512(p, v)

/* A 16x16 transposition of 32-bit words: within 128-bit lanes first, then of the lanes. */
static inline __attribute__((always_inline)) void load_transposed(__m512i w[16],
                                                                  const uint8_t *const *lanes,
                                                                  size_t offset) {
    const __m512i swap = _mm512_broadcast_i32x4(
        _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL));
    __m512i q[4][4];
    for (int g = 0; g < 4; g++) {
        __m512i r0 = _mm512_loadu_si512(lanes[4 * g] + offset);
        __m512i r1 = _mm512_loadu_si512(lanes[4 * g + 1] + offset);
        __m512i r2 = _mm512_loadu_si512(lanes[4 * g + 2] + offset);
        __m512i r3 = _mm512_loadu_si512(lanes[4 * g + 3] + offset);
        __m512i lo01 = _mm512_unpacklo_epi32(r0, r1), hi01 = _mm512_unpackhi_epi32(r0, r1);
        __m512i lo23 = _mm512_unpacklo_epi32(r2, r3), hi23 = _mm512_unpackhi_epi32(r2, r3);
        q[g][0] = _mm512_unpacklo_epi64(lo01, lo23);
        q[g][1] = _mm512_unpackhi_epi64(lo01, lo23);
        q[g][2] = _mm512_unpacklo_epi64(hi01, hi23);
        q[g][3] = _mm512_unpackhi_epi64(hi01, hi23);
    }
    for (int c = 0; c < 4; c++) {
        __m512i x = _mm512_shuffle_i32x4(q[0][c], q[1][c], 0x88);
        __m512i y = _mm512_shuffle_i32x4(q[0][c], q[1][c], 0xdd);
        __m512i z = _mm512_shuffle_i32x4(q[2][c], q[3][c], 0x88);
        __m512i v = _mm512_shuffle_i32x4(q[2][c], q[3][c], 0xdd);
        w[c] = _mm512_shuffle_epi8(_mm512_shuffle_i32x4(x, z, 0x88), swap);
        w[4 + c] = _mm512_shuffle_epi8(_mm512_shuffle_i32x4(y, v, 0x88), swap);
        w[8 + c] = _mm512_shuffle_epi8(_mm512_shuffle_i32x4(x, z, 0xdd), swap);
        w[12 + c] = _mm512_shuffle_epi8(_mm512_shuffle_i32x4(y, v, 0xdd), swap);
    }
}

#include "sha256_lanes.h"

void dedup_sha256_avx512_x16(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
