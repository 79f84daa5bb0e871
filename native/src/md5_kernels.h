/* The kernels behind dedup_md5.h. */
#ifndef DEDUP_MD5_KERNELS_H
#define DEDUP_MD5_KERNELS_H

#include "lanes.h"

extern const uint32_t dedup_md5_k[64];

void dedup_md5_portable(uint32_t *state, const uint8_t *data, size_t blocks);
void dedup_md5_avx2_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_md5_avx2_x16(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_md5_avx512_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_md5_avx512_x16(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_md5_avx512_x32(uint32_t *state, const uint8_t *const *lanes, size_t blocks);

/* What this machine can run, what it uses by default first. Returns their number. */
size_t dedup_md5_drivers(const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS]);
const dedup_lane_kernels *dedup_md5_best(void);

#endif
