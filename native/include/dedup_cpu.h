/*
 * What this processor and its operating system can run. Asked once; the answer never changes.
 *
 * The environment variable DEDUP_NATIVE_CPU may take features away, for tests and for people who
 * suspect a kernel: "portable" leaves none, "sse" those without AVX, "avx2" those without AVX-512.
 */
#ifndef DEDUP_CPU_H
#define DEDUP_CPU_H

#include <stdbool.h>

/* DEDUP_PORTABLE_ONLY leaves all kernels out that are not plain C, as on other processors. */
#if defined(__x86_64__) && !defined(DEDUP_PORTABLE_ONLY)
#define DEDUP_X86
#endif

typedef struct {
    bool pclmul; /* PCLMULQDQ and SSE4.1 */
    bool sha;    /* SHA extensions, SSSE3, SSE4.1 */
    bool avx2;   /* and the system saves ymm */
    bool gfni;   /* GFNI in its VEX form, with AVX2 */
    bool avx512; /* F, BW, DQ, VL, and the system saves zmm */
} dedup_cpu;

/* Any thread; the first call detects. */
const dedup_cpu *dedup_cpu_features(void);

#endif
