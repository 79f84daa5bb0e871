/*
 * The scheduler of the multi-buffer kernels.
 *
 * Streams (one per job) fill the lanes of the widest kernel; a run goes on for as many blocks as the
 * shortest lane has, then finished lanes are refilled. A stream's padding is a run of its own out of a
 * small side buffer, so nothing is ever read past a buffer's end. When too few streams are left to be
 * worth the wide kernel, they are handed with their states to the next narrower one: sixteen lanes,
 * eight, two, one. The thresholds are measured (SHA-NI pair 2.4, eight lanes 3.4, sixteen 4.5 GB/s with
 * all lanes busy, the time of a wide run being independent of idle lanes).
 */
#include "dedup_sha256.h"

#include <stdbool.h>
#include <string.h>

#include "dedup_cpu.h"
#include "sha256_kernels.h"

#define X16_WORTH_WITH_X8 11
#define X16_WORTH 9
#define X8_WORTH 6
#define X8_WORTH_WITHOUT_PAIR 3
#define X16_WORTH_WITHOUT_PAIR 5
#define HMAC_X16_WORTH 5

typedef struct {
    uint32_t state[8];
    const uint8_t *at;
    uint64_t blocks;    /* left at this address */
    unsigned padding;   /* blocks waiting in tail */
    bool in_tail;       /* at points into tail */
    uint8_t *out;       /* NULL: no stream here */
    uint8_t tail[2 * DEDUP_SHA256_BLOCK];
} stream;

/* Jobs not begun and streams handed over, taken in this order: streams first. */
typedef struct {
    const dedup_sha256_kernels *kernels;
    const dedup_sha256_job *jobs;
    size_t next, count;
    stream streams[DEDUP_MAX_LANES];
    unsigned waiting; /* streams[0 .. waiting) */
} queue;

static void put_big_endian(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t) (x >> 24);
    p[1] = (uint8_t) (x >> 16);
    p[2] = (uint8_t) (x >> 8);
    p[3] = (uint8_t) x;
}

static void put_digest(uint8_t *out, const uint32_t state[8]) {
    for (int i = 0; i < 8; i++) {
        put_big_endian(out + 4 * i, state[i]);
    }
}

static void go_to_tail(stream *s) {
    s->at = s->tail;
    s->blocks = s->padding;
    s->padding = 0;
    s->in_tail = true;
}

/* A copy keeps its own tail. */
static void copy(stream *to, const stream *from) {
    *to = *from;
    if (from->in_tail) {
        to->at = to->tail + (from->at - from->tail);
    }
}

static void begin(stream *s, const dedup_sha256_job *job) {
    const uint8_t *data = (const uint8_t *) (uintptr_t) job->data;
    uint64_t rest = job->length % DEDUP_SHA256_BLOCK;
    memcpy(s->state, dedup_sha256_initial, sizeof s->state);
    s->at = data;
    s->blocks = job->length / DEDUP_SHA256_BLOCK;
    s->out = (uint8_t *) (uintptr_t) job->out;
    s->padding = rest + 9 > DEDUP_SHA256_BLOCK ? 2 : 1;
    memset(s->tail, 0, sizeof s->tail);
    if (rest > 0) {
        memcpy(s->tail, data + (job->length - rest), rest);
    }
    s->tail[rest] = 0x80;
    uint8_t *bits = s->tail + s->padding * DEDUP_SHA256_BLOCK - 8;
    put_big_endian(bits, (uint32_t) (job->length >> 29));
    put_big_endian(bits + 4, (uint32_t) (job->length << 3));
    s->in_tail = false;
    if (s->blocks == 0) {
        go_to_tail(s);
    }
}

/* After a run of n blocks; false when the stream has ended. */
static bool advance(stream *s, uint64_t n) {
    s->at += n * DEDUP_SHA256_BLOCK;
    s->blocks -= n;
    if (s->blocks == 0 && s->padding > 0) {
        go_to_tail(s);
    }
    return s->blocks > 0;
}

static uint64_t left(const queue *q) {
    return q->waiting + (q->count - q->next);
}

static bool take(queue *q, stream *s) {
    if (q->waiting > 0) {
        copy(s, &q->streams[--q->waiting]);
        return true;
    }
    if (q->next < q->count) {
        begin(s, &q->jobs[q->next++]);
        return true;
    }
    return false;
}

static void hand_over(queue *q, const stream *s) {
    copy(&q->streams[q->waiting++], s);
}

static void get_lane(const uint32_t *wide, unsigned width, unsigned lane, uint32_t state[8]) {
    for (unsigned i = 0; i < 8; i++) {
        state[i] = wide[i * width + lane];
    }
}

static void set_lane(uint32_t *wide, unsigned width, unsigned lane, const uint32_t state[8]) {
    for (unsigned i = 0; i < 8; i++) {
        wide[i * width + lane] = state[i];
    }
}

/* Runs the kernel while at least worth lanes are busy, then hands the rest over. */
static void run_wide(queue *q, dedup_sha256_wide kernel, unsigned width, unsigned worth) {
    _Alignas(64) uint32_t wide[8 * DEDUP_MAX_LANES] = {0};
    const uint8_t *at[DEDUP_MAX_LANES];
    stream streams[DEDUP_MAX_LANES];
    unsigned busy = 0;
    for (unsigned i = 0; i < width; i++) {
        streams[i].out = NULL;
    }
    for (;;) {
        for (unsigned i = 0; i < width && left(q) > 0; i++) {
            if (streams[i].out == NULL) {
                take(q, &streams[i]);
                set_lane(wide, width, i, streams[i].state);
                busy++;
            }
        }
        if (busy < worth) {
            break;
        }
        uint64_t run = UINT64_MAX;
        const uint8_t *some = NULL;
        for (unsigned i = 0; i < width; i++) {
            if (streams[i].out != NULL && streams[i].blocks < run) {
                run = streams[i].blocks;
            }
            some = streams[i].out != NULL ? streams[i].at : some;
        }
        for (unsigned i = 0; i < width; i++) {
            /* Idle lanes compute some live lane's blocks; nobody looks at the result. */
            at[i] = streams[i].out != NULL ? streams[i].at : some;
        }
        kernel(wide, at, run);
        for (unsigned i = 0; i < width; i++) {
            if (streams[i].out != NULL && !advance(&streams[i], run)) {
                get_lane(wide, width, i, streams[i].state);
                put_digest(streams[i].out, streams[i].state);
                streams[i].out = NULL;
                busy--;
            }
        }
    }
    for (unsigned i = 0; i < width; i++) {
        if (streams[i].out != NULL) {
            get_lane(wide, width, i, streams[i].state);
            hand_over(q, &streams[i]);
        }
    }
}

static void run_pair(queue *q) {
    stream s, z;
    s.out = z.out = NULL;
    for (;;) {
        if (s.out == NULL && !take(q, &s)) {
            break;
        }
        if (z.out == NULL && !take(q, &z)) {
            break;
        }
        uint64_t run = s.blocks < z.blocks ? s.blocks : z.blocks;
        q->kernels->pair(s.state, s.at, z.state, z.at, run);
        if (!advance(&s, run)) {
            put_digest(s.out, s.state);
            s.out = NULL;
        }
        if (!advance(&z, run)) {
            put_digest(z.out, z.state);
            z.out = NULL;
        }
    }
    if (s.out != NULL) {
        hand_over(q, &s);
    }
    if (z.out != NULL) {
        hand_over(q, &z);
    }
}

static void run_single(queue *q) {
    stream s;
    while (take(q, &s)) {
        uint64_t run;
        do {
            run = s.blocks;
            q->kernels->single(s.state, s.at, run);
        } while (advance(&s, run));
        put_digest(s.out, s.state);
    }
}

static unsigned x16_worth(const dedup_sha256_kernels *kernels) {
    if (kernels->x8 != NULL) {
        return X16_WORTH_WITH_X8;
    }
    return kernels->pair != NULL ? X16_WORTH : X16_WORTH_WITHOUT_PAIR;
}

void dedup_sha256_batch_with(const dedup_sha256_kernels *kernels, const dedup_sha256_job *jobs,
                             size_t n) {
    queue q;
    q.kernels = kernels;
    q.jobs = jobs;
    q.next = 0;
    q.count = n;
    q.waiting = 0;
    if (kernels->x16 != NULL && left(&q) >= x16_worth(kernels)) {
        run_wide(&q, kernels->x16, 16, x16_worth(kernels));
    }
    unsigned x8_worth = kernels->pair != NULL ? X8_WORTH : X8_WORTH_WITHOUT_PAIR;
    if (kernels->x8 != NULL && left(&q) >= x8_worth) {
        run_wide(&q, kernels->x8, 8, x8_worth);
    }
    if (kernels->pair != NULL && left(&q) >= 2) {
        run_pair(&q);
    }
    run_single(&q);
}

void dedup_sha256_batch(const dedup_sha256_job *jobs, size_t n) {
    dedup_sha256_batch_with(dedup_sha256_best(), jobs, n);
}

void dedup_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks) {
    dedup_sha256_best()->single(state, data, blocks);
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
    kernels->single(state, block, 1);
    put_digest(block, state);
    memcpy(state, outer, sizeof state);
    kernels->single(state, block, 1);
    put_digest(out, state);
}

void dedup_hmac_sha256_digests_with(const dedup_sha256_kernels *kernels, const uint32_t inner[8],
                                    const uint32_t outer[8], const uint8_t *digests, size_t n,
                                    uint8_t *out) {
    while (n > 0) {
        unsigned some = n < 16 ? (unsigned) n : 16;
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

static const dedup_sha256_kernels portable = {"portable", dedup_sha256_portable, NULL, NULL, NULL, NULL};

#if defined(__x86_64__)
static const dedup_sha256_kernels all = {"avx512-x16+avx512-x8+sha-ni-x2", dedup_sha256_ni,
                                         dedup_sha256_ni_pair, dedup_sha256_avx512_x8,
                                         dedup_sha256_avx512_x16, dedup_hmac_sha256_avx512_x16};
static const dedup_sha256_kernels no_sha = {"avx512-x16+avx512-x8", dedup_sha256_portable, NULL,
                                            dedup_sha256_avx512_x8, dedup_sha256_avx512_x16,
                                            dedup_hmac_sha256_avx512_x16};
static const dedup_sha256_kernels no_avx512 = {"sha-ni-x2", dedup_sha256_ni, dedup_sha256_ni_pair,
                                               NULL, NULL, NULL};
#endif

const dedup_sha256_kernels *dedup_sha256_best(void) {
#if defined(__x86_64__)
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
    return dedup_sha256_best()->name;
}
