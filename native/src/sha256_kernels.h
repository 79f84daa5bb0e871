/* The kernels behind dedup_sha256.h; one file per instruction set, chosen at run time. */
#ifndef DEDUP_SHA256_KERNELS_H
#define DEDUP_SHA256_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dedup_sha256.h"
#include "lanes.h"

extern const uint32_t dedup_sha256_k[64];
extern const uint32_t dedup_sha256_initial[8];

/* HMAC of n packed digests, n being 1 to 16; out may be the same as digests. */
typedef void (*dedup_hmac_wide)(const uint32_t inner[8], const uint32_t outer[8],
                                const uint8_t *digests, unsigned n, uint8_t *out);

void dedup_sha256_portable(uint32_t *state, const uint8_t *data, size_t blocks);
void dedup_sha256_ni(uint32_t *state, const uint8_t *data, size_t blocks);
void dedup_sha256_ni_pair(uint32_t *state0, const uint8_t *data0, uint32_t *state1,
                          const uint8_t *data1, size_t blocks);
void dedup_sha256_avx2_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_sha256_avx512_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_sha256_avx512_x16(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_hmac_sha256_avx512_x16(const uint32_t inner[8], const uint32_t outer[8],
                                  const uint8_t *digests, unsigned n, uint8_t *out);

/* What this machine can run, what it uses by default first. Returns their number. */
size_t dedup_sha256_drivers(const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS]);
const dedup_lane_kernels *dedup_sha256_best(void);

/* As the public functions, with kernels of the caller's choice; for tests and pinned drivers. */
void dedup_sha256_batch_with(const dedup_lane_kernels *kernels, const dedup_sha256_job *jobs,
                             size_t n);
void dedup_hmac_sha256_digests_with(const dedup_lane_kernels *kernels, const uint32_t inner[8],
                                    const uint32_t outer[8], const uint8_t *digests, size_t n,
                                    uint8_t *out);

#endif
