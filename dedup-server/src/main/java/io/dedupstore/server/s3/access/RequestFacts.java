package io.dedupstore.server.s3.access;

import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.auth.Proof;
import io.dedupstore.server.policy.Facts;
import io.dedupstore.server.s3.S3Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What conditions can ask of a request. Nothing is computed that is not asked for; the object is
 * looked up only for its tags.
 */
final class RequestFacts implements Facts {
    private static final String EXISTING_TAG = "s3:existingobjecttag/";
    private static final String REQUEST_TAG = "s3:requestobjecttag/";
    private static final String TAGGING = "x-amz-tagging";
    private static final String RETAIN_UNTIL = "x-amz-object-lock-retain-until-date";

    /** Keys that are headers of the same name. */
    private static final Set<String> HEADERS =
            Set.of(
                    "x-amz-acl",
                    "x-amz-content-sha256",
                    "x-amz-copy-source",
                    "x-amz-grant-full-control",
                    "x-amz-grant-read",
                    "x-amz-grant-read-acp",
                    "x-amz-grant-write",
                    "x-amz-grant-write-acp",
                    "x-amz-metadata-directive",
                    "x-amz-object-ownership",
                    "x-amz-server-side-encryption",
                    "x-amz-server-side-encryption-aws-kms-key-id",
                    "x-amz-server-side-encryption-customer-algorithm",
                    "x-amz-storage-class",
                    "x-amz-website-redirect-location",
                    "if-match",
                    "if-none-match");

    private final S3Request request;
    private final Principal principal;
    private final String ownerAccount;
    private final Instant now;
    private final Optional<Map<String, String>> tags;
    private final Supplier<Optional<ObjectVersion>> object;

    /**
     * @param ownerAccount of the bucket
     * @param tags that the request gives, where they are not in its head
     * @param object the one there is, looked up when asked for
     */
    RequestFacts(
            S3Request request,
            Principal principal,
            String ownerAccount,
            Instant now,
            Optional<Map<String, String>> tags,
            Supplier<Optional<ObjectVersion>> object) {
        this.request = request;
        this.principal = principal;
        this.ownerAccount = ownerAccount;
        this.now = now;
        this.tags = tags;
        this.object = object;
    }

    @Override
    public List<String> of(String key) {
        return key.startsWith("s3:") ? ofS3(key) : ofAll(key);
    }

    private List<String> ofAll(String key) {
        return switch (key) {
            case "aws:sourceip" -> List.of(request.clientAddress().getHostAddress());
            case "aws:securetransport" -> List.of(Boolean.toString(request.clientSecure()));
            case "aws:useragent" -> one(request.header("user-agent"));
            case "aws:referer" -> one(request.header("referer"));
            case "aws:currenttime" -> List.of(now.toString());
            case "aws:epochtime" -> List.of(Long.toString(now.getEpochSecond()));
            case "aws:resourceaccount" -> List.of(ownerAccount);
            case "aws:principalisawsservice", "aws:viaawsservice" -> List.of("false");
            case "aws:principaltype" -> List.of(type());
            case "aws:userid" ->
                    one(account().map(Principal.Account::userId).or(() -> anonymous()));
            case "aws:principalarn" -> one(account().map(Principal.Account::arn));
            case "aws:principalaccount" -> one(account().map(Principal.Account::accountId));
            case "aws:username" ->
                    one(
                            account()
                                    .map(Principal.Account::who)
                                    .filter(Principal.Who.User.class::isInstance)
                                    .map(who -> ((Principal.Who.User) who).name()));
            default -> List.of();
        };
    }

    private static Optional<String> anonymous() {
        return Optional.of("anonymous");
    }

    private Optional<Principal.Account> account() {
        return principal instanceof Principal.Account account
                ? Optional.of(account)
                : Optional.empty();
    }

    private String type() {
        return account()
                .map(
                        account ->
                                switch (account.who()) {
                                    case Principal.Who.Root root -> "Account";
                                    case Principal.Who.User user -> "User";
                                    case Principal.Who.Role role -> "AssumedRole";
                                })
                .orElse("Anonymous");
    }

    private List<String> ofS3(String key) {
        if (key.startsWith(EXISTING_TAG)) {
            String tag = key.substring(EXISTING_TAG.length());
            return one(
                    object.get()
                            .flatMap(
                                    version ->
                                            Optional.ofNullable(
                                                    version.attributes().tags().get(tag))));
        }
        if (key.startsWith(REQUEST_TAG)) {
            return one(Optional.ofNullable(requestTags().get(key.substring(REQUEST_TAG.length()))));
        }
        String name = key.substring("s3:".length());
        if (HEADERS.contains(name)) {
            return one(request.nonEmptyHeader(name));
        }
        return switch (name) {
            case "prefix", "delimiter", "max-keys" -> one(request.query().first(name));
            case "versionid" -> one(request.query().nonEmpty("versionId"));
            case "requestobjecttagkeys" -> List.copyOf(requestTags().keySet());
            case "object-lock-mode" -> one(request.nonEmptyHeader("x-amz-object-lock-mode"));
            case "object-lock-legal-hold" ->
                    one(request.nonEmptyHeader("x-amz-object-lock-legal-hold"));
            case "object-lock-retain-until-date" -> one(request.nonEmptyHeader(RETAIN_UNTIL));
            case "object-lock-remaining-retention-days" -> one(remainingDays());
            case "resourceaccount" -> List.of(ownerAccount);
            case "authtype" ->
                    one(
                            request.proof()
                                    .map(
                                            proof ->
                                                    switch (proof.place()) {
                                                        case HEADER -> "REST-HEADER";
                                                        case QUERY -> "REST-QUERY-STRING";
                                                        case FORM -> "POST";
                                                    }));
            case "signatureversion" -> one(request.proof().map(Proof::algorithm));
            case "signatureage" -> one(request.proof().flatMap(Proof::time).map(this::ageMillis));
            default -> List.of();
        };
    }

    private String ageMillis(Instant signed) {
        return Long.toString(Math.max(0, Duration.between(signed, now).toMillis()));
    }

    private Optional<String> remainingDays() {
        try {
            return request.nonEmptyHeader(RETAIN_UNTIL)
                    .map(Instant::parse)
                    .map(until -> Long.toString(Duration.between(now, until).toDays()));
        } catch (DateTimeParseException e) {
            // Refused when the header is read.
            return Optional.empty();
        }
    }

    private Map<String, String> requestTags() {
        return tags.orElseGet(() -> parseTags(request.nonEmptyHeader(TAGGING).orElse("")));
    }

    private static Map<String, String> parseTags(String header) {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String pair : header.split("&")) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", 2);
                parsed.put(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1]));
            }
        }
        return parsed;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // Refused when the header is read.
            return text;
        }
    }

    private static List<String> one(Optional<String> value) {
        return value.map(List::of).orElse(List.of());
    }
}
