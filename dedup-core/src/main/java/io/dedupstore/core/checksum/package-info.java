/**
 * CRCs with their combination and the choice of at-rest checksums. Not for anything that must
 * resist an adversary, but for the choice of SHA-256 at rest.
 */
@NullMarked
package io.dedupstore.core.checksum;

import org.jspecify.annotations.NullMarked;
