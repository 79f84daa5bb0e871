/* Needs AVX-512 F and VL: 256-bit vectors with its rotations and three-way logic. */
#include <immintrin.h>
#include <string.h>

#include "md5_kernels.h"
#include "transpose_avx2.h"

#define VECTOR 8
#define SETS 1
typedef __m256i vec;
#define vadd _mm256_add_epi32
#define vset1(x) _mm256_set1_epi32((int)(x))
#define vload(p) _mm256_loadu_si256((const __m256i *)(p))
#define vstore(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define load_transposed load_transposed8
#define vrotate _mm256_rol_epi32
#define vf(b, c, d) _mm256_ternarylogic_epi32(b, c, d, 0xca)
#define vg(b, c, d) _mm256_ternarylogic_epi32(d, b, c, 0xca)
#define vh(b, c, d) _mm256_ternarylogic_epi32(b, c, d, 0x96)
#define vi(b, c, d) _mm256_ternarylogic_epi32(b, c, d, 0x39)

#include "md5_lanes.h"

void dedup_md5_avx512_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
