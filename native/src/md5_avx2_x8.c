/* Needs AVX2. */
#define SETS 1
#include "md5_avx2.h"

void dedup_md5_avx2_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
