/* Needs AVX-512 F and BW. */
#include <immintrin.h>

#include "sha256_kernels.h"
#include "transpose_avx512.h"

#define LANES 16
typedef __m512i vec;
#define vadd _mm512_add_epi32
#define vxor3(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define vchoose(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0xca)
#define vmajority(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0xe8)
#define vrotate _mm512_ror_epi32
#define vshift _mm512_srli_epi32
#define vset1(x) _mm512_set1_epi32((int)(x))
#define vload(p) _mm512_loadu_si512(p)
#define vstore(p, v) _mm512_storeu_si512(p, v)

static inline __attribute__((always_inline)) void swap_bytes(__m512i *w, int n) {
    const __m512i swap =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL));
    for (int i = 0; i < n; i++) {
        w[i] = _mm512_shuffle_epi8(w[i], swap);
    }
}

static inline __attribute__((always_inline)) void
load_transposed(__m512i w[16], const uint8_t *const *lanes, size_t offset) {
    __m512i rows[16];
    load_rows16(rows, lanes, offset);
    transpose16(w, rows);
    swap_bytes(w, 16);
}

#include "sha256_lanes.h"

void dedup_sha256_avx512_x16(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}

/* The words after a digest in the second block of an HMAC: end mark, length of 96 bytes in bits. */
static inline void pad_digest(__m512i w[16]) {
    w[8] = vset1(0x80000000);
    for (int i = 9; i < 15; i++) {
        w[i] = _mm512_setzero_si512();
    }
    w[15] = vset1(96 * 8);
}

static inline __attribute__((always_inline)) void run_from(vec s[8], const uint32_t midstate[8],
                                                           vec w[16], const uint32_t *k) {
    for (int i = 0; i < 8; i++) {
        s[i] = vset1(midstate[i]);
    }
    run_rounds(s, w, k);
    for (int i = 0; i < 8; i++) {
        s[i] = vadd(s[i], vset1(midstate[i]));
    }
}

void dedup_hmac_sha256_avx512_x16(const uint32_t inner[8], const uint32_t outer[8],
                                  const uint8_t *digests, unsigned n, uint8_t *out) {
    const uint32_t *k = dedup_sha256_k;
    _Alignas(64) uint32_t results[16][16];
    vec rows[16], w[16], s[8];
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *digest = digests + 32 * (i < n ? i : 0);
        rows[i] = _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)digest));
    }
    transpose16(w, rows);
    swap_bytes(w, 8);
    pad_digest(w);
    __asm__ volatile("" : "+r"(k));
    run_from(s, inner, w, k);
    /* Words of the inner hash are those of the outer message: nothing to transpose between. */
    for (int i = 0; i < 8; i++) {
        w[i] = s[i];
    }
    pad_digest(w);
    run_from(s, outer, w, k);
    for (int i = 0; i < 16; i++) {
        rows[i] = i < 8 ? s[i] : _mm512_setzero_si512();
    }
    /* Transposed back, each row begins with the eight words of one result. */
    transpose16(w, rows);
    swap_bytes(w, 16);
    for (int i = 0; i < 16; i++) {
        vstore(results[i], w[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        _mm256_storeu_si256((__m256i *)(out + 32 * i), _mm256_load_si256((__m256i *)results[i]));
    }
    _mm256_zeroupper();
}
