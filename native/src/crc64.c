#include "dedup_crc64.h"

#include <stdatomic.h>
#include <string.h>

#include "crc64_kernels.h"
#include "dedup_cpu.h"

#define POLYNOMIAL 0x9a6c9329ac4bc9b5u /* reflected */
#define SLICES 8
#define PCLMUL_WORTH 16
#define VPCLMUL_WORTH 256

static uint64_t table[SLICES][256];
static atomic_int table_state; /* 0 not begun, 1 running, 2 done */

static void fill_table(void) {
    for (unsigned b = 0; b < 256; b++) {
        uint64_t crc = b;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (-(crc & 1) & POLYNOMIAL);
        }
        table[0][b] = crc;
    }
    for (unsigned slice = 1; slice < SLICES; slice++) {
        for (unsigned b = 0; b < 256; b++) {
            uint64_t before = table[slice - 1][b];
            table[slice][b] = table[0][before & 0xff] ^ before >> 8;
        }
    }
}

static void need_table(void) {
    int expected = 0;
    if (atomic_load_explicit(&table_state, memory_order_acquire) == 2) {
        return;
    }
    if (atomic_compare_exchange_strong(&table_state, &expected, 1)) {
        fill_table();
        atomic_store_explicit(&table_state, 2, memory_order_release);
    }
    while (atomic_load_explicit(&table_state, memory_order_acquire) != 2) {
        /* Another thread is filling it; that takes microseconds. */
    }
}

uint64_t dedup_crc64_raw(uint64_t crc, const uint8_t *data, size_t length) {
    need_table();
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; length >= 8; length -= 8, data += 8) {
        uint64_t v;
        memcpy(&v, data, sizeof v);
        v ^= crc;
        crc = table[7][v & 0xff] ^ table[6][v >> 8 & 0xff] ^ table[5][v >> 16 & 0xff] ^
              table[4][v >> 24 & 0xff] ^ table[3][v >> 32 & 0xff] ^ table[2][v >> 40 & 0xff] ^
              table[1][v >> 48 & 0xff] ^ table[0][v >> 56];
    }
#endif
    for (; length > 0; length--, data++) {
        crc = table[0][(crc ^ *data) & 0xff] ^ crc >> 8;
    }
    return crc;
}

uint64_t dedup_crc64nvme_table(uint64_t crc, const uint8_t *data, size_t length) {
    return ~dedup_crc64_raw(~crc, data, length);
}

#ifdef DEDUP_X86
static uint64_t with_pclmul(uint64_t crc, const uint8_t *data, size_t length) {
    return length >= PCLMUL_WORTH ? ~dedup_crc64_pclmul(~crc, data, length)
                                  : dedup_crc64nvme_table(crc, data, length);
}

static uint64_t with_vpclmul(uint64_t crc, const uint8_t *data, size_t length) {
    return length >= VPCLMUL_WORTH ? ~dedup_crc64_vpclmul(~crc, data, length)
                                   : with_pclmul(crc, data, length);
}

static const dedup_crc64nvme_driver vpclmul = {"vpclmul", with_vpclmul};
static const dedup_crc64nvme_driver pclmul = {"pclmul", with_pclmul};
#endif
static const dedup_crc64nvme_driver slices = {"table", dedup_crc64nvme_table};

size_t dedup_crc64nvme_drivers(const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS]) {
    size_t n = 0;
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    if (cpu->vpclmul) {
        drivers[n++] = &vpclmul;
    }
    if (cpu->pclmul) {
        drivers[n++] = &pclmul;
    }
#endif
    drivers[n++] = &slices;
    return n;
}

uint64_t dedup_crc64nvme(uint64_t crc, const uint8_t *data, size_t length) {
    const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS];
    (void)dedup_crc64nvme_drivers(drivers);
    return drivers[0]->extend(crc, data, length);
}
