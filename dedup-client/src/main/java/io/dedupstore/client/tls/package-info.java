/** What clients need to trust, or not, whom they speak with. */
@NullMarked
package io.dedupstore.client.tls;

import org.jspecify.annotations.NullMarked;
