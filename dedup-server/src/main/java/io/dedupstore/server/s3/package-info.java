/**
 * The S3 API's front: request targets to operations, XML in and out, error documents, and the
 * gateway that takes an HTTP exchange through parse, authenticate, authorize and dispatch. What an
 * operation does lives in {@code operation}, which this package does not know; nothing here touches
 * stored data.
 */
@NullMarked
package io.dedupstore.server.s3;

import org.jspecify.annotations.NullMarked;
