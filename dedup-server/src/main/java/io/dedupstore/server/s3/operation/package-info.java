/**
 * What each S3 operation does, one file for each, as blocking straight-line code: check what the
 * head says, read the body, commit through the metadata service, answer. Shared rules (conditions,
 * ranges, checksums, attributes) are small classes beside them. No HTTP parsing, no authentication,
 * no state of its own.
 */
@NullMarked
package io.dedupstore.server.s3.operation;

import org.jspecify.annotations.NullMarked;
