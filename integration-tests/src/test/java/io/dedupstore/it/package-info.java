/**
 * Tests of the built product from outside: its launcher, its ports, its files. Real S3 clients,
 * crashes, real data. No class of the server is used here.
 */
@NullMarked
package io.dedupstore.it;

import org.jspecify.annotations.NullMarked;
