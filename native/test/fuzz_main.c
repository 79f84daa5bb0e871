/*
 * Drives the harness where there is no libFuzzer: random inputs for a time, without feedback.
 *
 *   fuzz_kernels -max_total_time=SECONDS -max_len=BYTES -seed=NUMBER
 */
#include <time.h>

#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise) {
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], name, length) == 0) {
            return strtoull(argv[i] + length, NULL, 10);
        }
    }
    return otherwise;
}

/* Random, constant, or a few values: kernels meet both many candidates and none. */
static void fill(uint8_t *data, size_t length, uint64_t *random) {
    uint8_t mask = (uint8_t)(below(random, 3) == 0 ? 1 : 0xff);
    mask = below(random, 8) == 0 ? 0 : mask;
    for (size_t i = 0; i < length; i++) {
        data[i] = (uint8_t)next_random(random) & (i < 16 ? 0xff : mask);
    }
}

int main(int argc, char **argv) {
    uint64_t random = option(argc, argv, "-seed=", 1);
    uint64_t longest = option(argc, argv, "-max_len=", 65536);
    time_t end = time(NULL) + (time_t)option(argc, argv, "-max_total_time=", 5);
    uint64_t runs = 0;
    for (; time(NULL) < end; runs++) {
        size_t length = below(&random, below(&random, 4) == 0 ? longest + 1 : 512);
        uint8_t *data = exact(length);
        fill(data, length, &random);
        (void)LLVMFuzzerTestOneInput(data, length);
        free(data);
    }
    printf("%llu inputs\n", (unsigned long long)runs);
    return runs == 0;
}
