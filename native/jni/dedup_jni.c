/*
 * The door from Java: turns arguments into addresses and calls. Sizes and lifetimes have been
 * checked by the Java side (io.dedupstore.core.jni), which holds the only callers.
 *
 * Buffers. All belong to Java: native code neither frees nor keeps an address beyond the call. Java
 * passes raw addresses of direct memory and keeps its owner reachable until the call has returned,
 * so that neither a collector nor a closed arena can take it away. Inputs are read within their
 * length only, at any alignment; outputs and states may not overlap inputs, but for HMAC, whose
 * digests are replaced in place. Arrays of the heap are copied region by region and never held.
 *
 * Threads. Any number may be in any function at once: there is no state but tables that are made
 * once, behind atomics. What one call writes (a table of jobs, its states and results) belongs to
 * its caller alone until it returns. Calls do not block, wait or call back into Java; they last as
 * long as their bytes take, during which the thread can't be interrupted and, being in native code,
 * holds up no safepoint.
 *
 * Errors. There are none: no length, alignment, offset or empty input makes a call fail.
 */
#include <jni.h>
#include <stdint.h>
#include <stdio.h>

#include "dedup_cpu.h"
#include "dedup_crc64.h"
#include "dedup_gear.h"
#include "dedup_md5.h"
#include "dedup_sha256.h"

#define LENGTHS_PER_TURN 256
#define COPY_BLOCKS 64
#define NAMES_LENGTH 512

/* As io.dedupstore.core.jni.NativeDigest numbers them. */
#define SHA256 0

static void *address(jlong value) {
    return (void *)(uintptr_t)value;
}

/* Of the functions below; changed together with io.dedupstore.core.jni.NativeLibrary. */
#define INTERFACE 3

JNIEXPORT jint JNICALL Java_io_dedupstore_core_jni_NativeLibrary_interface0(JNIEnv *env,
                                                                            jclass type) {
    (void)env;
    (void)type;
    return INTERFACE;
}

/* The first call of all; false when it is no limit. */
JNIEXPORT jboolean JNICALL Java_io_dedupstore_core_jni_NativeLibrary_limit0(JNIEnv *env,
                                                                            jclass type,
                                                                            jstring limit) {
    (void)type;
    const char *text = (*env)->GetStringUTFChars(env, limit, NULL);
    if (text == NULL) {
        return JNI_FALSE; /* out of memory, which Java sees as well */
    }
    bool done = dedup_cpu_limit(text);
    (*env)->ReleaseStringUTFChars(env, limit, text);
    return done ? JNI_TRUE : JNI_FALSE;
}

/* Joined by spaces. */
static jstring names_of(JNIEnv *env, const char *const *names, size_t n) {
    char text[NAMES_LENGTH];
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        int length = snprintf(text + at, sizeof text - at, i == 0 ? "%s" : " %s", names[i]);
        if (length < 0 || (size_t)length >= sizeof text - at) {
            break;
        }
        at += (size_t)length;
    }
    text[at] = '\0';
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jstring JNICALL Java_io_dedupstore_core_jni_NativeDigest_drivers0(JNIEnv *env,
                                                                            jclass type,
                                                                            jint algorithm) {
    (void)type;
    const char *names[DEDUP_MAX_DRIVERS];
    size_t n =
        algorithm == SHA256 ? dedup_sha256_driver_names(names) : dedup_md5_driver_names(names);
    return names_of(env, names, n);
}

JNIEXPORT jstring JNICALL Java_io_dedupstore_core_jni_NativeGear_drivers0(JNIEnv *env,
                                                                          jclass type) {
    (void)type;
    const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
    const char *names[DEDUP_GEAR_MAX_DRIVERS];
    size_t n = dedup_gear_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        names[i] = drivers[i]->name;
    }
    return names_of(env, names, n);
}

JNIEXPORT jstring JNICALL Java_io_dedupstore_core_jni_NativeCrc64_drivers0(JNIEnv *env,
                                                                           jclass type) {
    (void)type;
    const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS];
    const char *names[DEDUP_CRC64_MAX_DRIVERS];
    size_t n = dedup_crc64nvme_drivers(drivers);
    for (size_t i = 0; i < n; i++) {
        names[i] = drivers[i]->name;
    }
    return names_of(env, names, n);
}

JNIEXPORT jlong JNICALL Java_io_dedupstore_core_jni_NativeGear_size0(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return (jlong)sizeof(dedup_gear);
}

JNIEXPORT void JNICALL Java_io_dedupstore_core_jni_NativeGear_init0(JNIEnv *env, jclass type,
                                                                    jlong gear, jintArray seed,
                                                                    jint min, jint avg, jint max,
                                                                    jint strict, jint loose) {
    (void)type;
    jint words[DEDUP_GEAR_SEED_WORDS];
    uint32_t unsigned_words[DEDUP_GEAR_SEED_WORDS];
    (*env)->GetIntArrayRegion(env, seed, 0, DEDUP_GEAR_SEED_WORDS, words);
    for (int i = 0; i < DEDUP_GEAR_SEED_WORDS; i++) {
        unsigned_words[i] = (uint32_t)words[i];
    }
    dedup_gear_init(address(gear), unsigned_words, (uint32_t)min, (uint32_t)avg, (uint32_t)max,
                    (uint32_t)strict, (uint32_t)loose);
}

JNIEXPORT jint JNICALL Java_io_dedupstore_core_jni_NativeGear_cuts0(JNIEnv *env, jclass type,
                                                                    jlong gear, jint driver,
                                                                    jlong data, jint length,
                                                                    jboolean end, jintArray lengths,
                                                                    jint capacity) {
    (void)type;
    const dedup_gear_driver *drivers[DEDUP_GEAR_MAX_DRIVERS];
    size_t n = dedup_gear_drivers(drivers);
    const dedup_gear_driver *chosen = drivers[(size_t)driver < n ? driver : 0];
    const uint8_t *at = address(data);
    size_t left = (size_t)length;
    jint count = 0;
    while (count < capacity) {
        int32_t some[LENGTHS_PER_TURN];
        jint wanted = capacity - count < LENGTHS_PER_TURN ? capacity - count : LENGTHS_PER_TURN;
        size_t found = dedup_gear_cuts_with(chosen, address(gear), at, left, end == JNI_TRUE, some,
                                            (size_t)wanted);
        for (size_t i = 0; i < found; i++) {
            at += some[i];
            left -= (size_t)some[i];
        }
        (*env)->SetIntArrayRegion(env, lengths, count, (jsize)found, (const jint *)some);
        count += (jint)found;
        if ((jint)found < wanted) {
            break;
        }
    }
    return count;
}

JNIEXPORT void JNICALL Java_io_dedupstore_core_jni_NativeSha256_batch0(JNIEnv *env, jclass type,
                                                                       jint driver, jlong jobs,
                                                                       jint n) {
    (void)env;
    (void)type;
    dedup_sha256_batch_by((size_t)driver, address(jobs), (size_t)n);
}

static void get_state(JNIEnv *env, jintArray array, jsize from, uint32_t state[8]) {
    (*env)->GetIntArrayRegion(env, array, from, 8, (jint *)state);
}

static void run_blocks(jint algorithm, uint32_t state[8], const uint8_t *data, size_t blocks) {
    if (algorithm == SHA256) {
        dedup_sha256_blocks(state, data, blocks);
    } else {
        dedup_md5_blocks(state, data, blocks);
    }
}

JNIEXPORT void JNICALL Java_io_dedupstore_core_jni_NativeDigest_blocks0(JNIEnv *env, jclass type,
                                                                        jint algorithm,
                                                                        jintArray state, jlong data,
                                                                        jlong blocks) {
    (void)type;
    uint32_t words[8];
    get_state(env, state, 0, words);
    run_blocks(algorithm, words, address(data), (size_t)blocks);
    (*env)->SetIntArrayRegion(env, state, 0, 8, (const jint *)words);
}

JNIEXPORT void JNICALL Java_io_dedupstore_core_jni_NativeDigest_heapBlocks0(
    JNIEnv *env, jclass type, jint algorithm, jintArray state, jbyteArray data, jint offset,
    jint blocks) {
    (void)type;
    uint32_t words[8];
    uint8_t copy[COPY_BLOCKS * DEDUP_SHA256_BLOCK];
    get_state(env, state, 0, words);
    while (blocks > 0) {
        jint some = blocks < COPY_BLOCKS ? blocks : COPY_BLOCKS;
        (*env)->GetByteArrayRegion(env, data, offset, some * DEDUP_SHA256_BLOCK, (jbyte *)copy);
        run_blocks(algorithm, words, copy, (size_t)some);
        offset += some * DEDUP_SHA256_BLOCK;
        blocks -= some;
    }
    (*env)->SetIntArrayRegion(env, state, 0, 8, (const jint *)words);
}

JNIEXPORT void JNICALL Java_io_dedupstore_core_jni_NativeDigest_updates0(JNIEnv *env, jclass type,
                                                                         jint algorithm,
                                                                         jint driver, jlong jobs,
                                                                         jint n) {
    (void)env;
    (void)type;
    if (algorithm == SHA256) {
        dedup_sha256_updates_by((size_t)driver, address(jobs), (size_t)n);
    } else {
        dedup_md5_updates_by((size_t)driver, address(jobs), (size_t)n);
    }
}

/* midstates: inner, then outer; digests are replaced by their HMACs. */
JNIEXPORT void JNICALL Java_io_dedupstore_core_jni_NativeSha256_hmac0(JNIEnv *env, jclass type,
                                                                      jintArray midstates,
                                                                      jlong digests, jint n) {
    (void)type;
    uint32_t inner[8], outer[8];
    get_state(env, midstates, 0, inner);
    get_state(env, midstates, 8, outer);
    dedup_hmac_sha256_digests(inner, outer, address(digests), (size_t)n, address(digests));
}

JNIEXPORT jlong JNICALL Java_io_dedupstore_core_jni_NativeCrc64_extend0(JNIEnv *env, jclass type,
                                                                        jint driver, jlong crc,
                                                                        jlong data, jlong length) {
    (void)env;
    (void)type;
    const dedup_crc64nvme_driver *drivers[DEDUP_CRC64_MAX_DRIVERS];
    size_t n = dedup_crc64nvme_drivers(drivers);
    const dedup_crc64nvme_driver *chosen = drivers[(size_t)driver < n ? driver : 0];
    return (jlong)chosen->extend((uint64_t)crc, address(data), (size_t)length);
}
