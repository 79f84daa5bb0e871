/*
 * The door from Java: turns arguments into addresses and calls. Sizes and lifetimes have been
 * checked by the Java side (io.dedupstore.core.jni), which holds the only callers.
 */
#include <jni.h>
#include <stdint.h>
#include <stdio.h>

#include "dedup_crc64.h"
#include "dedup_gear.h"
#include "dedup_md5.h"
#include "dedup_sha256.h"

#define LENGTHS_PER_TURN 256
#define COPY_BLOCKS 64

/* As io.dedupstore.core.jni.NativeDigest numbers them. */
#define SHA256 0

static void *address(jlong value) {
    return (void *)(uintptr_t)value;
}

/* Of the functions below; changed together with io.dedupstore.core.jni.NativeLibrary. */
#define INTERFACE 1

JNIEXPORT jint JNICALL Java_io_dedupstore_core_jni_NativeLibrary_interface0(JNIEnv *env,
                                                                            jclass type) {
    (void)env;
    (void)type;
    return INTERFACE;
}

JNIEXPORT jstring JNICALL Java_io_dedupstore_core_jni_NativeLibrary_drivers0(JNIEnv *env,
                                                                             jclass type) {
    (void)type;
    char text[128];
    snprintf(text, sizeof text, "%s %s %s %s", dedup_gear_driver(), dedup_sha256_driver(),
             dedup_crc64nvme_driver(), dedup_md5_driver());
    return (*env)->NewStringUTF(env, text);
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
                                                                    jlong gear, jlong data,
                                                                    jint length, jboolean end,
                                                                    jintArray lengths,
                                                                    jint capacity) {
    (void)type;
    const uint8_t *at = address(data);
    size_t left = (size_t)length;
    jint count = 0;
    while (count < capacity) {
        int32_t some[LENGTHS_PER_TURN];
        jint wanted = capacity - count < LENGTHS_PER_TURN ? capacity - count : LENGTHS_PER_TURN;
        size_t found =
            dedup_gear_cuts(address(gear), at, left, end == JNI_TRUE, some, (size_t)wanted);
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
                                                                       jlong jobs, jint n) {
    (void)env;
    (void)type;
    dedup_sha256_batch(address(jobs), (size_t)n);
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
                                                                         jint algorithm, jlong jobs,
                                                                         jint n) {
    (void)env;
    (void)type;
    if (algorithm == SHA256) {
        dedup_sha256_updates(address(jobs), (size_t)n);
    } else {
        dedup_md5_updates(address(jobs), (size_t)n);
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
                                                                        jlong crc, jlong data,
                                                                        jlong length) {
    (void)env;
    (void)type;
    return (jlong)dedup_crc64nvme((uint64_t)crc, address(data), (size_t)length);
}
