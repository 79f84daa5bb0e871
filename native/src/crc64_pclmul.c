/* Needs PCLMULQDQ and SSE4.1. */
#include "crc64_fold.h"

uint64_t dedup_crc64_pclmul(uint64_t crc, const uint8_t *data, size_t length) {
    const __m128i far = pair(FOLD_512), near = pair(FOLD_128);
    __m128i x = _mm_xor_si128(load(data), pair(crc, 0));
    if (length < 64) {
        return finish(x, data + 16, length - 16);
    }
    __m128i x1 = load(data + 16), x2 = load(data + 32), x3 = load(data + 48);
    for (data += 64, length -= 64; length >= 64; data += 64, length -= 64) {
        x = fold(x, far, load(data));
        x1 = fold(x1, far, load(data + 16));
        x2 = fold(x2, far, load(data + 32));
        x3 = fold(x3, far, load(data + 48));
    }
    x = fold(x, near, x1);
    x = fold(x, near, x2);
    x = fold(x, near, x3);
    return finish(x, data, length);
}
