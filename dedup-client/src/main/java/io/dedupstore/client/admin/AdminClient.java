package io.dedupstore.client.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dedupstore.client.tls.AnyCertificate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The admin API's client: one method per operation, blocking, for any number of threads.
 *
 * <p>All methods throw {@link AdminClientException}.
 */
public final class AdminClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Compaction may rewrite many containers before it answers. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(30);

    private final AdminConnection connection;
    private final HttpClient http;
    private final ObjectMapper json = AdminJson.lenient();

    public AdminClient(AdminConnection connection) {
        this.connection = connection;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT);
        if (connection.trustAnyCertificate()) {
            builder.sslContext(AnyCertificate.context());
        }
        this.http = builder.build();
    }

    public StatsReport stats() {
        return get("/v1/stats", StatsReport.class);
    }

    public StatusReport status() {
        return get("/v1/status", StatusReport.class);
    }

    public HashReport hash() {
        return get("/v1/hash", HashReport.class);
    }

    /** Sets how many threads hash, until the server ends. */
    public HashReport setHashPrimaries(int primaries) {
        return send(
                request("/v1/hash")
                        .header("Content-Type", "application/json")
                        .PUT(publish(new HashSetting(primaries)))
                        .build(),
                HashReport.class);
    }

    public BucketList buckets() {
        return get("/v1/buckets", BucketList.class);
    }

    public BucketReport createBucket(NewBucket bucket) {
        return post("/v1/buckets", bucket, BucketReport.class);
    }

    // ---- keys of encryption ----

    public NamedKeyList keys() {
        return get("/v1/keys", NamedKeyList.class);
    }

    public NamedKeyReport createKey(NewKey key) {
        return post("/v1/keys", key, NamedKeyReport.class);
    }

    /** Gives a key new material and wraps anew what the old had wrapped. */
    public NamedKeyReport rotateKey(String id) {
        return post("/v1/keys/rotate", new KeyName(id), NamedKeyReport.class);
    }

    public NamedKeyReport enableKey(String id, boolean enabled) {
        return send(
                request("/v1/keys")
                        .header("Content-Type", "application/json")
                        .PUT(publish(new KeySetting(id, enabled)))
                        .build(),
                NamedKeyReport.class);
    }

    // ---- the node ----

    // ---- accounts ----

    public AccountList accounts() {
        return get("/v1/accounts", AccountList.class);
    }

    public AccountReport account(String id) {
        return get("/v1/accounts/" + encode(id), AccountReport.class);
    }

    /** The answer holds the secret of its first key, which is never told again. */
    public AccountReport createAccount(NewAccount account) {
        return post("/v1/accounts", account, AccountReport.class);
    }

    public UserList users(String account) {
        return get("/v1/accounts/" + encode(account) + "/users", UserList.class);
    }

    public UserReport createUser(String account, NewUser user) {
        return post("/v1/accounts/" + encode(account) + "/users", user, UserReport.class);
    }

    /** With its access keys. */
    public void deleteUser(String account, String name) {
        delete("/v1/accounts/" + encode(account) + "/users/" + encode(name));
    }

    /**
     * The answer holds the secret, which is never told again.
     *
     * @param user who gets it; the account itself where there is none
     */
    public AccessKeyReport createKey(String account, @Nullable String user, NewAccessKey wanted) {
        String of = "/v1/accounts/" + encode(account);
        return post(
                user == null ? of + "/keys" : of + "/users/" + encode(user) + "/keys",
                wanted,
                AccessKeyReport.class);
    }

    public AccessKeyReport setKeyActive(String accessKey, boolean active) {
        return send(
                request("/v1/access-keys/" + encode(accessKey))
                        .header("Content-Type", "application/json")
                        .PUT(publish(new AccessKeySetting(active)))
                        .build(),
                AccessKeyReport.class);
    }

    public void deleteKey(String accessKey) {
        delete("/v1/access-keys/" + encode(accessKey));
    }

    private void delete(String path) {
        exchange(request(path).DELETE().build());
    }

    public SessionList sessions() {
        return get("/v1/sessions", SessionList.class);
    }

    /** Runs one round of compaction and waits for its end. */
    public CompactionReport compact() {
        return send(
                request("/v1/compact").POST(HttpRequest.BodyPublishers.noBody()).build(),
                CompactionReport.class);
    }

    public ScrubReport scrub() {
        return get("/v1/scrub", ScrubReport.class);
    }

    /** Has a scrub begin unless one is running. */
    public ScrubReport startScrub() {
        return send(
                request("/v1/scrub").POST(HttpRequest.BodyPublishers.noBody()).build(),
                ScrubReport.class);
    }

    public HistogramReport indexHistogram() {
        return get("/v1/index/histogram", HistogramReport.class);
    }

    // ---- index ----

    public IndexReport index() {
        return get("/v1/index", IndexReport.class);
    }

    public QuotaReport indexQuota() {
        return get("/v1/index/quota", QuotaReport.class);
    }

    /**
     * @param quota none, auto, bytes like 4GiB, or a number like "1000000 entries"
     */
    public QuotaReport setIndexQuota(String quota) {
        return send(
                request("/v1/index/quota")
                        .header("Content-Type", "application/json")
                        .PUT(publish(new QuotaSetting(quota)))
                        .build(),
                QuotaReport.class);
    }

    /**
     * Begins to prune the oldest entries with one reference; the result is a {@link PruneReport}.
     *
     * @param by {@code olderThan}, {@code percent} or {@code entries}
     * @param value such as 30d, 10 or 1000000
     */
    public JobReport pruneIndex(String by, String value, boolean dryRun) {
        return start("/v1/index/prune?%s=%s&dryRun=%s".formatted(by, encode(value), dryRun));
    }

    /**
     * Begins to read the index into memory; the result is a {@link PreloadReport}.
     *
     * @param what {@code all} or {@code filters}
     */
    public JobReport preloadIndex(String what) {
        return start("/v1/index/preload?what=" + encode(what));
    }

    /** Begins to give the space of deleted entries back; the result is a {@link ShrinkReport}. */
    public JobReport shrinkIndex() {
        return start("/v1/index/shrink");
    }

    /**
     * Begins to write what is only in logs and memory to tables; the result is a {@link
     * DrainReport}.
     */
    public JobReport drainIndex() {
        return start("/v1/index/drain");
    }

    /**
     * Begins to throw the index away and to make it anew from manifests; the result is a {@link
     * RebuildReport}. Writes go on without it meanwhile.
     */
    public JobReport rebuildIndex() {
        return start("/v1/index/rebuild");
    }

    /**
     * Begins to compare manifests, index and slots; the result is a {@link VerifyReport}.
     *
     * @param differences how many are named at most
     */
    public JobReport verifyIndex(int differences) {
        return start("/v1/index/verify?differences=" + differences);
    }

    // ---- jobs ----

    public JobList jobs() {
        return get("/v1/jobs", JobList.class);
    }

    public JobReport job(long id) {
        return get("/v1/jobs/" + id, JobReport.class);
    }

    /** Asks a job to end; it does so soon. */
    public JobReport cancelJob(long id) {
        return start("/v1/jobs/" + id + "/cancel");
    }

    /** What came of a job that has ended. */
    public <T> T result(JobReport job, Class<T> type) {
        if (job.result() == null) {
            throw new AdminClientException(
                    "job-failed",
                    "job %d (%s) %s without a result: %s"
                            .formatted(
                                    job.id(),
                                    job.kind(),
                                    job.state(),
                                    String.join("; ", job.errors())));
        }
        try {
            return json.treeToValue(job.result(), type);
        } catch (JsonProcessingException e) {
            throw new AdminClientException(
                    AdminClientException.BAD_ANSWER,
                    "the result of job " + job.id() + " is not understood",
                    e);
        }
    }

    private JobReport start(String path) {
        return send(
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), JobReport.class);
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Metrics in Prometheus' text format. */
    public String metrics() {
        return exchange(request("/metrics").GET().build());
    }

    @Override
    public void close() {
        http.close();
    }

    private <T> T get(String path, Class<T> type) {
        return send(request(path).GET().build(), type);
    }

    private <T> T post(String path, Object body, Class<T> type) {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(publish(body))
                        .build(),
                type);
    }

    private HttpRequest.BodyPublisher publish(Object body) {
        try {
            return HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("can't be written as JSON: " + body, e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(connection.endpoint().resolve(path))
                .timeout(ANSWER_TIMEOUT)
                .header("Authorization", "Bearer " + connection.token());
    }

    private <T> T send(HttpRequest request, Class<T> type) {
        String body = exchange(request);
        try {
            return json.readValue(body, type);
        } catch (JsonProcessingException e) {
            throw new AdminClientException(
                    AdminClientException.BAD_ANSWER,
                    connection.endpoint()
                            + " answered something else than a DedupStore admin API would; is it the"
                            + " admin port?",
                    e);
        }
    }

    private String exchange(HttpRequest request) {
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (response.statusCode() / 100 == 2) {
                return response.body();
            }
            throw refused(response);
        } catch (ConnectException e) {
            throw new AdminClientException(
                    AdminClientException.UNREACHABLE,
                    "no server answers at " + connection.endpoint() + "; is it running?",
                    e);
        } catch (IOException e) {
            throw new AdminClientException(
                    AdminClientException.UNREACHABLE,
                    "no answer from " + connection.endpoint() + ": " + e,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AdminClientException(
                    AdminClientException.UNREACHABLE, "interrupted while waiting for an answer", e);
        }
    }

    private AdminClientException refused(HttpResponse<String> response) {
        try {
            Problem problem = json.readValue(response.body(), Problem.class);
            return new AdminClientException(problem.code(), problem.detail());
        } catch (JsonProcessingException e) {
            return new AdminClientException(
                    AdminClientException.BAD_ANSWER,
                    connection.endpoint() + " answered with status " + response.statusCode(),
                    e);
        }
    }
}
