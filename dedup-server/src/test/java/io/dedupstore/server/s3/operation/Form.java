package io.dedupstore.server.s3.operation;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A browser's form, as a browser sends it. */
final class Form {
    private static final String BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
    private static final String DAY = "20260102";

    private final Map<String, String> fields = new LinkedHashMap<>();
    private byte[] file = new byte[0];
    private String fileName = "";
    private boolean withFile;
    private String behind = "";

    Form field(String name, String value) {
        fields.put(name, value);
        return this;
    }

    Form without(String name) {
        fields.remove(name);
        return this;
    }

    Form file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    Form file(String name, byte[] content) {
        fileName = name;
        file = content;
        withFile = true;
        return this;
    }

    /** A field behind the file. */
    Form behind(String name, String value) {
        behind = part(name) + value + "\r\n";
        return this;
    }

    /** Signs with version 2. */
    Form signed2(String policy) {
        String base64 = base64(policy);
        return field("AWSAccessKeyId", TestGateway.ACCESS_KEY)
                .field("policy", base64)
                .field(
                        "signature",
                        Base64.getEncoder()
                                .encodeToString(
                                        mac(
                                                "HmacSHA1",
                                                TestGateway.SECRET.getBytes(StandardCharsets.UTF_8),
                                                base64)));
    }

    /** Conditions that the fields of {@link #signed4} need. */
    static String conditions4() {
        return """
        {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
        {"x-amz-credential": "%s"},
        {"x-amz-date": "%sT000000Z"}"""
                .formatted(credential(), DAY);
    }

    Form signed4(String policy) {
        String base64 = base64(policy);
        byte[] key = ("AWS4" + TestGateway.SECRET).getBytes(StandardCharsets.UTF_8);
        for (String step : new String[] {DAY, "us-east-1", "s3", "aws4_request", base64}) {
            key = mac("HmacSHA256", key, step);
        }
        return field("x-amz-algorithm", "AWS4-HMAC-SHA256")
                .field("x-amz-credential", credential())
                .field("x-amz-date", DAY + "T000000Z")
                .field("policy", base64)
                .field("x-amz-signature", HexFormat.of().formatHex(key));
    }

    Call to(String bucket) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        fields.forEach((name, value) -> write(body, part(name) + value + "\r\n"));
        if (withFile) {
            write(
                    body,
                    "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: image/x-of-browser\r\n\r\n"
                            .formatted(BOUNDARY, fileName));
            body.writeBytes(file);
            write(body, "\r\n");
        }
        write(body, behind + "--" + BOUNDARY + "--\r\n");
        return new Call("POST", "/" + bucket)
                .header("content-type", "multipart/form-data; boundary=" + BOUNDARY)
                .body(body.toByteArray());
    }

    private static String credential() {
        return TestGateway.ACCESS_KEY + "/" + DAY + "/us-east-1/s3/aws4_request";
    }

    private static String part(String name) {
        return "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n"
                .formatted(BOUNDARY, name);
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] mac(String algorithm, byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
