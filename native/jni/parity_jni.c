/*
 * The door from Java to parity; rules for buffers, threads and errors are those of dedup_jni.c.
 * Fragments are inputs that are only read and outputs that belong to the caller until the call
 * returns; io.dedupstore.core.jni.NativeParity has checked that all are direct, of one length, that
 * outputs may be written, and the numbers of rows and columns. These are checked here once more,
 * because they are sizes of arrays on the stack.
 */
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dedup_parity.h"

#define NAMES_LENGTH 128

typedef struct {
    uint8_t coefficients[DEDUP_PARITY_MAX_FRAGMENTS * DEDUP_PARITY_MAX_FRAGMENTS];
    uint8_t *fragments[DEDUP_PARITY_MAX_FRAGMENTS];
} arguments;

/* Copies, so that no array of the heap is held; false where an array has another length. */
static bool get(JNIEnv *env, jbyteArray coefficients, jint n, jlongArray addresses, jint fragments,
                arguments *to) {
    jlong values[DEDUP_PARITY_MAX_FRAGMENTS];
    if ((*env)->GetArrayLength(env, coefficients) != n ||
        (*env)->GetArrayLength(env, addresses) != fragments) {
        return false;
    }
    (*env)->GetByteArrayRegion(env, coefficients, 0, n, (jbyte *)to->coefficients);
    (*env)->GetLongArrayRegion(env, addresses, 0, fragments, values);
    for (jint i = 0; i < fragments; i++) {
        to->fragments[i] = (uint8_t *)(uintptr_t)values[i];
    }
    return true;
}

JNIEXPORT jstring JNICALL Java_io_dedupstore_core_jni_NativeParity_drivers0(JNIEnv *env,
                                                                            jclass type) {
    (void)type;
    const char *names[DEDUP_PARITY_MAX_DRIVERS];
    char text[NAMES_LENGTH] = "";
    size_t n = dedup_parity_driver_names(names);
    for (size_t i = 0; i < n; i++) {
        if (strlen(text) + 1 + strlen(names[i]) < sizeof text) {
            strcat(strcat(text, i == 0 ? "" : " "), names[i]);
        }
    }
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jboolean JNICALL Java_io_dedupstore_core_jni_NativeParity_multiply0(
    JNIEnv *env, jclass type, jint driver, jbyteArray matrix, jint rows, jint columns,
    jlongArray addresses, jint length) {
    (void)type;
    arguments a;
    if (rows < 1 || columns < 1 || rows > DEDUP_PARITY_MAX_FRAGMENTS ||
        columns > DEDUP_PARITY_MAX_FRAGMENTS - rows || length < 0 ||
        !get(env, matrix, rows * columns, addresses, columns + rows, &a)) {
        return JNI_FALSE;
    }
    dedup_parity_multiply((size_t)driver, a.coefficients, (unsigned)rows, (unsigned)columns,
                          a.fragments, a.fragments + columns, (size_t)length);
    return JNI_TRUE;
}

/* before: 0 where there was nothing. */
JNIEXPORT jboolean JNICALL Java_io_dedupstore_core_jni_NativeParity_update0(
    JNIEnv *env, jclass type, jint driver, jbyteArray column, jint rows, jlong before, jlong after,
    jlongArray addresses, jint length) {
    (void)type;
    arguments a;
    if (rows < 1 || rows >= DEDUP_PARITY_MAX_FRAGMENTS || length < 0 ||
        !get(env, column, rows, addresses, rows, &a)) {
        return JNI_FALSE;
    }
    dedup_parity_update((size_t)driver, a.coefficients, (unsigned)rows,
                        (const uint8_t *)(uintptr_t)before, (const uint8_t *)(uintptr_t)after,
                        a.fragments, (size_t)length);
    return JNI_TRUE;
}
