/* CRC-64/NVME: polynomial 0xad93d23594c93659, reflected, inverted at both ends. */
#ifndef DEDUP_CRC64_H
#define DEDUP_CRC64_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of A followed by data, from the CRC of A (0 where A is empty). Any thread. */
uint64_t dedup_crc64nvme(uint64_t crc, const uint8_t *data, size_t length);

/* The table twin, on every machine. */
uint64_t dedup_crc64nvme_table(uint64_t crc, const uint8_t *data, size_t length);

/* Any length; short ones, which a kernel is not worth or not made for, take a lesser one. */
typedef struct {
    const char *name;
    uint64_t (*extend)(uint64_t crc, const uint8_t *data, size_t length);
} dedup_crc64nvme_driver;

/* What this machine can run, the fastest first: "vpclmul", "pclmul", "table". Returns their number.
 */
#define DEDUP_CRC64_MAX_DRIVERS 3
size_t dedup_crc64nvme_drivers(const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS]);

#endif
