#include "dedup_gear.h"

#include <string.h>

#include "dedup_cpu.h"

static uint32_t expand(const uint32_t seed[DEDUP_GEAR_SEED_WORDS], unsigned byte) {
    uint32_t g = seed[8];
    for (unsigned bit = 0; bit < 8; bit++) {
        if (byte >> bit & 1) {
            g ^= seed[bit];
        }
    }
    return g;
}

/* Result bit i of gf2p8affineqb comes from matrix byte 7 - i: that byte is row i. */
static uint64_t affine_matrix(const uint32_t seed[DEDUP_GEAR_SEED_WORDS], unsigned result_byte) {
    uint64_t matrix = 0;
    for (unsigned row = 0; row < 8; row++) {
        uint64_t bits = 0;
        for (unsigned column = 0; column < 8; column++) {
            bits |= (uint64_t)(seed[column] >> (8 * result_byte + row) & 1) << column;
        }
        matrix |= bits << (8 * (7 - row));
    }
    return matrix;
}

void dedup_gear_init(dedup_gear *gear, const uint32_t seed[DEDUP_GEAR_SEED_WORDS], uint32_t min,
                     uint32_t avg, uint32_t max, uint32_t strict, uint32_t loose) {
    memset(gear, 0, sizeof *gear);
    gear->min = min;
    gear->avg = avg;
    gear->max = max;
    gear->strict = strict;
    gear->loose = loose;
    for (unsigned b = 0; b < 256; b++) {
        gear->table[b] = expand(seed, b);
    }
    for (unsigned k = 0; k < 4; k++) {
        gear->matrix[k] = affine_matrix(seed, k);
        gear->constant[k] = (uint8_t)(seed[8] >> (8 * k));
        for (unsigned nibble = 0; nibble < 16; nibble++) {
            gear->low[k][nibble] = (uint8_t)(gear->table[nibble] >> (8 * k));
            gear->high[k][nibble] = (uint8_t)((gear->table[nibble << 4] ^ seed[8]) >> (8 * k));
        }
    }
}

size_t dedup_gear_scan_scalar(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                              uint32_t threshold) {
    const uint32_t *g = gear->table;
    uint32_t even = 0, odd = 0;
    size_t i = from - (DEDUP_GEAR_WINDOW_BYTES - 2);
    uint32_t last = g[data[i - 1]];
    /* Warm up: 31 terms of each chain; the 32nd is the first one tested. */
    for (; i < from; i += 2) {
        uint32_t g0 = g[data[i]], g1 = g[data[i + 1]];
        even = 2 * even + (g0 + last);
        odd = 2 * odd + (g1 + g0);
        last = g1;
    }
    for (; i + 1 < to; i += 2) {
        uint32_t g0 = g[data[i]], g1 = g[data[i + 1]];
        even = 2 * even + (g0 + last);
        odd = 2 * odd + (g1 + g0);
        last = g1;
        if (even < threshold) {
            return i;
        }
        if (odd < threshold) {
            return i + 1;
        }
    }
    if (i < to && 2 * even + (g[data[i]] + last) < threshold) {
        return i;
    }
    return to;
}

static const dedup_gear_driver scalar = {"scalar", dedup_gear_scan_scalar};
#ifdef DEDUP_X86
static const dedup_gear_driver avx2 = {"avx2", dedup_gear_scan_avx2};
static const dedup_gear_driver gfni = {"gfni", dedup_gear_scan_gfni};
#endif

size_t dedup_gear_drivers(const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS]) {
    size_t n = 0;
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->gfni) {
        drivers[n++] = &gfni;
    }
    if (cpu->avx2) {
        drivers[n++] = &avx2;
    }
#endif
    drivers[n++] = &scalar;
    return n;
}

/* Length of the chunk at the front, or 0 where more bytes must be seen first. */
static size_t next_cut(const dedup_gear *gear, dedup_gear_scan scan, const uint8_t *data,
                       size_t length, bool end) {
    size_t available = length < gear->max ? length : gear->max;
    /* A cut of length L is decided by the hash after byte L - 1. */
    size_t first = gear->min - 1;
    size_t loose = gear->avg - 1;
    if (first < available) {
        size_t to = loose < available ? loose : available;
        size_t cut = scan(gear, data, first, to, gear->strict);
        if (cut < to) {
            return cut + 1;
        }
    }
    if (loose < available) {
        size_t cut = scan(gear, data, loose, available, gear->loose);
        if (cut < available) {
            return cut + 1;
        }
    }
    return end || available == gear->max ? available : 0;
}

size_t dedup_gear_cuts_with(const dedup_gear_driver *driver, const dedup_gear *gear,
                            const uint8_t *data, size_t length, bool end, int32_t *lengths,
                            size_t capacity) {
    size_t count = 0;
    while (count < capacity && length > 0) {
        size_t cut = next_cut(gear, driver->scan, data, length, end);
        if (cut == 0) {
            break;
        }
        lengths[count++] = (int32_t)cut;
        data += cut;
        length -= cut;
    }
    return count;
}

size_t dedup_gear_cuts(const dedup_gear *gear, const uint8_t *data, size_t length, bool end,
                       int32_t *lengths, size_t capacity) {
    const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
    (void)dedup_gear_drivers(drivers);
    return dedup_gear_cuts_with(drivers[0], gear, data, length, end, lengths, capacity);
}
