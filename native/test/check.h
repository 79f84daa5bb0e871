/* What the tests share: a check that names its place, and a generator with a printed seed. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: " #condition ": ", __FILE__, __LINE__);                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* splitmix64 */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint64_t below(uint64_t *state, uint64_t bound) {
    return next_random(state) % bound;
}

static inline void fill_random(uint8_t *p, size_t length, uint64_t *state) {
    for (size_t i = 0; i < length; i++) {
        p[i] = (uint8_t)next_random(state);
    }
}

/* Exactly as long as said, so that a sanitizer sees any read beyond. */
static inline uint8_t *exact(size_t length) {
    uint8_t *p = malloc(length > 0 ? length : 1);
    CHECK(p != NULL, "no memory");
    return p;
}

static inline void hex(const uint8_t *p, size_t length, char *out) {
    for (size_t i = 0; i < length; i++) {
        sprintf(out + 2 * i, "%02x", p[i]);
    }
}

#endif
