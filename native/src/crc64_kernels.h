/* CRC-64/NVME without the inversions at both ends. */
#ifndef DEDUP_CRC64_KERNELS_H
#define DEDUP_CRC64_KERNELS_H

#include <stddef.h>
#include <stdint.h>

uint64_t dedup_crc64_raw(uint64_t crc, const uint8_t *data, size_t length);

/* Needs PCLMULQDQ and SSE4.1, and a length of at least 16. */
uint64_t dedup_crc64_pclmul(uint64_t crc, const uint8_t *data, size_t length);

/* Needs AVX-512 F, BW, VL and VPCLMULQDQ, and a length of at least 64. */
uint64_t dedup_crc64_vpclmul(uint64_t crc, const uint8_t *data, size_t length);

#endif
