#include "dedup_sha256.h"

#include <string.h>

#include "dedup_cpu.h"
#include "sha256_kernels.h"

#define HMAC_X16_WORTH 5

static void put_big_endian(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

static void put_digest(uint8_t *out, const uint32_t state[8]) {
    for (int i = 0; i < 8; i++) {
        put_big_endian(out + 4 * i, state[i]);
    }
}

#define MAX_ORDERED 256

/* Jobs in the order in which they are begun. */
typedef struct {
    const dedup_sha256_job *jobs;
    uint16_t order[MAX_ORDERED];
} ordered_jobs;

/* The bytes after the last whole block, the end mark and the length wait in the stream's tail. */
static void begin(dedup_stream *s, const void *rows, size_t row) {
    const ordered_jobs *ordered = rows;
    const dedup_sha256_job *job = ordered->jobs + ordered->order[row];
    const uint8_t *data = (const uint8_t *)(uintptr_t)job->data;
    uint64_t rest = job->length % DEDUP_SHA256_BLOCK;
    memcpy(s->state, dedup_sha256_initial, sizeof s->state);
    s->at = data;
    s->blocks = job->length / DEDUP_SHA256_BLOCK;
    s->result = (void *)(uintptr_t)job->out;
    s->padding = rest + 9 > DEDUP_SHA256_BLOCK ? 2 : 1;
    memset(s->tail, 0, sizeof s->tail);
    if (rest > 0) {
        memcpy(s->tail, data + (job->length - rest), rest);
    }
    s->tail[rest] = 0x80;
    uint8_t *bits = s->tail + s->padding * DEDUP_SHA256_BLOCK - 8;
    put_big_endian(bits, (uint32_t)(job->length >> 29));
    put_big_endian(bits + 4, (uint32_t)(job->length << 3));
}

static void finish(const dedup_stream *s) {
    put_digest(s->result, s->state);
}

/* Longest first: the lanes that are left alone at the end then have little to do. */
static void put_in_order(ordered_jobs *ordered, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        while (at > 0 && ordered->jobs[ordered->order[at - 1]].length < ordered->jobs[i].length) {
            ordered->order[at] = ordered->order[at - 1];
            at--;
        }
        ordered->order[at] = (uint16_t)i;
    }
}

void dedup_sha256_batch_with(const dedup_sha256_kernels *kernels, const dedup_sha256_job *jobs,
                             size_t n) {
    while (n > 0) {
        size_t some = n < MAX_ORDERED ? n : MAX_ORDERED;
        ordered_jobs ordered = {.jobs = jobs};
        put_in_order(&ordered, some);
        dedup_stream_table table = {&ordered, some, begin, finish};
        dedup_run_lanes(&kernels->lanes, &table);
        jobs += some;
        n -= some;
    }
}

void dedup_sha256_batch(const dedup_sha256_job *jobs, size_t n) {
    dedup_sha256_batch_with(dedup_sha256_best(), jobs, n);
}

void dedup_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks) {
    dedup_sha256_best()->lanes.single(state, data, blocks);
}

void dedup_sha256_updates(const dedup_update_job *jobs, size_t n) {
    dedup_run_updates(&dedup_sha256_best()->lanes, jobs, n);
}

/* The second block of key and 32 bytes: the bytes, the end mark, the length of 96 bytes in bits. */
static void pad_digest(uint8_t block[DEDUP_SHA256_BLOCK]) {
    memset(block + 32, 0, 32);
    block[32] = 0x80;
    block[62] = 0x03;
}

static void hmac_single(const dedup_sha256_kernels *kernels, const uint32_t inner[8],
                        const uint32_t outer[8], const uint8_t *digest, uint8_t *out) {
    uint8_t block[DEDUP_SHA256_BLOCK];
    uint32_t state[8];
    memcpy(block, digest, 32);
    pad_digest(block);
    memcpy(state, inner, sizeof state);
    kernels->lanes.single(state, block, 1);
    put_digest(block, state);
    memcpy(state, outer, sizeof state);
    kernels->lanes.single(state, block, 1);
    put_digest(out, state);
}

void dedup_hmac_sha256_digests_with(const dedup_sha256_kernels *kernels, const uint32_t inner[8],
                                    const uint32_t outer[8], const uint8_t *digests, size_t n,
                                    uint8_t *out) {
    while (n > 0) {
        unsigned some = n < 16 ? (unsigned)n : 16;
        if (kernels->hmac_x16 != NULL && some >= HMAC_X16_WORTH) {
            kernels->hmac_x16(inner, outer, digests, some, out);
        } else {
            for (unsigned i = 0; i < some; i++) {
                hmac_single(kernels, inner, outer, digests + 32 * i, out + 32 * i);
            }
        }
        digests += 32 * some;
        out += 32 * some;
        n -= some;
    }
}

void dedup_hmac_sha256_digests(const uint32_t inner[8], const uint32_t outer[8],
                               const uint8_t *digests, size_t n, uint8_t *out) {
    dedup_hmac_sha256_digests_with(dedup_sha256_best(), inner, outer, digests, n, out);
}

/*
 * Measured with 64 KiB buffers: one SHA-NI stream 2.0, two 2.4, eight lanes 3.4, sixteen 4.5 GB/s
 * when all lanes are busy.
 */
static const dedup_sha256_kernels portable = {
    {"portable", 8, 0, 0, dedup_sha256_portable, NULL, NULL, NULL}, NULL};

#ifdef DEDUP_X86
static const dedup_sha256_kernels all = {{"avx512-x16+avx512-x8+sha-ni-x2", 8, 11, 6,
                                          dedup_sha256_ni, dedup_sha256_ni_pair,
                                          dedup_sha256_avx512_x8, dedup_sha256_avx512_x16},
                                         dedup_hmac_sha256_avx512_x16};
static const dedup_sha256_kernels no_sha = {{"avx512-x16+avx512-x8", 8, 9, 2, dedup_sha256_portable,
                                             NULL, dedup_sha256_avx512_x8, dedup_sha256_avx512_x16},
                                            dedup_hmac_sha256_avx512_x16};
static const dedup_sha256_kernels no_avx512 = {
    {"sha-ni-x2", 8, 0, 0, dedup_sha256_ni, dedup_sha256_ni_pair, NULL, NULL}, NULL};
#endif

const dedup_sha256_kernels *dedup_sha256_best(void) {
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->avx512) {
        return cpu->sha ? &all : &no_sha;
    }
    if (cpu->sha) {
        return &no_avx512;
    }
#endif
    return &portable;
}

const char *dedup_sha256_driver(void) {
    return dedup_sha256_best()->lanes.name;
}
