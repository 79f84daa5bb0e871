/*
 * What this processor and its operating system can run. Asked once; the answer never changes.
 *
 * A limit may take features away, for tests, for benchmarks of lesser processors, and for people
 * who suspect a kernel. It is a list of words separated by commas: "portable" leaves nothing,
 * "sse" what needs no AVX, "avx2" what needs no AVX-512; "-sha", "-pclmul", "-avx2", "-gfni",
 * "-avx512" and "-vpclmul" each take one feature away, with those that need it. "avx2,-sha" is a
 * processor with neither AVX-512 nor SHA extensions.
 */
#ifndef DEDUP_CPU_H
#define DEDUP_CPU_H

#include <stdbool.h>

/* DEDUP_PORTABLE_ONLY leaves all kernels out that are not plain C, as on other processors. */
#if defined(__x86_64__) && !defined(DEDUP_PORTABLE_ONLY)
#define DEDUP_X86
#endif

typedef struct {
    bool pclmul;  /* PCLMULQDQ and SSE4.1 */
    bool sha;     /* SHA extensions, SSSE3, SSE4.1 */
    bool avx2;    /* and the system saves ymm */
    bool gfni;    /* GFNI in its VEX form, with AVX2 */
    bool avx512;  /* F, BW, DQ, VL, and the system saves zmm */
    bool vpclmul; /* VPCLMULQDQ of 512 bits, with avx512 and pclmul */
} dedup_cpu;

/*
 * Any thread; the first call detects, and applies the limit of the environment variable
 * DEDUP_NATIVE_CPU, if it is one.
 */
const dedup_cpu *dedup_cpu_features(void);

/*
 * Replaces the environment's limit. To be called before anything else of this library; false when
 * it is no limit, or when the features have already been asked for.
 */
bool dedup_cpu_limit(const char *limit);

/* Features without those that the limit takes away; false, and nothing changed, if it is none. */
bool dedup_cpu_without(dedup_cpu *cpu, const char *limit);

#endif
