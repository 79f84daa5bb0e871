/* AVX-512 F: sixteen words, for md5_lanes.h. */
#include <immintrin.h>
#include <string.h>

#include "md5_kernels.h"
#include "transpose_avx512.h"

#define VECTOR 16
typedef __m512i vec;
#define vadd _mm512_add_epi32
#define vset1(x) _mm512_set1_epi32((int)(x))
#define vload(p) _mm512_loadu_si512(p)
#define vstore(p, v) _mm512_storeu_si512(p, v)
#define vrotate _mm512_rol_epi32
#define vf(b, c, d) _mm512_ternarylogic_epi32(b, c, d, 0xca)
#define vg(b, c, d) _mm512_ternarylogic_epi32(d, b, c, 0xca)
#define vh(b, c, d) _mm512_ternarylogic_epi32(b, c, d, 0x96)
#define vi(b, c, d) _mm512_ternarylogic_epi32(b, c, d, 0x39)

static inline __attribute__((always_inline)) void
load_transposed(__m512i w[16], const uint8_t *const *lanes, size_t offset) {
    __m512i rows[16];
    load_rows16(rows, lanes, offset);
    transpose16(w, rows);
}

#include "md5_lanes.h"
