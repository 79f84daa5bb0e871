package io.dedupstore.server.s3;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.server.auth.AuthenticatedRequest;
import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.auth.Proof;
import java.util.Optional;
import java.util.OptionalLong;

/** A form whose fields were read and found authentic; its body is the file. */
record FormRequest(Principal principal, Optional<Proof> proof, BodySource file)
        implements AuthenticatedRequest {
    @Override
    public PayloadMode payloadMode() {
        return new PayloadMode.Unsigned();
    }

    @Override
    public boolean presigned() {
        return false;
    }

    @Override
    public OptionalLong payloadLength() {
        return OptionalLong.empty();
    }

    /** The body is being read already, through the form. */
    @Override
    public BodySource openBody(ByteSource body) {
        return file;
    }
}
