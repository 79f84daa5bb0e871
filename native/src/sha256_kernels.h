/* The kernels behind dedup_sha256.h; one file per instruction set, chosen at run time. */
#ifndef DEDUP_SHA256_KERNELS_H
#define DEDUP_SHA256_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dedup_sha256.h"

#define DEDUP_MAX_LANES 16

extern const uint32_t dedup_sha256_k[64];
extern const uint32_t dedup_sha256_initial[8];

/*
 * Wide kernels: the states of all lanes, word by word (state[word * lanes + lane], 64-byte aligned), and
 * one address per lane, each with at least the given number of blocks.
 */
typedef void (*dedup_sha256_wide)(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
typedef void (*dedup_sha256_pair)(uint32_t state0[8], const uint8_t *data0, uint32_t state1[8],
                                  const uint8_t *data1, size_t blocks);
typedef void (*dedup_sha256_single)(uint32_t state[8], const uint8_t *data, size_t blocks);

/* HMAC of n packed digests, n being 1 to 16; out may be the same as digests. */
typedef void (*dedup_hmac_wide)(const uint32_t inner[8], const uint32_t outer[8],
                                const uint8_t *digests, unsigned n, uint8_t *out);

typedef struct {
    const char *name;
    dedup_sha256_single single;
    dedup_sha256_pair pair; /* NULL where there is none */
    dedup_sha256_wide x8;
    dedup_sha256_wide x16;
    dedup_hmac_wide hmac_x16;
} dedup_sha256_kernels;

void dedup_sha256_portable(uint32_t state[8], const uint8_t *data, size_t blocks);
void dedup_sha256_ni(uint32_t state[8], const uint8_t *data, size_t blocks);
void dedup_sha256_ni_pair(uint32_t state0[8], const uint8_t *data0, uint32_t state1[8],
                          const uint8_t *data1, size_t blocks);
void dedup_sha256_avx512_x8(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_sha256_avx512_x16(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void dedup_hmac_sha256_avx512_x16(const uint32_t inner[8], const uint32_t outer[8],
                                  const uint8_t *digests, unsigned n, uint8_t *out);

/* What this machine uses. */
const dedup_sha256_kernels *dedup_sha256_best(void);

/* As the public functions, with kernels of the caller's choice; for tests. */
void dedup_sha256_batch_with(const dedup_sha256_kernels *kernels, const dedup_sha256_job *jobs,
                             size_t n);
void dedup_hmac_sha256_digests_with(const dedup_sha256_kernels *kernels, const uint32_t inner[8],
                                    const uint32_t outer[8], const uint8_t *digests, size_t n,
                                    uint8_t *out);

#endif
