/*
 * The S2 gear scan: content-defined cut points. The format is specified in
 * docs/formats/chunking.md; every kernel gives exactly the same cuts.
 */
#ifndef DEDUP_GEAR_H
#define DEDUP_GEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEDUP_GEAR_SEED_WORDS 9
#define DEDUP_GEAR_WINDOW_BYTES 64

/* Parameters and tables of one dedup domain and profile. Immutable after init, shared by threads.
 */
typedef struct {
    uint32_t min, avg, max; /* chunk lengths in bytes; min > DEDUP_GEAR_WINDOW_BYTES */
    uint32_t strict, loose; /* a hash below is a cut, in [min, avg) and [avg, max) */
    uint32_t table[256];    /* G(b) = A.b xor c */
    uint64_t matrix[4];     /* A by result bytes, as gf2p8affineqb wants it */
    uint8_t constant[4];    /* c by bytes */
    uint8_t low[4][16];     /* byte k of G(b) = low[k][b & 15] xor high[k][b >> 4] */
    uint8_t high[4][16];
} dedup_gear;

/* seed: the eight columns of A for bits 0 to 7 of a byte, then c. */
void dedup_gear_init(dedup_gear *gear, const uint32_t seed[DEDUP_GEAR_SEED_WORDS], uint32_t min,
                     uint32_t avg, uint32_t max, uint32_t strict, uint32_t loose);

/*
 * Lengths of the chunks at the front of data, which begins at a chunk's start.
 *
 * end: nothing follows data, its remainder is the last chunk. Otherwise the scan stops at the first
 * chunk whose end can't be known yet. Reads data only within its length. Returns the number of
 * lengths written, at most capacity.
 */
size_t dedup_gear_cuts(const dedup_gear *gear, const uint8_t *data, size_t length, bool end,
                       int32_t *lengths, size_t capacity);

/* As dedup_gear_cuts with a scan of the caller's choice: one of dedup_gear_drivers. */
typedef struct dedup_gear_driver dedup_gear_driver;
size_t dedup_gear_cuts_with(const dedup_gear_driver *driver, const dedup_gear *gear,
                            const uint8_t *data, size_t length, bool end, int32_t *lengths,
                            size_t capacity);

/* First index in [from, to) whose hash is below threshold, or to. from >= 64. */
typedef size_t (*dedup_gear_scan)(const dedup_gear *gear, const uint8_t *data, size_t from,
                                  size_t to, uint32_t threshold);

size_t dedup_gear_scan_scalar(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                              uint32_t threshold);
size_t dedup_gear_scan_avx2(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                            uint32_t threshold);
size_t dedup_gear_scan_gfni(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                            uint32_t threshold);

struct dedup_gear_driver {
    const char *name;
    dedup_gear_scan scan;
};

/* What this machine can run, the fastest first: "gfni", "avx2", "scalar". Returns their number. */
#define DEDUP_GEAR_MAX_DRIVERS 4
size_t dedup_gear_drivers(const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS]);

#endif
