/* Rates of the kernels in cache, best of several: cmake --build DIR --target dedup_native_bench. */
#include <time.h>

#include "check.h"
#include "dedup_cpu.h"
#include "dedup_crc64.h"
#include "dedup_gear.h"
#include "md5_kernels.h"
#include "sha256_kernels.h"

#define BYTES (2u << 20)
#define ROUNDS 25

static uint8_t *data;
static dedup_gear gear;
static const dedup_sha256_kernels *kernels;
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

static dedup_gear_scan scan;
static void raw_scan(void) {
    sink += scan(&gear, data, 64, BYTES, 0x1);
}
static void cuts(void) {
    static int32_t lengths[1024];
    sink += dedup_gear_cuts(&gear, data, BYTES, true, lengths, 1024);
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
    dedup_hmac_sha256_digests(state, state, data, 1600, data);
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
    scan = dedup_gear_scan_scalar;
    measure("gear raw scalar", raw_scan, BYTES);
#ifdef DEDUP_X86
    if (dedup_cpu_features()->avx2) {
        scan = dedup_gear_scan_avx2;
        measure("gear raw avx2", raw_scan, BYTES);
    }
    if (dedup_cpu_features()->gfni) {
        scan = dedup_gear_scan_gfni;
        measure("gear raw gfni", raw_scan, BYTES);
    }
#endif
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
    dedup_sha256_kernels portable = {{"portable", 8, 0, 0, dedup_sha256_portable, NULL, NULL, NULL},
                                     NULL};
    kernels = &portable;
    jobs_count = 8;
    measure("sha256 portable", batch, 8 * (64 << 10));
    md5 = dedup_md5_best();
    for (jobs_count = 1; jobs_count <= 32; jobs_count += jobs_count < 9 ? 1 : 7) {
        char name[64];
        snprintf(name, sizeof name, "md5 %zu x 32 KiB", jobs_count);
        measure(name, md5_updates, (double)jobs_count * 32768);
    }
#ifdef DEDUP_X86
    dedup_lane_kernels avx2 = {"avx2-x8",         4,   0, 2, dedup_md5_portable, NULL,
                               dedup_md5_avx2_x8, NULL};
    if (dedup_cpu_features()->avx2) {
        md5 = &avx2;
        jobs_count = 8;
        measure("md5 avx2 8 x 32 KiB", md5_updates, 8 * 32768);
    }
#endif
    double start = now();
    hmac();
    start = now();
    hmac();
    printf("hmac %.1f ns\n", (now() - start) / 1600 * 1e9);
    measure("crc64 64 KiB", crc, 64 << 10);
    measure("crc64 table 64 KiB", crc_table, 64 << 10);
    return 0;
}
