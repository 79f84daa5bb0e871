#include "check.h"
#include "dedup_gear.h"

#define SEED 20261103u
#define MAX_CUTS 4096

/* The definition, word for word: 64 bytes, weights 2^k, no state. */
static uint32_t hash_at(const dedup_gear *gear, const uint8_t *data, size_t i) {
    uint32_t h = 0;
    for (unsigned k = 0; k < 32; k++) {
        h += (gear->table[data[i - 2 * k]] + gear->table[data[i - 2 * k - 1]]) << k;
    }
    return h;
}

static size_t scan_by_definition(const dedup_gear *gear, const uint8_t *data, size_t from,
                                 size_t to, uint32_t threshold) {
    for (size_t i = from; i < to; i++) {
        if (hash_at(gear, data, i) < threshold) {
            return i;
        }
    }
    return to;
}

static void fill(uint8_t *data, size_t length, unsigned kind, uint64_t *random) {
    uint8_t period[64];
    size_t n = 1 + below(random, 64);
    fill_random(period, sizeof period, random);
    for (size_t i = 0; i < length; i++) {
        switch (kind) {
        case 0:
            data[i] = (uint8_t)next_random(random);
            break;
        case 1:
            data[i] = (uint8_t) "etaoin shrdlu\n,."[below(random, 16)];
            break;
        case 2:
            data[i] = 0;
            break;
        case 3:
            data[i] = period[i % n];
            break;
        default:
            data[i] = below(random, 16) == 0 ? (uint8_t)next_random(random) : 0;
            break;
        }
    }
}

static void compare_scan(const char *name, dedup_gear_scan scan, const dedup_gear *gear,
                         uint64_t *random) {
    for (unsigned round = 0; round < 400; round++) {
        size_t length = 64 + below(random, round < 300 ? 20000 : 100000);
        uint8_t *data = exact(length);
        fill(data, length, round % 5, random);
        size_t from = 64 + below(random, length - 63);
        size_t to = from + below(random, length - from + 1);
        /* From hardly any to very many candidates, and the extremes. */
        uint32_t threshold = round % 50 == 49 ? UINT32_MAX : 1u << below(random, 32);
        size_t wanted = dedup_gear_scan_scalar(gear, data, from, to, threshold);
        size_t got = scan(gear, data, from, to, threshold);
        CHECK(got == wanted, "%s: %zu, not %zu in [%zu, %zu) below %u, round %u, seed %u", name,
              got, wanted, from, to, threshold, round, SEED);
        if (round % 8 == 0) {
            wanted = scan_by_definition(gear, data, from, to, threshold);
            CHECK(got == wanted, "%s: %zu, by definition %zu, round %u", name, got, wanted, round);
        }
        free(data);
    }
}

static void affine_forms(const dedup_gear *gear) {
    for (unsigned b = 0; b < 256; b++) {
        for (unsigned k = 0; k < 4; k++) {
            uint8_t wanted = (uint8_t)(gear->table[b] >> (8 * k));
            CHECK((gear->low[k][b & 15] ^ gear->high[k][b >> 4]) == wanted, "nibbles of %u", b);
            uint8_t affine = gear->constant[k];
            for (unsigned bit = 0; bit < 8; bit++) {
                uint8_t row = (uint8_t)(gear->matrix[k] >> (8 * (7 - bit)));
                affine ^= (uint8_t)(__builtin_parity(row & b) << bit);
            }
            CHECK(affine == wanted, "matrix of %u", b);
        }
    }
}

/* Cuts of the whole input against cuts of windows that grow and slide. */
static void compare_windows(const dedup_gear *gear, uint64_t *random) {
    static int32_t whole[MAX_CUTS], some[8];
    for (unsigned round = 0; round < 10; round++) {
        size_t length = below(random, 3u << 20);
        uint8_t *data = exact(length);
        fill(data, length, round % 5, random);
        size_t n = dedup_gear_cuts(gear, data, length, true, whole, MAX_CUTS);
        size_t at = 0, seen = 0, i = 0, total = 0;
        while (at < length) {
            seen += below(random, 200000);
            seen = seen < length ? seen : length;
            size_t found = dedup_gear_cuts(gear, data + at, seen - at, seen == length, some, 8);
            CHECK(found > 0 || seen - at < gear->max, "stuck at %zu", at);
            for (size_t j = 0; j < found; j++, i++) {
                CHECK(i < n && some[j] == whole[i], "cut %zu of round %u, seed %u", i, round, SEED);
                at += (size_t)some[j];
            }
        }
        CHECK(i == n, "%zu cuts, not %zu", i, n);
        for (size_t j = 0; j < n; j++) {
            bool last = j + 1 == n;
            CHECK((uint32_t)whole[j] <= gear->max && (last || (uint32_t)whole[j] >= gear->min),
                  "length %d", whole[j]);
            total += (size_t)whole[j];
        }
        CHECK(total == length, "%zu of %zu bytes", total, length);
        free(data);
    }
}

int main(void) {
    uint64_t random = SEED;
    static dedup_gear gear;
    const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
    size_t n = dedup_gear_drivers(drivers);
    for (unsigned avg_bits = 13; avg_bits <= 16; avg_bits++) {
        uint32_t seed[DEDUP_GEAR_SEED_WORDS], avg = 1u << avg_bits;
        fill_random((uint8_t *)seed, sizeof seed, &random);
        dedup_gear_init(&gear, seed, avg / 4, avg, avg * 4, 1u << (30 - avg_bits),
                        1u << (34 - avg_bits));
        affine_forms(&gear);
        for (size_t i = 0; i < n; i++) {
            compare_scan(drivers[i]->name, drivers[i]->scan, &gear, &random);
        }
        compare_windows(&gear, &random);
    }
    printf("%s\n", drivers[0]->name);
    return 0;
}
