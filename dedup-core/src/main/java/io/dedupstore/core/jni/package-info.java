/**
 * The only native methods: finds, extracts and loads the native library and checks every address
 * and size before a call. Kernels here have a Java twin in the package that uses them; nothing else
 * may declare native methods.
 */
@NullMarked
package io.dedupstore.core.jni;

import org.jspecify.annotations.NullMarked;
