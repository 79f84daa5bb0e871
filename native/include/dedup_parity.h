/*
 * Matrices over GF(2^8), with the polynomial 0x11d, times fragments of equal length: what encoding,
 * rebuilding and updating of Reed-Solomon parity come down to. The kernels are those of Intel
 * ISA-L, found when the process first asks; without it there is no driver and nothing may be called.
 * Which matrices are used is not decided here.
 *
 * All functions may be called by any number of threads; they keep nothing between calls. Fragments
 * may have any alignment and any length, 0 included, and are touched only within it. Outputs
 * overlap neither inputs nor each other.
 */
#ifndef DEDUP_PARITY_H
#define DEDUP_PARITY_H

#include <stddef.h>
#include <stdint.h>

/* Rows and columns together, at most. */
#define DEDUP_PARITY_MAX_FRAGMENTS 32

#define DEDUP_PARITY_MAX_DRIVERS 4

/*
 * Names of the drivers of this machine, the one used by default first; returns their number, 0
 * without ISA-L. Functions below take an index of this list.
 */
size_t dedup_parity_driver_names(const char *names[DEDUP_PARITY_MAX_DRIVERS]);

/*
 * out[r] = sum of matrix[r * columns + c] * in[c] over all columns.
 *
 * matrix: rows * columns coefficients; both at least 1, and rows + columns at most
 * DEDUP_PARITY_MAX_FRAGMENTS.
 */
void dedup_parity_multiply(size_t driver, const uint8_t *matrix, unsigned rows, unsigned columns,
                           uint8_t *const *in, uint8_t *const *out, size_t length);

/*
 * out[r] += column[r] * (before + after): what a changed input does to the outputs.
 *
 * before: NULL where the input was zero, or is not yet in the outputs. rows: 1 to
 * DEDUP_PARITY_MAX_FRAGMENTS - 1.
 */
void dedup_parity_update(size_t driver, const uint8_t *column, unsigned rows, const uint8_t *before,
                         const uint8_t *after, uint8_t *const *out, size_t length);

#endif
