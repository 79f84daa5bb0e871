/*
 * One SHA-256 block of every lane, included by one file per vector width, which defines before
 *   vec, LANES, and the operations vadd, vxor3, vchoose, vmajority, vrotate, vshift, vset1, vload,
 *   vstore on it;
 *   load_transposed(w, lanes, offset): the lanes' blocks, big-endian words, word by word.
 *
 * The constants are read through a pointer the compiler can't see through: each then is an embedded
 * broadcast of its addition instead of a vector of its own. The states before the block wait in
 * memory, so that all of W and a to h fit the registers.
 */
#define SIGMA0(x) vxor3(vrotate(x, 2), vrotate(x, 13), vrotate(x, 22))
#define SIGMA1(x) vxor3(vrotate(x, 6), vrotate(x, 11), vrotate(x, 25))
#define EXPAND0(x) vxor3(vrotate(x, 7), vrotate(x, 18), vshift(x, 3))
#define EXPAND1(x) vxor3(vrotate(x, 17), vrotate(x, 19), vshift(x, 10))

/* The 64 rounds of one block, without adding the states before; w is used up. */
static inline __attribute__((always_inline)) void run_rounds(vec s[8], vec w[16],
                                                             const uint32_t *k) {
#pragma GCC unroll 64
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            w[t & 15] = vadd(vadd(w[t & 15], EXPAND0(w[(t + 1) & 15])),
                             vadd(w[(t + 9) & 15], EXPAND1(w[(t + 14) & 15])));
        }
        /* Names rotate instead of values: a is s[-t mod 8], b the next, ... */
        vec a = s[(64 - t) & 7], b = s[(65 - t) & 7], c = s[(66 - t) & 7];
        vec e = s[(68 - t) & 7], f = s[(69 - t) & 7], g = s[(70 - t) & 7];
        vec t1 = vadd(vadd(s[(71 - t) & 7], vadd(w[t & 15], vset1(k[t]))),
                      vadd(SIGMA1(e), vchoose(e, f, g)));
        s[(67 - t) & 7] = vadd(s[(67 - t) & 7], t1);
        s[(71 - t) & 7] = vadd(t1, vadd(SIGMA0(a), vmajority(a, b, c)));
    }
}

static inline __attribute__((always_inline)) void
run_lanes(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
    const uint32_t *k = dedup_sha256_k;
    vec s[8];
    for (int i = 0; i < 8; i++) {
        s[i] = vload(state + i * LANES);
    }
    for (size_t block = 0; block < blocks; block++) {
        vec w[16];
        load_transposed(w, lanes, block * DEDUP_SHA256_BLOCK);
        __asm__ volatile("" : "+r"(k));
        run_rounds(s, w, k);
        for (int i = 0; i < 8; i++) {
            s[i] = vadd(s[i], vload(state + i * LANES));
            vstore(state + i * LANES, s[i]);
        }
    }
}
