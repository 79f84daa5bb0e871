/* All drivers against the definition, with every buffer ending right before a page that traps. */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "dedup_parity.h"

#define SEED 20261121u
#define MAX_LENGTH 200000u

static uint8_t products[256][256];

static uint8_t product(uint8_t a, uint8_t b) {
    return products[a][b];
}

static uint8_t product_by_definition(uint8_t a, uint8_t b) {
    unsigned p = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        p ^= (b >> bit & 1u) * ((unsigned)a << bit);
    }
    for (unsigned bit = 14; bit >= 8; bit--) {
        p ^= (p >> bit & 1u) * (0x11du << (bit - 8));
    }
    return (uint8_t)p;
}

typedef struct {
    uint8_t *pages;
    size_t size;
} guarded;

static guarded guard(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (MAX_LENGTH + page - 1) / page * page;
    uint8_t *pages = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          -1, 0);
    CHECK(pages != MAP_FAILED, "no memory");
    CHECK(mprotect(pages + size, page, PROT_NONE) == 0, "no guard");
    return (guarded){pages, size};
}

static uint8_t *last(const guarded *g, size_t length) {
    return g->pages + g->size - length;
}

static guarded areas[DEDUP_PARITY_MAX_FRAGMENTS + 1];

static void check_multiply(size_t driver, const char *name, size_t length, uint64_t *random) {
    unsigned rows = 1 + (unsigned)below(random, 16), columns = 1 + (unsigned)below(random, 16);
    uint8_t matrix[256];
    uint8_t *in[DEDUP_PARITY_MAX_FRAGMENTS], *out[DEDUP_PARITY_MAX_FRAGMENTS];
    fill_random(matrix, sizeof matrix, random);
    for (unsigned i = 0; i < columns; i++) {
        in[i] = last(&areas[i], length);
        fill_random(in[i], length, random);
    }
    for (unsigned i = 0; i < rows; i++) {
        out[i] = last(&areas[columns + i], length);
        memset(out[i], 0xa5, length);
        out[i][-1] = 0x77;
    }
    dedup_parity_multiply(driver, matrix, rows, columns, in, out, length);
    for (unsigned r = 0; r < rows; r++) {
        CHECK(out[r][-1] == 0x77, "%s wrote before the output, %zu bytes", name, length);
        for (size_t i = 0; i < length; i++) {
            uint8_t wanted = 0;
            for (unsigned c = 0; c < columns; c++) {
                wanted ^= product(matrix[r * columns + c], in[c][i]);
            }
            CHECK(out[r][i] == wanted, "%s, %u x %u, byte %zu of %zu, seed %u", name, rows, columns,
                  i, length, SEED);
        }
    }
}

static void check_update(size_t driver, const char *name, size_t length, uint64_t *random) {
    unsigned rows = 1 + (unsigned)below(random, 31);
    uint8_t column[DEDUP_PARITY_MAX_FRAGMENTS];
    uint8_t *out[DEDUP_PARITY_MAX_FRAGMENTS];
    uint8_t *before = below(random, 2) ? last(&areas[31], length) : NULL;
    uint8_t *after = last(&areas[32], length);
    uint8_t *old = exact(rows * length);
    fill_random(column, sizeof column, random);
    fill_random(after, length, random);
    fill_random(old, rows * length, random);
    if (before != NULL) {
        fill_random(before, length, random);
    }
    for (unsigned r = 0; r < rows; r++) {
        out[r] = last(&areas[r], length);
        memcpy(out[r], old + r * length, length);
    }
    dedup_parity_update(driver, column, rows, before, after, out, length);
    for (unsigned r = 0; r < rows; r++) {
        for (size_t i = 0; i < length; i++) {
            uint8_t change = after[i] ^ (before != NULL ? before[i] : 0);
            CHECK(out[r][i] == (old[r * length + i] ^ product(column[r], change)),
                  "%s, update of %u, byte %zu of %zu, seed %u", name, rows, i, length, SEED);
        }
    }
    free(old);
}

int main(void) {
    for (unsigned i = 0; i < sizeof products; i++) {
        products[i >> 8][i & 255] = product_by_definition((uint8_t)(i >> 8), (uint8_t)i);
    }
    const char *names[DEDUP_PARITY_MAX_DRIVERS];
    size_t n = dedup_parity_driver_names(names);
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        areas[i] = guard();
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t random = SEED;
        for (size_t length = 0; length < 300; length++) {
            check_multiply(i, names[i], length, &random);
            check_update(i, names[i], length, &random);
        }
        size_t lengths[] = {8191, 8192, 8193, 65535, 65536, 65537};
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            check_update(i, names[i], lengths[l], &random);
            check_multiply(i, names[i], lengths[l], &random);
        }
    }
    printf("%s\n", n > 0 ? names[0] : "none");
    return 0;
}
