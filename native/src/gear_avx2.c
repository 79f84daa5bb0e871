/* Needs AVX2. */
#include <immintrin.h>

#include "dedup_gear.h"

typedef struct {
    __m256i low[4], high[4];
} planes_setup;

static inline planes_setup setup(const dedup_gear *gear) {
    planes_setup s;
    for (int k = 0; k < 4; k++) {
        s.low[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)gear->low[k]));
        s.high[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)gear->high[k]));
    }
    return s;
}

static inline __m256i plane(const planes_setup *s, int k, __m256i x) {
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i low = _mm256_and_si256(x, nibble);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble);
    return _mm256_xor_si256(_mm256_shuffle_epi8(s->low[k], low),
                            _mm256_shuffle_epi8(s->high[k], high));
}

#include "gear_rows.h"

size_t dedup_gear_scan_avx2(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                            uint32_t threshold) {
    size_t at = scan_rows(gear, data, from, to, threshold);
    _mm256_zeroupper();
    return at;
}
