/* Rates of the kernels in cache, best of several: cmake --build DIR --target dedup_native_bench. */
#include <time.h>

#include "check.h"
#include "dedup_crc64.h"
#include "dedup_gear.h"
#include "md5_kernels.h"
#include "sha256_kernels.h"

#define BYTES (2u << 20)
#define ROUNDS 25

static uint8_t *data;
static dedup_gear gear;
static const dedup_lane_kernels *kernels;
static size_t jobs_count;
static volatile uint64_t sink;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *name, void (*work)(void), double bytes) {
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now();
        work();
        double took = now() - start;
        best = took < best ? took : best;
    }
    printf("%-40s %8.2f GB/s\n", name, bytes / best / 1e9);
}

static const dedup_gear_driver *driver;
static void raw_scan(void) {
    sink += driver->scan(&gear, data, 64, BYTES, 0x1);
}
static void cuts(void) {
    static int32_t lengths[1024];
    sink += dedup_gear_cuts_with(driver, &gear, data, BYTES, true, lengths, 1024);
}
static void batch(void) {
    static uint8_t out[64][32];
    dedup_sha256_job jobs[64];
    size_t each = 64 << 10;
    for (size_t i = 0; i < jobs_count; i++) {
        jobs[i] = (dedup_sha256_job){(uintptr_t)(data + (i % 32) * each), each, (uintptr_t)out[i]};
    }
    dedup_sha256_batch_with(kernels, jobs, jobs_count);
}
static const dedup_lane_kernels *md5;
static void md5_updates(void) {
    static uint32_t states[32][8];
    dedup_update_job jobs[32];
    for (size_t i = 0; i < jobs_count; i++) {
        jobs[i] = (dedup_update_job){(uintptr_t)(data + i * (65 << 9)), 512, (uintptr_t)states[i]};
    }
    dedup_run_updates(md5, jobs, jobs_count);
}
static void hmac(void) {
    uint32_t state[8] = {1};
    dedup_hmac_sha256_digests_with(kernels, state, state, data, 1600, data);
}
static void crc(void) {
    sink += dedup_crc64nvme(0, data, 64 << 10);
}
static void crc_table(void) {
    sink += dedup_crc64nvme_table(0, data, 64 << 10);
}

int main(void) {
    uint64_t random = 1;
    uint32_t seed[DEDUP_GEAR_SEED_WORDS];
    data = exact(BYTES);
    fill_random(data, BYTES, &random);
    fill_random((uint8_t *)seed, sizeof seed, &random);
    dedup_gear_init(&gear, seed, 16 << 10, 64 << 10, 256 << 10, 1 << 14, 1 << 18);
    const dedup_gear_driver *scans[DEDUP_GEAR_MAX_DRIVERS];
    size_t scans_count = dedup_gear_drivers(scans);
    for (size_t i = 0; i < scans_count; i++) {
        char name[64];
        driver = scans[i];
        snprintf(name, sizeof name, "gear raw, %s", driver->name);
        measure(name, raw_scan, BYTES);
        snprintf(name, sizeof name, "gear cuts, average 65536, %s", driver->name);
        measure(name, cuts, BYTES);
    }
    driver = scans[0];
    for (unsigned bits = 13; bits <= 16; bits++) {
        uint32_t avg = 1u << bits;
        char name[32];
        dedup_gear_init(&gear, seed, avg / 4, avg, avg * 4, 1u << (30 - bits), 1u << (34 - bits));
        snprintf(name, sizeof name, "gear cuts, average %u", avg);
        measure(name, cuts, BYTES);
    }
    kernels = dedup_sha256_best();
    for (jobs_count = 1; jobs_count <= 32; jobs_count++) {
        char name[64];
        snprintf(name, sizeof name, "sha256 %zu x 64 KiB", jobs_count);
        measure(name, batch, (double)jobs_count * (64 << 10));
    }
    const dedup_lane_kernels *drivers[DEDUP_MAX_DRIVERS];
    size_t n = dedup_sha256_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        char name[64];
        kernels = drivers[i];
        jobs_count = 16;
        snprintf(name, sizeof name, "sha256 16 x 64 KiB, %s", kernels->name);
        measure(name, batch, 16 * (64 << 10));
        double best = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            double start = now();
            hmac();
            best = now() - start < best ? now() - start : best;
        }
        printf("hmac %.1f ns\n", best / 1600 * 1e9);
    }
    md5 = dedup_md5_best();
    for (jobs_count = 1; jobs_count <= 32; jobs_count += jobs_count < 9 ? 1 : 7) {
        char name[64];
        snprintf(name, sizeof name, "md5 %zu x 32 KiB", jobs_count);
        measure(name, md5_updates, (double)jobs_count * 32768);
    }
    n = dedup_md5_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        char name[64];
        md5 = drivers[i];
        jobs_count = 32;
        snprintf(name, sizeof name, "md5 32 x 32 KiB, %s", md5->name);
        measure(name, md5_updates, 32 * 32768);
    }
    measure("crc64 64 KiB", crc, 64 << 10);
    measure("crc64 table 64 KiB", crc_table, 64 << 10);
    return 0;
}
