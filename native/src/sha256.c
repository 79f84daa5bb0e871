#include "dedup_sha256.h"

#include <string.h>

#include "dedup_cpu.h"
#include "sha256_kernels.h"

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

void dedup_sha256_batch_with(const dedup_lane_kernels *kernels, const dedup_sha256_job *jobs,
                             size_t n) {
    while (n > 0) {
        size_t some = n < MAX_ORDERED ? n : MAX_ORDERED;
        ordered_jobs ordered = {.jobs = jobs};
        put_in_order(&ordered, some);
        dedup_stream_table table = {&ordered, some, begin, finish};
        dedup_run_lanes(kernels, &table);
        jobs += some;
        n -= some;
    }
}

void dedup_sha256_batch(const dedup_sha256_job *jobs, size_t n) {
    dedup_sha256_batch_with(dedup_sha256_best(), jobs, n);
}

void dedup_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks) {
    dedup_sha256_best()->single(state, data, blocks);
}

void dedup_sha256_updates(const dedup_update_job *jobs, size_t n) {
    dedup_run_updates(dedup_sha256_best(), jobs, n);
}

/*
 * HMAC of 32-byte digests. Groups of sixteen go through a kernel of their own where there is one,
 * which keeps the words in lanes between the two hashes; others through any kernels there are, one
 * block of each at a time.
 */
#define HMAC_GROUP 16
#define HMAC_X16_WORTH 5

/* The second block of key and 32 bytes: the bytes, the end mark, the length of 96 bytes in bits. */
static void pad_digest(uint8_t block[DEDUP_SHA256_BLOCK]) {
    memset(block + 32, 0, 32);
    block[32] = 0x80;
    block[62] = 0x03;
}

/* As many blocks as the kernel has lanes, or fewer. */
static void hash_wide(const dedup_wide *wide, const uint32_t midstate[8],
                      uint8_t blocks[][DEDUP_SHA256_BLOCK], unsigned n) {
    _Alignas(64) uint32_t states[8 * DEDUP_MAX_LANES];
    const uint8_t *lanes[DEDUP_MAX_LANES];
    for (unsigned i = 0; i < wide->lanes; i++) {
        lanes[i] = blocks[i < n ? i : 0];
        for (unsigned word = 0; word < 8; word++) {
            states[word * wide->lanes + i] = midstate[word];
        }
    }
    wide->run(states, lanes, 1);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned word = 0; word < 8; word++) {
            put_big_endian(blocks[i] + 4 * word, states[word * wide->lanes + i]);
        }
    }
}

static void hash_pair(const dedup_lane_kernels *kernels, const uint32_t midstate[8],
                      uint8_t blocks[][DEDUP_SHA256_BLOCK]) {
    uint32_t states[2][8];
    memcpy(states[0], midstate, sizeof states[0]);
    memcpy(states[1], midstate, sizeof states[1]);
    kernels->pair(states[0], blocks[0], states[1], blocks[1], 1);
    put_digest(blocks[0], states[0]);
    put_digest(blocks[1], states[1]);
}

/* Each block becomes the hash of itself after the midstate, in its first 32 bytes. */
static void hash_blocks(const dedup_lane_kernels *kernels, const uint32_t midstate[8],
                        uint8_t blocks[][DEDUP_SHA256_BLOCK], unsigned n) {
    const dedup_wide *wide = &kernels->wide[0];
    unsigned at = 0;
    while (wide->lanes > 0 && n - at >= wide->worth) {
        unsigned some = n - at < wide->lanes ? n - at : wide->lanes;
        hash_wide(wide, midstate, blocks + at, some);
        at += some;
    }
    for (; kernels->pair != NULL && n - at >= 2; at += 2) {
        hash_pair(kernels, midstate, blocks + at);
    }
    for (; at < n; at++) {
        uint32_t state[8];
        memcpy(state, midstate, sizeof state);
        kernels->single(state, blocks[at], 1);
        put_digest(blocks[at], state);
    }
}

static void hmac_group(const dedup_lane_kernels *kernels, const uint32_t inner[8],
                       const uint32_t outer[8], const uint8_t *digests, unsigned n, uint8_t *out) {
    uint8_t blocks[HMAC_GROUP][DEDUP_SHA256_BLOCK];
    for (unsigned i = 0; i < n; i++) {
        memcpy(blocks[i], digests + 32 * i, 32);
        pad_digest(blocks[i]);
    }
    hash_blocks(kernels, inner, blocks, n);
    hash_blocks(kernels, outer, blocks, n);
    for (unsigned i = 0; i < n; i++) {
        memcpy(out + 32 * i, blocks[i], 32);
    }
}

static dedup_hmac_wide hmac_x16(const dedup_lane_kernels *kernels) {
#ifdef DEDUP_X86
    if (kernels->wide[0].run == dedup_sha256_avx512_x16) {
        return dedup_hmac_sha256_avx512_x16;
    }
#else
    (void)kernels;
#endif
    return NULL;
}

void dedup_hmac_sha256_digests_with(const dedup_lane_kernels *kernels, const uint32_t inner[8],
                                    const uint32_t outer[8], const uint8_t *digests, size_t n,
                                    uint8_t *out) {
    dedup_hmac_wide wide = hmac_x16(kernels);
    while (n > 0) {
        unsigned some = n < HMAC_GROUP ? (unsigned)n : HMAC_GROUP;
        if (wide != NULL && some >= HMAC_X16_WORTH) {
            wide(inner, outer, digests, some, out);
        } else {
            hmac_group(kernels, inner, outer, digests, some, out);
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
 * Measured with 64 KiB buffers: one SHA-NI stream 2.0, two 2.4, eight AVX2 lanes 1.7, eight AVX-512
 * lanes 3.4, sixteen 4.5 GB/s when all lanes are busy; portable C 0.33.
 */
static const dedup_lane_kernels portable = {"portable", 8, dedup_sha256_portable, NULL, {{0}}};

#ifdef DEDUP_X86
#define ONLY(name, lanes, run)                                                                     \
    {                                                                                              \
        name, 8, dedup_sha256_portable, NULL, {                                                    \
            { lanes, 1, run }                                                                      \
        }                                                                                          \
    }

static const dedup_lane_kernels all = {
    "avx512-x16+avx512-x8+sha-ni-x2",
    8,
    dedup_sha256_ni,
    dedup_sha256_ni_pair,
    {{16, 11, dedup_sha256_avx512_x16}, {8, 6, dedup_sha256_avx512_x8}}};
static const dedup_lane_kernels no_sha = {
    "avx512-x16+avx512-x8",
    8,
    dedup_sha256_portable,
    NULL,
    {{16, 9, dedup_sha256_avx512_x16}, {8, 2, dedup_sha256_avx512_x8}}};
static const dedup_lane_kernels sha_ni_x2 = {
    "sha-ni-x2", 8, dedup_sha256_ni, dedup_sha256_ni_pair, {{0}}};
static const dedup_lane_kernels sha_ni = {"sha-ni", 8, dedup_sha256_ni, NULL, {{0}}};
static const dedup_lane_kernels no_sha_no_avx512 = {
    "avx2-x8+portable", 8, dedup_sha256_portable, NULL, {{8, 2, dedup_sha256_avx2_x8}}};
static const dedup_lane_kernels avx512_x16 = ONLY("avx512-x16", 16, dedup_sha256_avx512_x16);
static const dedup_lane_kernels avx512_x8 = ONLY("avx512-x8", 8, dedup_sha256_avx512_x8);
static const dedup_lane_kernels avx2_x8 = ONLY("avx2-x8", 8, dedup_sha256_avx2_x8);
#endif

const dedup_lane_kernels *dedup_sha256_best(void) {
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->avx512) {
        return cpu->sha ? &all : &no_sha;
    }
    if (cpu->sha) {
        return &sha_ni_x2;
    }
    if (cpu->avx2) {
        return &no_sha_no_avx512;
    }
#endif
    return &portable;
}

size_t dedup_sha256_drivers(const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS]) {
    size_t n = 0;
    drivers[n++] = dedup_sha256_best();
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->avx512) {
        drivers[n++] = &avx512_x16;
        drivers[n++] = &avx512_x8;
    }
    if (cpu->sha && drivers[0] != &sha_ni_x2) {
        drivers[n++] = &sha_ni_x2;
    }
    if (cpu->sha) {
        drivers[n++] = &sha_ni;
    }
    if (cpu->avx2) {
        drivers[n++] = &avx2_x8;
    }
#endif
    if (drivers[0] != &portable) {
        drivers[n++] = &portable;
    }
    return n;
}

size_t dedup_sha256_driver_names(const char *names[DEDUP_MAX_DRIVERS]) {
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_sha256_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        names[i] = drivers[i]->name;
    }
    return n;
}

static const dedup_lane_kernels *by_index(size_t driver) {
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    return driver < dedup_sha256_drivers(drivers) ? drivers[driver] : drivers[0];
}

void dedup_sha256_updates_by(size_t driver, const dedup_update_job *jobs, size_t n) {
    dedup_run_updates(by_index(driver), jobs, n);
}

void dedup_sha256_batch_by(size_t driver, const dedup_sha256_job *jobs, size_t n) {
    dedup_sha256_batch_with(by_index(driver), jobs, n);
}
