/*
 * The scheduler of the multi-buffer kernels: streams of 64-byte blocks through lanes, for any hash
 * with a state of at most eight 32-bit words.
 *
 * Streams fill the lanes of the widest kernel; a run goes on for as many blocks as the shortest
 * lane has, then finished lanes are refilled. A stream's padding is a run of its own out of a small
 * side buffer, so nothing is ever read past a buffer's end. When too few streams are left to be
 * worth the wide kernel, they are handed with their states to the next narrower one, down to two
 * and one. The time of a wide run does not depend on idle lanes, which is what the thresholds come
 * from.
 */
#ifndef DEDUP_LANES_H
#define DEDUP_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dedup_update.h"

#define DEDUP_BLOCK 64
#define DEDUP_MAX_LANES 32
#define DEDUP_MAX_WIDE 3
#define DEDUP_MAX_WORDS 8

/*
 * Wide kernels: the states of all lanes, word by word (state[word * lanes + lane], 64-byte
 * aligned), and one address per lane, each with at least the given number of blocks.
 */
typedef void (*dedup_wide_kernel)(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
typedef void (*dedup_pair_kernel)(uint32_t *state0, const uint8_t *data0, uint32_t *state1,
                                  const uint8_t *data1, size_t blocks);
typedef void (*dedup_single_kernel)(uint32_t *state, const uint8_t *data, size_t blocks);

typedef struct {
    unsigned lanes;
    unsigned worth; /* fewest streams that make it the best choice */
    dedup_wide_kernel run;
} dedup_wide;

/* Kernels of one hash. */
typedef struct {
    const char *name;
    unsigned words; /* of a state */
    dedup_single_kernel single;
    dedup_pair_kernel pair;          /* NULL where there is none */
    dedup_wide wide[DEDUP_MAX_WIDE]; /* the widest first; one with no lanes ends them */
} dedup_lane_kernels;

typedef struct {
    uint32_t state[DEDUP_MAX_WORDS];
    const uint8_t *at;
    uint64_t blocks;  /* left at this address */
    unsigned padding; /* blocks waiting in tail */
    bool in_tail;     /* at points into tail */
    bool live;
    void *result; /* whatever finish needs */
    uint8_t tail[2 * DEDUP_BLOCK];
} dedup_stream;

/* Rows of some table, and what to do at a stream's begin and end. */
typedef struct {
    const void *rows;
    size_t count;
    void (*begin)(dedup_stream *stream, const void *rows, size_t row);
    void (*finish)(const dedup_stream *stream);
} dedup_stream_table;

void dedup_run_lanes(const dedup_lane_kernels *kernels, const dedup_stream_table *table);

void dedup_run_updates(const dedup_lane_kernels *kernels, const dedup_update_job *jobs, size_t n);

#endif
