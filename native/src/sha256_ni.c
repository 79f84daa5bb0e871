/*
 * SHA extensions, one stream and two interleaved. They exist in legacy SSE encoding only: mixed
 * with VEX code over dirty upper halves they run two hundred times slower, so this file must be
 * compiled without -mavx, and every AVX kernel ends with vzeroupper.
 */
#include <immintrin.h>

#include "sha256_kernels.h"

typedef struct {
    __m128i abef, cdgh;
} ni_state;

static inline ni_state load_state(const uint32_t state[8]) {
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    return (ni_state){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

static inline void store_state(uint32_t state[8], ni_state s) {
    __m128i feba = _mm_shuffle_epi32(s.abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static inline __m128i load_words(const uint8_t *data) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data), swap);
}

/* Message words 4t to 4t+3, t being 4 to 15, from the four vectors before. */
static inline __m128i schedule(__m128i w[4], int t) {
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[t & 3], w[(t + 1) & 3]),
                                _mm_alignr_epi8(w[(t + 3) & 3], w[(t + 2) & 3], 4));
    return _mm_sha256msg2_epu32(sum, w[(t + 3) & 3]);
}

/* Rounds 4t to 4t+3. */
static inline void rounds(ni_state *s, __m128i w, int t) {
    __m128i wk = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)(dedup_sha256_k + 4 * t)));
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, wk);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(wk, 0x0e));
}

void dedup_sha256_ni(uint32_t *state, const uint8_t *data, size_t blocks) {
    ni_state s = load_state(state);
    for (; blocks > 0; blocks--, data += DEDUP_SHA256_BLOCK) {
        ni_state before = s;
        __m128i w[4];
#pragma GCC unroll 16
        for (int t = 0; t < 16; t++) {
            w[t & 3] = t < 4 ? load_words(data + 16 * t) : schedule(w, t);
            rounds(&s, w[t & 3], t);
        }
        s.abef = _mm_add_epi32(s.abef, before.abef);
        s.cdgh = _mm_add_epi32(s.cdgh, before.cdgh);
    }
    store_state(state, s);
}

void dedup_sha256_ni_pair(uint32_t *state0, const uint8_t *data0, uint32_t *state1,
                          const uint8_t *data1, size_t blocks) {
    ni_state s = load_state(state0), z = load_state(state1);
    for (; blocks > 0; blocks--, data0 += DEDUP_SHA256_BLOCK, data1 += DEDUP_SHA256_BLOCK) {
        ni_state s_before = s, z_before = z;
        __m128i w[4], y[4];
#pragma GCC unroll 16
        for (int t = 0; t < 16; t++) {
            w[t & 3] = t < 4 ? load_words(data0 + 16 * t) : schedule(w, t);
            y[t & 3] = t < 4 ? load_words(data1 + 16 * t) : schedule(y, t);
            rounds(&s, w[t & 3], t);
            rounds(&z, y[t & 3], t);
        }
        s.abef = _mm_add_epi32(s.abef, s_before.abef);
        s.cdgh = _mm_add_epi32(s.cdgh, s_before.cdgh);
        z.abef = _mm_add_epi32(z.abef, z_before.abef);
        z.cdgh = _mm_add_epi32(z.cdgh, z_before.cdgh);
    }
    store_state(state0, s);
    store_state(state1, z);
}
