/* Needs AVX-512 F, BW, VL and VPCLMULQDQ: four 128-bit folds with one instruction. */
#include "crc64_fold.h"

static inline __m512i load4(const uint8_t *data) {
    return _mm512_loadu_si512(data);
}

static inline __m512i fold4(__m512i x, __m512i constants, __m512i next) {
    __m512i first = _mm512_clmulepi64_epi128(x, constants, 0x00);
    __m512i second = _mm512_clmulepi64_epi128(x, constants, 0x11);
    return _mm512_ternarylogic_epi64(first, second, next, 0x96);
}

/* The four quarters, each moved to the place of the last, as one. */
static inline __m128i join(__m512i x) {
    __m512i ahead = _mm512_inserti32x4(_mm512_setzero_si512(), pair(FOLD_384), 0);
    ahead = _mm512_inserti32x4(ahead, pair(FOLD_256), 1);
    ahead = _mm512_inserti32x4(ahead, pair(FOLD_128), 2);
    __m512i last = _mm512_maskz_mov_epi64(0xc0, x);
    __m512i moved = fold4(x, ahead, last);
    __m256i half =
        _mm256_xor_si256(_mm512_castsi512_si256(moved), _mm512_extracti64x4_epi64(moved, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

uint64_t dedup_crc64_vpclmul(uint64_t crc, const uint8_t *data, size_t length) {
    const __m512i far = _mm512_broadcast_i32x4(pair(FOLD_2048));
    const __m512i near = _mm512_broadcast_i32x4(pair(FOLD_512));
    __m512i x = _mm512_xor_si512(load4(data), _mm512_zextsi128_si512(pair(crc, 0)));
    data += 64, length -= 64;
    if (length >= 192) {
        __m512i x1 = load4(data), x2 = load4(data + 64), x3 = load4(data + 128);
        for (data += 192, length -= 192; length >= 256; data += 256, length -= 256) {
            x = fold4(x, far, load4(data));
            x1 = fold4(x1, far, load4(data + 64));
            x2 = fold4(x2, far, load4(data + 128));
            x3 = fold4(x3, far, load4(data + 192));
        }
        x = fold4(x, near, x1);
        x = fold4(x, near, x2);
        x = fold4(x, near, x3);
    }
    for (; length >= 64; data += 64, length -= 64) {
        x = fold4(x, near, load4(data));
    }
    crc = finish(join(x), data, length);
    _mm256_zeroupper();
    return crc;
}
