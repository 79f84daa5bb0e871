#include "check.h"
#include "crc64_kernels.h"
#include "dedup_cpu.h"
#include "dedup_crc64.h"

#define SEED 20261102u

int main(void) {
    const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS];
    size_t n = dedup_crc64nvme_drivers(drivers);
    const uint8_t *digits = (const uint8_t *)"123456789";
    CHECK(dedup_crc64nvme(0, digits, 9) == 0xae8b14860a799888u, "check value");
    CHECK(dedup_crc64nvme(0, digits, 0) == 0, "of nothing");
    uint64_t random = SEED;
    for (size_t length = 0; length < 1200; length++) {
        uint8_t *data = exact(length);
        fill_random(data, length, &random);
        uint64_t before = next_random(&random);
        uint64_t wanted = before;
        for (size_t i = 0; i < length; i++) {
            wanted = dedup_crc64nvme_table(wanted, data + i, 1);
        }
        CHECK(dedup_crc64nvme_table(before, data, length) == wanted, "table, %zu bytes", length);
        CHECK(dedup_crc64nvme(before, data, length) == wanted, "%zu bytes, seed %u", length, SEED);
        for (size_t i = 0; i < n; i++) {
            CHECK(drivers[i]->extend(before, data, length) == wanted, "%s, %zu bytes, seed %u",
                  drivers[i]->name, length, SEED);
        }
#ifdef DEDUP_X86
        /* Also where the drivers do not think them worth it. */
        if (dedup_cpu_features()->vpclmul && length >= 64) {
            CHECK(~dedup_crc64_vpclmul(~before, data, length) == wanted, "vpclmul, %zu bytes",
                  length);
        }
        if (dedup_cpu_features()->pclmul && length >= 16) {
            CHECK(~dedup_crc64_pclmul(~before, data, length) == wanted, "pclmul, %zu bytes",
                  length);
        }
#endif
        size_t half = length / 3;
        uint64_t pieces =
            dedup_crc64nvme(dedup_crc64nvme(before, data, half), data + half, length - half);
        CHECK(pieces == wanted, "in pieces, %zu bytes", length);
        free(data);
    }
    printf("%s\n", drivers[0]->name);
    return 0;
}
