/* No kernel touches a byte outside its buffers: these end, or begin, at pages without access. */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "dedup_crc64.h"
#include "dedup_gear.h"
#include "md5_kernels.h"
#include "sha256_kernels.h"

#define SEED 20261121u
#define ROOM (256u << 10)
#define JOBS 33

static uint8_t *room; /* ROOM bytes with a forbidden page on either side */

static void make_room(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *all = mmap(NULL, ROOM + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(all != MAP_FAILED, "no memory");
    room = all + page;
    CHECK(mprotect(room, ROOM, PROT_READ | PROT_WRITE) == 0, "no access");
}

/* At the front of the room for even turns, at its end for odd ones. */
static uint8_t *place(size_t length, unsigned turn) {
    return turn % 2 == 0 ? room : room + (ROOM - length);
}

static void crc(uint64_t *random) {
    const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS];
    size_t n = dedup_crc64nvme_drivers(drivers);
    for (size_t length = 0; length < 1400; length++) {
        const uint8_t *data = place(length, (unsigned)below(random, 2));
        uint64_t wanted = dedup_crc64nvme_table(0, data, length);
        for (size_t i = 0; i < n; i++) {
            CHECK(drivers[i]->extend(0, data, length) == wanted, "%s, %zu", drivers[i]->name,
                  length);
        }
    }
}

static void scans(uint64_t *random) {
    static dedup_gear gear;
    uint32_t seed[DEDUP_GEAR_SEED_WORDS];
    const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
    size_t n = dedup_gear_drivers(drivers);
    fill_random((uint8_t *)seed, sizeof seed, random);
    dedup_gear_init(&gear, seed, 2048, 8192, 32768, 1u << 17, 1u << 21);
    for (unsigned turn = 0; turn < 1500; turn++) {
        size_t length = 64 + below(random, turn < 1000 ? 12000 : ROOM - 63);
        const uint8_t *data = place(length, turn);
        uint32_t threshold = turn % 3 == 0 ? 1 : 1u << below(random, 26);
        size_t wanted = dedup_gear_scan_scalar(&gear, data, 64, length, threshold);
        for (size_t i = 0; i < n; i++) {
            size_t got = drivers[i]->scan(&gear, data, 64, length, threshold);
            CHECK(got == wanted, "%s: %zu, not %zu of %zu", drivers[i]->name, got, wanted, length);
        }
    }
}

/* All jobs' data end, or begin, at the same place. */
static void sha256(uint64_t *random) {
    static uint8_t out[JOBS][32], wanted[JOBS][32];
    dedup_sha256_job jobs[JOBS];
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_sha256_drivers(drivers);
    for (unsigned turn = 0; turn < 60; turn++) {
        for (unsigned i = 0; i < JOBS; i++) {
            uint64_t length = below(random, 1000);
            jobs[i] = (dedup_sha256_job){(uintptr_t)place(length, turn), length, (uintptr_t)out[i]};
        }
        for (size_t i = n; i-- > 0;) {
            dedup_sha256_batch_with(drivers[i], jobs, JOBS);
            memcpy(wanted, i + 1 == n ? out : wanted, sizeof out);
            CHECK(memcmp(out, wanted, sizeof out) == 0, "%s", drivers[i]->name);
        }
    }
}

static void md5(uint64_t *random) {
    _Alignas(64) static uint32_t states[JOBS][8];
    dedup_update_job jobs[JOBS];
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_md5_drivers(drivers);
    for (unsigned turn = 0; turn < 60; turn++) {
        for (unsigned i = 0; i < JOBS; i++) {
            uint64_t blocks = below(random, 20);
            jobs[i] = (dedup_update_job){(uintptr_t)place(64 * blocks, turn), blocks,
                                         (uintptr_t)states[i]};
        }
        for (size_t i = 0; i < n; i++) {
            dedup_run_updates(drivers[i], jobs, JOBS);
        }
    }
}

/* Digests at the end of the room, in any number. */
static void hmac(void) {
    const uint32_t midstate[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_sha256_drivers(drivers);
    for (size_t count = 0; count <= JOBS; count++) {
        for (size_t i = 0; i < n; i++) {
            for (unsigned turn = 0; turn < 2; turn++) {
                uint8_t *digests = place(32 * count, turn);
                dedup_hmac_sha256_digests_with(drivers[i], midstate, midstate, digests, count,
                                               digests);
            }
        }
    }
}

int main(void) {
    uint64_t random = SEED;
    make_room();
    fill_random(room, ROOM, &random);
    crc(&random);
    scans(&random);
    sha256(&random);
    md5(&random);
    hmac();
    printf("nothing beyond\n");
    return 0;
}
