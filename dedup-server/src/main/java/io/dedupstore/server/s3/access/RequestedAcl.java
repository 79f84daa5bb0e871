package io.dedupstore.server.s3.access;

import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.AccessList.Grant;
import io.dedupstore.core.model.Grantee;
import io.dedupstore.core.model.Permission;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The access list that headers of a request ask for. */
public final class RequestedAcl {
    public static final String CANNED = "x-amz-acl";
    public static final String BUCKET_OWNER_FULL_CONTROL = "bucket-owner-full-control";

    private static final Map<String, Permission> GRANTS = new LinkedHashMap<>();
    private static final Pattern GRANTEE =
            Pattern.compile("\\s*(id|uri|emailAddress)\\s*=\\s*(?:\"([^\"]*)\"|([^,\"]*))\\s*");

    static {
        GRANTS.put("x-amz-grant-read", Permission.READ);
        GRANTS.put("x-amz-grant-write", Permission.WRITE);
        GRANTS.put("x-amz-grant-read-acp", Permission.READ_ACP);
        GRANTS.put("x-amz-grant-write-acp", Permission.WRITE_ACP);
        GRANTS.put("x-amz-grant-full-control", Permission.FULL_CONTROL);
    }

    private RequestedAcl() {}

    /** Whether any header asks for one. */
    public static boolean isGiven(S3Request request) {
        return request.nonEmptyHeader(CANNED).isPresent() || hasGrants(request);
    }

    private static boolean hasGrants(S3Request request) {
        return GRANTS.keySet().stream().anyMatch(name -> request.header(name).isPresent());
    }

    /**
     * @param owner canonical id of who will own it
     * @param bucketOwner canonical id
     * @param ofBucket whether it is the bucket's own
     * @return empty where no header asks for one
     * @throws S3Exception InvalidArgument, InvalidRequest and what is wrong with grantees
     */
    public static Optional<AccessList> of(
            S3Request request,
            String owner,
            String bucketOwner,
            boolean ofBucket,
            Directory directory) {
        Optional<String> canned = request.nonEmptyHeader(CANNED);
        boolean grants = hasGrants(request);
        if (canned.isPresent() && grants) {
            throw S3Exception.invalidRequest(
                    "Specifying both Canned ACLs and Header Grants is not allowed");
        }
        if (grants) {
            return Optional.of(ofGrants(request, directory));
        }
        return canned.map(name -> canned(name, owner, bucketOwner, ofBucket));
    }

    private static AccessList canned(
            String name, String owner, String bucketOwner, boolean ofBucket) {
        Grant all = new Grant(new Grantee.Canonical(owner), Permission.FULL_CONTROL);
        Grantee bucket = new Grantee.Canonical(bucketOwner);
        boolean own = ofBucket || owner.equals(bucketOwner);
        return switch (name) {
            case "private" -> list(all);
            case "public-read" -> list(all, new Grant(Grantee.Group.ALL_USERS, Permission.READ));
            case "public-read-write" ->
                    list(
                            all,
                            new Grant(Grantee.Group.ALL_USERS, Permission.READ),
                            new Grant(Grantee.Group.ALL_USERS, Permission.WRITE));
            case "authenticated-read" ->
                    list(all, new Grant(Grantee.Group.AUTHENTICATED_USERS, Permission.READ));
            case "aws-exec-read" ->
                    list(
                            all,
                            new Grant(new Grantee.Canonical(Grantees.EXEC_READ), Permission.READ));
            case "log-delivery-write" ->
                    ofBucket
                            ? list(
                                    all,
                                    new Grant(Grantee.Group.LOG_DELIVERY, Permission.WRITE),
                                    new Grant(Grantee.Group.LOG_DELIVERY, Permission.READ_ACP))
                            : list(all);
            case "bucket-owner-read" ->
                    own ? list(all) : list(all, new Grant(bucket, Permission.READ));
            case BUCKET_OWNER_FULL_CONTROL ->
                    own ? list(all) : list(all, new Grant(bucket, Permission.FULL_CONTROL));
            default -> throw S3Exception.invalidArgument("", CANNED, name);
        };
    }

    private static AccessList list(Grant... grants) {
        return new AccessList(List.of(grants));
    }

    private static AccessList ofGrants(S3Request request, Directory directory) {
        List<Grant> grants = new ArrayList<>();
        GRANTS.forEach(
                (header, permission) -> {
                    for (String value : request.headerValues(header)) {
                        for (String one : split(value)) {
                            grants.add(new Grant(grantee(header, one, directory), permission));
                        }
                    }
                });
        if (grants.size() > AccessList.MAX_GRANTS) {
            throw S3Exception.invalidRequest(
                    "A list of more than " + AccessList.MAX_GRANTS + " grants");
        }
        return new AccessList(grants);
    }

    /** At the commas that are in no quotes. */
    private static List<String> split(String value) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < value.length(); i++) {
            quoted ^= value.charAt(i) == '"';
            if (value.charAt(i) == ',' && !quoted) {
                parts.add(value.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(value.substring(from));
        return parts.stream().filter(part -> !part.isBlank()).toList();
    }

    private static Grantee grantee(String header, String text, Directory directory) {
        Matcher matcher = GRANTEE.matcher(text);
        if (!matcher.matches()) {
            throw S3Exception.invalidArgument("Argument format not recognized", header, text);
        }
        String quoted = matcher.group(2);
        String value = quoted == null ? matcher.group(3).strip() : quoted;
        return switch (matcher.group(1)) {
            case "id" -> Grantees.ofId(value, directory);
            case "uri" -> Grantees.ofUri(value);
            default -> Grantees.ofEmail(value, directory);
        };
    }
}
