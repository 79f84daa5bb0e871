/**
 * The shared language: ids and values as validating records. Knows nothing of any other package.
 */
@NullMarked
package io.dedupstore.core.model;

import org.jspecify.annotations.NullMarked;
