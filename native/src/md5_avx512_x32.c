/* Needs AVX-512 F. */
#define SETS 2
#include "md5_avx512.h"

void dedup_md5_avx512_x32(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    run_lanes(state, lanes, blocks);
    _mm256_zeroupper();
}
