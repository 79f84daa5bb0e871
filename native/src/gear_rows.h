/*
 * The vector scan, included by one file per instruction set, which defines before
 *   planes_setup  a type, and  setup(gear)  to make it;
 *   plane(s, k, x)  byte k of G of each byte of x.
 *
 * Eight neighbouring rows run side by side, one per 32-bit lane, each over its own hash state. A
 * row is warmed up on the 64 bytes before it, so its hashes are exact. Only the minimum of each
 * lane's hashes is kept, per group of 64 columns; the first lane and group with a minimum below the
 * threshold is scanned again by the scalar twin to find the byte. Reads stay in [from - 64, to).
 *
 * Four columns of eight rows are handled as one vector: bytes are ordered so that interleaving the
 * four result bytes gives one vector of G per column.
 */
#include <immintrin.h>

#define ROWS 8
#define GROUP 64
#define MAX_COLUMNS 1024
#define MIN_COLUMNS 128
#define AHEAD (ROWS * MAX_COLUMNS)

typedef struct {
    __m256i even, odd, last;
} chains;

/* Sixteen columns of the eight rows at p, p + stride, ...: four vectors of four columns each. */
static inline void load_columns(__m256i x[4], const uint8_t *p, size_t stride) {
    const __m256i order = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0,
                                           4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m256i r[4];
    for (int i = 0; i < 4; i++) {
        const uint8_t *row = p + (size_t)i * stride;
        r[i] =
            _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)row)),
                                    _mm_loadu_si128((const __m128i *)(row + 4 * stride)), 1);
    }
    __m256i a = _mm256_unpacklo_epi32(r[0], r[1]), b = _mm256_unpackhi_epi32(r[0], r[1]);
    __m256i c = _mm256_unpacklo_epi32(r[2], r[3]), d = _mm256_unpackhi_epi32(r[2], r[3]);
    x[0] = _mm256_shuffle_epi8(_mm256_unpacklo_epi64(a, c), order);
    x[1] = _mm256_shuffle_epi8(_mm256_unpackhi_epi64(a, c), order);
    x[2] = _mm256_shuffle_epi8(_mm256_unpacklo_epi64(b, d), order);
    x[3] = _mm256_shuffle_epi8(_mm256_unpackhi_epi64(b, d), order);
}

/* Four columns of x through both chains; returns the smaller of smallest and their hashes. */
static inline __m256i step(const planes_setup *s, chains *h, __m256i x, __m256i smallest) {
    __m256i p0 = plane(s, 0, x), p1 = plane(s, 1, x), p2 = plane(s, 2, x), p3 = plane(s, 3, x);
    __m256i lo01 = _mm256_unpacklo_epi8(p0, p1), hi01 = _mm256_unpackhi_epi8(p0, p1);
    __m256i lo23 = _mm256_unpacklo_epi8(p2, p3), hi23 = _mm256_unpackhi_epi8(p2, p3);
    __m256i g0 = _mm256_unpacklo_epi16(lo01, lo23), g1 = _mm256_unpackhi_epi16(lo01, lo23);
    __m256i g2 = _mm256_unpacklo_epi16(hi01, hi23), g3 = _mm256_unpackhi_epi16(hi01, hi23);
    __m256i even =
        _mm256_add_epi32(_mm256_add_epi32(h->even, h->even), _mm256_add_epi32(g0, h->last));
    __m256i odd = _mm256_add_epi32(_mm256_add_epi32(h->odd, h->odd), _mm256_add_epi32(g1, g0));
    smallest = _mm256_min_epu32(smallest, _mm256_min_epu32(even, odd));
    even = _mm256_add_epi32(_mm256_add_epi32(even, even), _mm256_add_epi32(g2, g1));
    odd = _mm256_add_epi32(_mm256_add_epi32(odd, odd), _mm256_add_epi32(g3, g2));
    *h = (chains){even, odd, g3};
    return _mm256_min_epu32(smallest, _mm256_min_epu32(even, odd));
}

/* 64 columns of the eight rows: the minima of their hashes. */
static inline __m256i group(const planes_setup *s, chains *h, const uint8_t *p, size_t stride) {
    __m256i smallest = _mm256_set1_epi32(-1);
    for (int i = 0; i < GROUP; i += 16) {
        __m256i x[4];
        load_columns(x, p + i, stride);
        smallest = step(s, h, x[0], smallest);
        smallest = step(s, h, x[1], smallest);
        smallest = step(s, h, x[2], smallest);
        smallest = step(s, h, x[3], smallest);
    }
    return smallest;
}

/* Lanes whose minimum is below the threshold, one bit each; below = threshold - 1. */
static inline unsigned lanes_below(__m256i smallest, __m256i below) {
    __m256i hit = _mm256_cmpeq_epi32(_mm256_min_epu32(smallest, below), smallest);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(hit));
}

/*
 * As many bytes as a group takes. Eight short rows are no stream that a processor would see by
 * itself: out of the caches this makes the scan up to half as fast again. It is no access: nothing
 * happens where there is no memory.
 */
static inline void prefetch(const uint8_t *data, size_t from) {
    for (size_t i = 0; i < ROWS; i++) {
        _mm_prefetch((const char *)((uintptr_t)data + from + i * GROUP), _MM_HINT_T0);
    }
}

/* Rows short enough that a hit, when one is due, does not leave most of the work in vain. */
static size_t columns_worth(uint32_t threshold) {
    uint64_t distance = ((uint64_t)1 << 32) / threshold;
    size_t columns = MAX_COLUMNS;
    while (columns > MIN_COLUMNS && ROWS * columns > distance) {
        columns >>= 1;
    }
    return columns;
}

static size_t scan_rows(const dedup_gear *gear, const uint8_t *data, size_t from, size_t to,
                        uint32_t threshold) {
    const planes_setup s = setup(gear);
    const __m256i below = _mm256_set1_epi32((int)(threshold - 1));
    __m256i smallest[MAX_COLUMNS / GROUP];
    size_t columns = columns_worth(threshold);
    while (from < to) {
        while (columns >= MIN_COLUMNS && ROWS * columns > to - from) {
            columns >>= 1;
        }
        if (columns < MIN_COLUMNS) {
            return dedup_gear_scan_scalar(gear, data, from, to, threshold);
        }
        chains h = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
        (void)group(&s, &h, data + from - GROUP, columns);
        __m256i all = _mm256_set1_epi32(-1);
        for (size_t i = 0; i < columns / GROUP; i++) {
            prefetch(data, from + AHEAD + i * ROWS * GROUP);
            smallest[i] = group(&s, &h, data + from + i * GROUP, columns);
            all = _mm256_min_epu32(all, smallest[i]);
        }
        unsigned hits = lanes_below(all, below);
        if (hits != 0) {
            unsigned lane = (unsigned)__builtin_ctz(hits);
            size_t i = 0;
            while (!(lanes_below(smallest[i], below) >> lane & 1)) {
                i++;
            }
            size_t at = from + lane * columns + i * GROUP;
            return dedup_gear_scan_scalar(gear, data, at, at + GROUP, threshold);
        }
        from += ROWS * columns;
    }
    return to;
}
