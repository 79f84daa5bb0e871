/*
 * Folding by carry-less multiplication, after Gopal et al., "Fast CRC Computation for Generic
 * Polynomials Using PCLMULQDQ" (Intel, 2009).
 *
 * To move 128 bits (first half F, second half S) d bits ahead: F times x^(d+63) xor S times
 * x^(d-1), modulo the polynomial, reflected; one less than d + 64 and d because a product of
 * reflected factors comes out one bit low.
 */
#include <immintrin.h>

#include "crc64_kernels.h"

#define FOLD_128 _mm_set_epi64x(0x21e9761e252621ac, (long long)0xeadc41fd2ba3d420)
#define FOLD_512 _mm_set_epi64x(0x62242240ace5045a, 0x0c32cdb31e18a84a)

static inline __m128i load(const uint8_t *data) {
    return _mm_loadu_si128((const __m128i *)data);
}

static inline __m128i fold(__m128i x, __m128i constants, __m128i next) {
    __m128i first = _mm_clmulepi64_si128(x, constants, 0x00);
    __m128i second = _mm_clmulepi64_si128(x, constants, 0x11);
    return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

uint64_t dedup_crc64_pclmul(uint64_t crc, const uint8_t *data, size_t length) {
    __m128i x0 = _mm_xor_si128(load(data), _mm_cvtsi64_si128((long long)crc));
    __m128i x1 = load(data + 16), x2 = load(data + 32), x3 = load(data + 48);
    for (data += 64, length -= 64; length >= 64; data += 64, length -= 64) {
        x0 = fold(x0, FOLD_512, load(data));
        x1 = fold(x1, FOLD_512, load(data + 16));
        x2 = fold(x2, FOLD_512, load(data + 32));
        x3 = fold(x3, FOLD_512, load(data + 48));
    }
    x0 = fold(x0, FOLD_128, x1);
    x0 = fold(x0, FOLD_128, x2);
    x0 = fold(x0, FOLD_128, x3);
    for (; length >= 16; data += 16, length -= 16) {
        x0 = fold(x0, FOLD_128, load(data));
    }
    uint8_t remainder[16];
    _mm_storeu_si128((__m128i *)remainder, x0);
    return dedup_crc64_raw(dedup_crc64_raw(0, remainder, sizeof remainder), data, length);
}
