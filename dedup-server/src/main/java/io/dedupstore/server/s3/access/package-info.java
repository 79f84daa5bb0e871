/**
 * Whether a request may do what it asks for: bucket policies, access lists, policies of users and
 * sessions, ownership and the public access block, brought together to one decision that denies
 * what nothing allows. What the parts say is read from the control group's local copy; an object is
 * looked up only where its owner, access list or tags can change the decision.
 */
@NullMarked
package io.dedupstore.server.s3.access;

import org.jspecify.annotations.NullMarked;
