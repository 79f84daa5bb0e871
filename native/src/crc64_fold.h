/*
 * Folding by carry-less multiplication, after Gopal et al., "Fast CRC Computation for Generic
 * Polynomials Using PCLMULQDQ" (Intel, 2009). Needs PCLMULQDQ and SSE4.1; included by one file per
 * vector width.
 *
 * Everything is reflected: bit 0 of a word stands for the highest power. The product of two
 * reflected words comes out one bit low, that is, multiplied by x.
 *
 * To move 128 bits (first half F, second half S) d bits ahead: F times x^(d+63) xor S times
 * x^(d-1), modulo the polynomial. FOLD_d is the pair of these, F's in the low half.
 */
#include <immintrin.h>

#include "crc64_kernels.h"

#define FOLD_128 0xeadc41fd2ba3d420, 0x21e9761e252621ac
#define FOLD_256 0xb0bc2e589204f500, 0xe1e0bb9d45d7a44c
#define FOLD_384 0xbdd7ac0ee1a4a0f0, 0xa3ffdc1fe8e82a8b
#define FOLD_512 0x0c32cdb31e18a84a, 0x62242240ace5045a
#define FOLD_2048 0x37ccd3e14069cabc, 0xa043808c0f782663
#define AHEAD_128 0x21e9761e252621ac /* x^127: 64 bits by 128 bits */
#define QUOTIENT 0x27ecfa329aef9f77  /* floor(x^127 / P) */
#define DIVISOR 0x34d926535897936b   /* floor(P / x) */

static inline __m128i pair(uint64_t low, uint64_t high) {
    return _mm_set_epi64x((long long)high, (long long)low);
}

static inline __m128i load(const uint8_t *data) {
    return _mm_loadu_si128((const __m128i *)data);
}

static inline __m128i fold(__m128i x, __m128i constants, __m128i next) {
    __m128i first = _mm_clmulepi64_si128(x, constants, 0x00);
    __m128i second = _mm_clmulepi64_si128(x, constants, 0x11);
    return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

/*
 * The last 1 to 15 bytes, which end at end; the 16 bytes before end may be read. With x before
 * them there are 16 + length bytes: the first length of these are folded onto the other 16.
 */
static inline __m128i fold_rest(__m128i x, const uint8_t *end, size_t length) {
    /* Bytes of indexes 16 to 31 as they are: with the high bit set, a shuffle gives zero. */
    static const uint8_t window[48] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                       0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0,    1,    2,    3,
                                       4,    5,    6,    7,    8,    9,    10,   11,   12,   13,
                                       14,   15,   0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                       0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    __m128i up = load(window + length);        /* x's first bytes to the end */
    __m128i down = load(window + 16 + length); /* x's other bytes to the front */
    __m128i others = _mm_blendv_epi8(_mm_shuffle_epi8(x, down), load(end - 16), down);
    return fold(_mm_shuffle_epi8(x, up), pair(FOLD_128), others);
}

/* The CRC of 128 bits: Barrett reduction of x times x^64. */
static inline uint64_t reduce(__m128i x) {
    __m128i ahead = _mm_clmulepi64_si128(x, pair(AHEAD_128, 0), 0x00);
    __m128i v = _mm_xor_si128(ahead, _mm_srli_si128(x, 8));
    __m128i quotient = _mm_clmulepi64_si128(v, pair(QUOTIENT, 0), 0x00);
    __m128i product = _mm_clmulepi64_si128(quotient, pair(DIVISOR, 0), 0x00);
    __m128i crc = _mm_xor_si128(_mm_srli_si128(_mm_xor_si128(ahead, product), 8), quotient);
    return (uint64_t)_mm_cvtsi128_si64(crc);
}

/* x stands for all bytes before data. */
static inline uint64_t finish(__m128i x, const uint8_t *data, size_t length) {
    for (; length >= 16; data += 16, length -= 16) {
        x = fold(x, pair(FOLD_128), load(data));
    }
    if (length > 0) {
        x = fold_rest(x, data + length, length);
    }
    return reduce(x);
}
