/* One row of a table of updates: whole 64-byte blocks through a state that the caller keeps. */
#ifndef DEDUP_UPDATE_H
#define DEDUP_UPDATE_H

#include <stdint.h>

#define DEDUP_MAX_DRIVERS 12 /* of one hash */

typedef struct {
    uint64_t data; /* address */
    uint64_t blocks;
    uint64_t state; /* address of eight 32-bit words, read and written; MD5 uses the first four */
} dedup_update_job;

#endif
