/*
 * SHA-256 (FIPS 180-4) of many buffers at once, of one stream in pieces, and HMAC (RFC 2104) of
 * 32-byte digests from two midstates.
 *
 * All functions may be called by any number of threads; they keep nothing between calls. Buffers
 * may have any alignment and are read only within their length.
 */
#ifndef DEDUP_SHA256_H
#define DEDUP_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "dedup_update.h"

#define DEDUP_SHA256_BLOCK 64
#define DEDUP_SHA256_LENGTH 32

/* One row of the caller's table; three 64-bit words on every 64-bit machine. */
typedef struct {
    uint64_t data;   /* address; anything where length is 0 */
    uint64_t length; /* bytes */
    uint64_t out;    /* address of 32 bytes */
} dedup_sha256_job;

/* Hashes n buffers, keeping the lanes of the widest kernel busy. */
void dedup_sha256_batch(const dedup_sha256_job *jobs, size_t n);

/* Whole blocks through many states, keeping the lanes busy. */
void dedup_sha256_updates(const dedup_update_job *jobs, size_t n);

/* Runs whole blocks through one state. */
void dedup_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks);

/*
 * HMAC-SHA-256 of n packed 32-byte digests: inner and outer are the states after the key's padded
 * blocks. out: n packed results; may be the same as digests.
 */
void dedup_hmac_sha256_digests(const uint32_t inner[8], const uint32_t outer[8],
                               const uint8_t *digests, size_t n, uint8_t *out);

/*
 * Names of the drivers of this machine: the first one is composed of the kernels that are best for
 * each number of streams, each other one is a single kernel, whatever the number. Returns their
 * number. Functions below take an index of this list.
 */
size_t dedup_sha256_driver_names(const char *names[DEDUP_MAX_DRIVERS]);
void dedup_sha256_updates_by(size_t driver, const dedup_update_job *jobs, size_t n);
void dedup_sha256_batch_by(size_t driver, const dedup_sha256_job *jobs, size_t n);

#endif
