package io.dedupstore.server.http;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes a certificate that vouches for itself, for trying things out. ECDSA P-256, two years. */
public final class SelfSignedCertificate {
    private static final Duration VALIDITY = Duration.ofDays(730);
    private static final Duration BACKDATED = Duration.ofDays(1);
    private static final int SERIAL_BITS = 127;
    private static final Pattern IP_ADDRESS =
            Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private SelfSignedCertificate() {}

    /**
     * Writes a new pair unless both files are there.
     *
     * @param names DNS names and IP addresses the certificate is for; the first names its subject
     */
    public static void writeIfAbsent(
            Path certificateFile, Path keyFile, List<String> names, Instant now)
            throws IOException {
        if (Files.exists(certificateFile) && Files.exists(keyFile)) {
            return;
        }
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            writePrivate(keyFile, pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
            Files.writeString(certificateFile, pem("CERTIFICATE", certificate(pair, names, now)));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("can't make a self-signed certificate: " + e.getMessage(), e);
        }
    }

    private static byte[] certificate(KeyPair pair, List<String> names, Instant now)
            throws IOException, OperatorCreationException {
        X500Name subject = new X500Name("CN=" + names.getFirst());
        X509v3CertificateBuilder builder =
                new JcaX509v3CertificateBuilder(
                        subject,
                        new BigInteger(SERIAL_BITS, new SecureRandom()),
                        Date.from(now.minus(BACKDATED)),
                        Date.from(now.plus(VALIDITY)),
                        subject,
                        pair.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(
                Extension.extendedKeyUsage,
                false,
                new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
        ContentSigner signer =
                new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate());
        return builder.build(signer).getEncoded();
    }

    private static GeneralNames alternatives(List<String> names) {
        return new GeneralNames(
                names.stream()
                        .map(
                                name ->
                                        new GeneralName(
                                                IP_ADDRESS.matcher(name).matches()
                                                        ? GeneralName.iPAddress
                                                        : GeneralName.dNSName,
                                                name))
                        .toArray(GeneralName[]::new));
    }

    private static void writePrivate(Path file, String text) throws IOException {
        FileAttribute<?> ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Files.deleteIfExists(file);
        try (var channel =
                Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        ownerOnly)) {
            channel.write(StandardCharsets.US_ASCII.encode(text));
        }
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        label,
                        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der),
                        label);
    }
}
