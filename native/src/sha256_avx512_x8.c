/* Needs AVX-512 F and VL: 256-bit vectors with its rotations and three-way logic. */
#include <immintrin.h>

#include "sha256_kernels.h"
#include "transpose_avx2.h"

#define LANES 8
typedef __m256i vec;
#define vadd _mm256_add_epi32
#define vxor3(x, y, z) _mm256_ternarylogic_epi32(x, y, z, 0x96)
#define vchoose(x, y, z) _mm256_ternarylogic_epi32(x, y, z, 0xca)
#define vmajority(x, y, z) _mm256_ternarylogic_epi32(x, y, z, 0xe8)
#define vrotate _mm256_ror_epi32
#define vshift _mm256_srli_epi32
#define vset1(x) _mm256_set1_epi32((int)(x))
#define vload(p) _mm256_loadu_si256((const __m256i *)(p))
#define vstore(p, v) _mm256_storeu_si256((__m256i *)(p), v)

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

void dedup_sha256_avx512_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
