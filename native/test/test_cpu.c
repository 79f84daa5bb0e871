/* Limits that make the library behave as a lesser processor. */
#include "check.h"
#include "dedup_cpu.h"

static dedup_cpu left_by(const char *limit) {
    dedup_cpu cpu = {true, true, true, true, true, true};
    CHECK(dedup_cpu_without(&cpu, limit), "%s", limit);
    return cpu;
}

static void expect(const char *limit, dedup_cpu wanted) {
    dedup_cpu left = left_by(limit);
    CHECK(left.pclmul == wanted.pclmul && left.sha == wanted.sha && left.avx2 == wanted.avx2 &&
              left.gfni == wanted.gfni && left.avx512 == wanted.avx512 &&
              left.vpclmul == wanted.vpclmul,
          "%s", limit);
}

static void refuse(const char *limit) {
    dedup_cpu cpu = {true, true, true, true, true, true};
    CHECK(!dedup_cpu_without(&cpu, limit), "%s", limit);
    CHECK(cpu.pclmul && cpu.sha && cpu.vpclmul, "%s took something away", limit);
}

int main(void) {
    expect("", (dedup_cpu){true, true, true, true, true, true});
    expect("portable", (dedup_cpu){0});
    expect("sse", (dedup_cpu){.pclmul = true, .sha = true});
    expect("avx2", (dedup_cpu){.pclmul = true, .sha = true, .avx2 = true});
    expect("avx2,-sha", (dedup_cpu){.pclmul = true, .avx2 = true});
    expect("-avx512", (dedup_cpu){.pclmul = true, .sha = true, .avx2 = true, .gfni = true});
    expect("-sha,-gfni",
           (dedup_cpu){.pclmul = true, .avx2 = true, .avx512 = true, .vpclmul = true});
    expect("-pclmul", (dedup_cpu){.sha = true, .avx2 = true, .gfni = true, .avx512 = true});
    refuse("avx3");
    refuse("-sha,");
    refuse("-sha,,-gfni");
    refuse("-sha -gfni");
    const dedup_cpu *cpu = dedup_cpu_features();
    CHECK(cpu == dedup_cpu_features(), "asked twice");
    CHECK(!dedup_cpu_limit("-sha"), "a limit after the fact");
    printf("pclmul %d sha %d avx2 %d gfni %d avx512 %d vpclmul %d\n", cpu->pclmul, cpu->sha,
           cpu->avx2, cpu->gfni, cpu->avx512, cpu->vpclmul);
    return 0;
}
