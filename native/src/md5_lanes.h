/*
 * MD5 blocks of every lane, included by one file per vector width, which defines before
 *   vec, VECTOR, its number of words, SETS, the number of vectors side by side, and the operations
 * vadd, vset1, vload, vstore, vrotate(x, n) to the left, and the four functions vf, vg, vh, vi of
 * b, c, d on it; load_transposed(w, lanes, offset): the blocks of VECTOR lanes, little-endian
 * words, word by word.
 *
 * A step waits for the one before, so one set leaves the processor idle most of the time; two sets
 * are independent of each other. Their words do not fit the registers: they stay in memory, as
 * operands of the additions.
 */
#define LANES (SETS * VECTOR)

/* One step of every set. */
#define STEP(t, function, word, shift)                                                             \
    do {                                                                                           \
        for (int j = 0; j < SETS; j++) {                                                           \
            vec b = s[j][(65 - (t)) & 3], c = s[j][(66 - (t)) & 3], d = s[j][(67 - (t)) & 3];      \
            vec a = vadd(vadd(s[j][(64 - (t)) & 3], vset1(k[t])), WORD(j, (word)&15));             \
            s[j][(64 - (t)) & 3] = vadd(b, vrotate(vadd(a, function(b, c, d)), shift));            \
        }                                                                                          \
    } while (0)

#if SETS > 1
#define WORD(j, i) vload(words[j][i])
#else
#define WORD(j, i) w[i]
#endif

static inline __attribute__((always_inline)) void
run_lanes(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    const uint32_t *k = dedup_md5_k;
    vec s[SETS][4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < SETS; j++) {
            s[j][i] = vload(state + i * LANES + j * VECTOR);
        }
    }
    for (size_t block = 0; block < blocks; block++) {
        vec w[16], before[SETS][4];
        memcpy(before, s, sizeof before);
#if SETS > 1
        _Alignas(64) uint32_t words[SETS][16][VECTOR];
        for (int j = 0; j < SETS; j++) {
            load_transposed(w, lanes + j * VECTOR, block * DEDUP_BLOCK);
            for (int i = 0; i < 16; i++) {
                vstore(words[j][i], w[i]);
            }
        }
        __asm__ volatile("" : "+r"(k) : "r"(words) : "memory");
#else
        load_transposed(w, lanes, block * DEDUP_BLOCK);
        __asm__ volatile("" : "+r"(k));
#endif
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
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < SETS; j++) {
                s[j][i] = vadd(s[j][i], before[j][i]);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < SETS; j++) {
            vstore(state + i * LANES + j * VECTOR, s[j][i]);
        }
    }
}
