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

/*
 * Names of the drivers of this machine: the first one is composed of the kernels that are best for
 * each number of streams, each other one is a single kernel, whatever the number. Returns their
 * number. Functions below take an index of this list.
 */
size_t dedup_md5_driver_names(const char *names[DEDUP_MAX_DRIVERS]);
void dedup_md5_updates_by(size_t driver, const dedup_update_job *jobs, size_t n);

#endif
