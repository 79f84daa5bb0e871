/*
 * ISA-L is opened at run time, not linked: a library that was built where ISA-L is installed loads
 * where it isn't, and only parity is then left to the Java twin.
 *
 * ISA-L chooses its kernel by the processor. Where features have been taken away (dedup_cpu.h) its
 * choice would go over that limit, so it is left to choose only where AVX-512 is allowed; else the
 * kernel is named. Tables for named kernels are made coefficient by coefficient, because newer
 * releases' ec_init_tables makes those of the kernel that it would have chosen.
 */
#include "dedup_parity.h"

#include <string.h>

#ifdef DEDUP_ISAL_SONAME
#include <dlfcn.h>
#include <isa-l.h>
#include <pthread.h>
#include <stdbool.h>

#include "dedup_cpu.h"

#define TABLE_BYTES 32
#define MAX_COEFFICIENTS (DEDUP_PARITY_MAX_FRAGMENTS / 2 * (DEDUP_PARITY_MAX_FRAGMENTS / 2))
/* Inputs of one piece stay in the second cache when there are more rows than one pass takes. */
#define PIECE_BYTES ((size_t)64 << 10)
#define DIFFERENCE_BYTES ((size_t)8 << 10)

typedef __typeof__(ec_init_tables) *init_function;
typedef __typeof__(ec_encode_data) *encode_function;
typedef __typeof__(ec_encode_data_update) *update_function;
typedef __typeof__(gf_vect_mul_init) *coefficient_function;

typedef struct {
    const char *name;
    init_function init; /* NULL: coefficient by coefficient */
    encode_function encode;
    update_function update;
} driver;

static pthread_once_t opening = PTHREAD_ONCE_INIT;
static driver drivers[DEDUP_PARITY_MAX_DRIVERS];
static size_t driver_count;
static coefficient_function init_coefficient;

/* Object to function pointer as POSIX has it. */
static void find(void *isal, const char *symbol, void *function) {
    void *found = dlsym(isal, symbol);
    memcpy(function, &found, sizeof found);
}

static void add(void *isal, const char *name, const char *encode, const char *update) {
    driver *d = &drivers[driver_count];
    d->name = name;
    find(isal, encode, &d->encode);
    find(isal, update, &d->update);
    if (d->encode != NULL && d->update != NULL) {
        driver_count++;
    }
}

static void open_isal(void) {
    void *isal = dlopen(DEDUP_ISAL_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (isal == NULL) {
        return;
    }
    bool chooses = true;
    init_function init;
    find(isal, "ec_init_tables", &init);
    find(isal, "gf_vect_mul_init", &init_coefficient);
    if (init == NULL || init_coefficient == NULL) {
        return;
    }
#ifdef DEDUP_X86
    const dedup_cpu *cpu = dedup_cpu_features();
    chooses = cpu->avx512;
#elif defined(DEDUP_PORTABLE_ONLY)
    chooses = false;
#endif
    if (chooses) {
        add(isal, "isal", "ec_encode_data", "ec_encode_data_update");
        drivers[0].init = driver_count == 1 ? init : NULL;
    }
#ifdef DEDUP_X86
    if (cpu->avx2) {
        add(isal, "isal-avx2", "ec_encode_data_avx2", "ec_encode_data_update_avx2");
    }
    if (cpu->sha || cpu->pclmul) { /* and with it SSSE3 and SSE4.1 */
        add(isal, "isal-sse", "ec_encode_data_sse", "ec_encode_data_update_sse");
    }
#endif
    add(isal, "isal-base", "ec_encode_data_base", "ec_encode_data_update_base");
}

static const driver *driver_at(size_t index) {
    (void)pthread_once(&opening, open_isal);
    return &drivers[index < driver_count ? index : 0];
}

size_t dedup_parity_driver_names(const char *names[DEDUP_PARITY_MAX_DRIVERS]) {
    (void)pthread_once(&opening, open_isal);
    for (size_t i = 0; i < driver_count; i++) {
        names[i] = drivers[i].name;
    }
    return driver_count;
}

static void make_tables(const driver *d, const uint8_t *matrix, unsigned rows, unsigned columns,
                        uint8_t *tables) {
    if (d->init != NULL) {
        uint8_t copy[MAX_COEFFICIENTS];
        memcpy(copy, matrix, rows * columns); /* which ISA-L would not change, but does not promise */
        d->init((int)columns, (int)rows, copy, tables);
        return;
    }
    for (unsigned i = 0; i < rows * columns; i++) {
        init_coefficient(matrix[i], tables + i * TABLE_BYTES);
    }
}

void dedup_parity_multiply(size_t index, const uint8_t *matrix, unsigned rows, unsigned columns,
                           uint8_t *const *in, uint8_t *const *out, size_t length) {
    const driver *d = driver_at(index);
    _Alignas(64) uint8_t tables[MAX_COEFFICIENTS * TABLE_BYTES];
    make_tables(d, matrix, rows, columns, tables);
    for (size_t at = 0; at < length; at += PIECE_BYTES) {
        uint8_t *from[DEDUP_PARITY_MAX_FRAGMENTS], *to[DEDUP_PARITY_MAX_FRAGMENTS];
        size_t piece = length - at < PIECE_BYTES ? length - at : PIECE_BYTES;
        for (unsigned c = 0; c < columns; c++) {
            from[c] = in[c] + at;
        }
        for (unsigned r = 0; r < rows; r++) {
            to[r] = out[r] + at;
        }
        d->encode((int)piece, (int)columns, (int)rows, tables, from, to);
    }
}

static void subtract(const uint8_t *before, const uint8_t *after, uint8_t *difference, size_t n) {
    for (size_t i = 0; i < n; i++) {
        difference[i] = before[i] ^ after[i];
    }
}

void dedup_parity_update(size_t index, const uint8_t *column, unsigned rows, const uint8_t *before,
                         const uint8_t *after, uint8_t *const *out, size_t length) {
    const driver *d = driver_at(index);
    _Alignas(64) uint8_t tables[DEDUP_PARITY_MAX_FRAGMENTS * TABLE_BYTES];
    _Alignas(64) uint8_t difference[DIFFERENCE_BYTES];
    make_tables(d, column, rows, 1, tables);
    for (size_t at = 0; at < length; at += DIFFERENCE_BYTES) {
        uint8_t *to[DEDUP_PARITY_MAX_FRAGMENTS];
        size_t piece = length - at < DIFFERENCE_BYTES ? length - at : DIFFERENCE_BYTES;
        for (unsigned r = 0; r < rows; r++) {
            to[r] = out[r] + at;
        }
        if (before == NULL) {
            memcpy(difference, after + at, piece);
        } else {
            subtract(before + at, after + at, difference, piece);
        }
        d->update((int)piece, 1, (int)rows, 0, tables, difference, to);
    }
}

#else

size_t dedup_parity_driver_names(const char *names[DEDUP_PARITY_MAX_DRIVERS]) {
    (void)names;
    return 0;
}

void dedup_parity_multiply(size_t index, const uint8_t *matrix, unsigned rows, unsigned columns,
                           uint8_t *const *in, uint8_t *const *out, size_t length) {
    (void)index, (void)matrix, (void)rows, (void)columns, (void)in, (void)out, (void)length;
}

void dedup_parity_update(size_t index, const uint8_t *column, unsigned rows, const uint8_t *before,
                         const uint8_t *after, uint8_t *const *out, size_t length) {
    (void)index, (void)column, (void)rows, (void)before, (void)after, (void)out, (void)length;
}

#endif
