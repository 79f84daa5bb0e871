/**
 * The container file of docs/formats/container.md: encoding, verification, recovery, sealing and
 * compaction of one file. Knows drives, slot states and writers' protocols as little as objects.
 */
@NullMarked
package io.dedupstore.core.container;

import org.jspecify.annotations.NullMarked;
