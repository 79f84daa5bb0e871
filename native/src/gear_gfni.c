/* Needs AVX2 and GFNI. */
#include <immintrin.h>

#include "dedup_gear.h"

typedef struct {
    __m256i matrix[4], constant[4];
} planes_setup;

static inline planes_setup setup(const dedup_gear *gear) {
    planes_setup s;
    for (int k = 0; k < 4; k++) {
        s.matrix[k] = _mm256_set1_epi64x((long long)gear->matrix[k]);
        s.constant[k] = _mm256_set1_epi8((char)gear->constant[k]);
    }
    return s;
}

static inline __m256i plane(const planes_setup *s, int k, __m256i x) {
    return _mm256_xor_si256(_mm256_gf2p8affine_epi64_epi8(x, s->matrix[k], 0), s->constant[k]);
}

#include "gear_rows.h"

size_t dedup_gear_scan_gfni(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                            uint32_t threshold) {
    size_t at = scan_rows(gear, data, from, to, threshold);
    _mm256_zeroupper();
    return at;
}
