/*
 * MD5 (RFC 1321) of streams in pieces, one or many at once. One stream alone is bound by the
 * latency of its chain, so it takes other streams to make use of a processor. Any number of
 * threads.
 */
#ifndef DEDUP_MD5_H
#define DEDUP_MD5_H

#include <stddef.h>
#include <stdint.h>

#include "dedup_update.h"

/* Runs whole blocks through one state. */
void dedup_md5_blocks(uint32_t state[4], const uint8_t *data, size_t blocks);

/* Whole blocks through many states, keeping the lanes busy. */
void dedup_md5_updates(const dedup_update_job *jobs, size_t n);

/* "avx512-x16+avx512-x8", "avx2-x8" or "portable". */
const char *dedup_md5_driver(void);

#endif
