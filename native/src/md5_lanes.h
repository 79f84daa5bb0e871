/*
 * MD5 blocks of every lane, included by one file per vector width, which defines before
 *   vec, LANES, and the operations vadd, vset1, vload, vstore, vrotate(x, n) to the left, and the
 * four functions vf, vg, vh, vi of b, c, d on it; load_transposed(w, lanes, offset): the lanes'
 * blocks, little-endian words, word by word.
 */
static inline __attribute__((always_inline)) void
run_lanes(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    const uint32_t *k = dedup_md5_k;
    vec s[4];
    for (int i = 0; i < 4; i++) {
        s[i] = vload(state + i * LANES);
    }
    for (size_t block = 0; block < blocks; block++) {
        vec w[16], before[4] = {s[0], s[1], s[2], s[3]};
        load_transposed(w, lanes, block * DEDUP_BLOCK);
        __asm__ volatile("" : "+r"(k));
#define STEP(t, function, word, shift)                                                             \
    do {                                                                                           \
        vec b = s[(65 - (t)) & 3], c = s[(66 - (t)) & 3], d = s[(67 - (t)) & 3];                   \
        vec a = vadd(s[(64 - (t)) & 3], vadd(w[(word) & 15], vset1(k[t])));                        \
        s[(64 - (t)) & 3] = vadd(b, vrotate(vadd(a, function(b, c, d)), shift));                   \
    } while (0)
#pragma GCC unroll 4
        for (int t = 0; t < 16; t += 4) {
            STEP(t, vf, t, 7);
            STEP(t + 1, vf, t + 1, 12);
            STEP(t + 2, vf, t + 2, 17);
            STEP(t + 3, vf, t + 3, 22);
        }
#pragma GCC unroll 4
        for (int t = 16; t < 32; t += 4) {
            STEP(t, vg, 5 * t + 1, 5);
            STEP(t + 1, vg, 5 * t + 6, 9);
            STEP(t + 2, vg, 5 * t + 11, 14);
            STEP(t + 3, vg, 5 * t + 16, 20);
        }
#pragma GCC unroll 4
        for (int t = 32; t < 48; t += 4) {
            STEP(t, vh, 3 * t + 5, 4);
            STEP(t + 1, vh, 3 * t + 8, 11);
            STEP(t + 2, vh, 3 * t + 11, 16);
            STEP(t + 3, vh, 3 * t + 14, 23);
        }
#pragma GCC unroll 4
        for (int t = 48; t < 64; t += 4) {
            STEP(t, vi, 7 * t, 6);
            STEP(t + 1, vi, 7 * t + 7, 10);
            STEP(t + 2, vi, 7 * t + 14, 15);
            STEP(t + 3, vi, 7 * t + 21, 21);
        }
#undef STEP
        for (int i = 0; i < 4; i++) {
            s[i] = vadd(s[i], before[i]);
        }
    }
    for (int i = 0; i < 4; i++) {
        vstore(state + i * LANES, s[i]);
    }
}
