/* Needs AVX-512 F; included by the files of kernels with sixteen lanes. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* A 16x16 transposition of 32-bit words: within 128-bit lanes first, then of the lanes. */
static inline __attribute__((always_inline)) void transpose16(__m512i w[16],
                                                              const __m512i rows[16]) {
    __m512i q[4][4];
    for (int g = 0; g < 4; g++) {
        __m512i r0 = rows[4 * g];
        __m512i r1 = rows[4 * g + 1];
        __m512i r2 = rows[4 * g + 2];
        __m512i r3 = rows[4 * g + 3];
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
        w[c] = _mm512_shuffle_i32x4(x, z, 0x88);
        w[4 + c] = _mm512_shuffle_i32x4(y, v, 0x88);
        w[8 + c] = _mm512_shuffle_i32x4(x, z, 0xdd);
        w[12 + c] = _mm512_shuffle_i32x4(y, v, 0xdd);
    }
}

/* The block at offset of each lane. */
static inline __attribute__((always_inline)) void
load_rows16(__m512i rows[16], const uint8_t *const *lanes, size_t offset) {
    for (int i = 0; i < 16; i++) {
        rows[i] = _mm512_loadu_si512(lanes[i] + offset);
    }
}
