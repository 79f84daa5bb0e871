#include "check.h"
#include "crc64_kernels.h"
#include "dedup_cpu.h"
#include "dedup_crc64.h"

#define SEED 20261102u

int main(void) {
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
#ifdef DEDUP_X86
        if (dedup_cpu_features()->pclmul && length >= 64) {
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
    printf("%s\n", dedup_crc64nvme_driver());
    return 0;
}
