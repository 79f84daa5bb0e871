package io.dedupstore.core;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import org.junit.jupiter.api.Test;

/** The one dependency rule: imports point downwards, and siblings never see each other. */
class ArchitectureTest {
    private static final String BASE = "io.dedupstore.core.";

    /** The shared language, ports and kernels: everybody may use them, they know nobody above. */
    private static final String[] GROUND = {
        BASE + "model..",
        BASE + "io..",
        BASE + "kv..",
        BASE + "jni..",
        BASE + "state..",
        BASE + "spi..",
        BASE + "checksum.."
    };

    private static final String[] COMPOSING = {BASE + "object..", BASE + "maintenance.."};

    /**
     * Digests of keys and of a few hundred bytes; the checksum of a record at rest, which lies
     * below the engine; and the hasher of clients, who have no engine.
     */
    private static final DescribedPredicate<JavaClass> NOT_OF_CONTENT =
            DescribedPredicate.describe(
                    "have no content to hash",
                    type ->
                            List.of(
                                            BASE + "checksum.AtRestChecksum",
                                            BASE + "control.SecretCipher",
                                            BASE + "cipher.KeyDigest",
                                            BASE + "cipher.RootKey",
                                            BASE + "chunking.GearTable",
                                            BASE + "sigv4.PayloadHasher",
                                            BASE + "sigv4.SigV2Verifier",
                                            BASE + "sigv4.Hmac")
                                    .contains(type.getName().replaceFirst("\\$.*", "")));

    /**
     * Where replicated commands are applied: the same log must give the same state on every
     * replica.
     */
    private static final String[] STATE_MACHINES = {
        BASE + "index..", BASE + "metadata..", BASE + "control..", BASE + "state.."
    };

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.dedupstore.core");

    @Test
    void packagesDependOnEachOtherWithoutCycles() {
        slices().matching(BASE + "(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void siblingsNeverSeeEachOther() {
        slices().matching(BASE + "(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAnyPackage(COMPOSING), alwaysTrue())
                .ignoreDependency(alwaysTrue(), resideInAnyPackage(GROUND))
                .check(CLASSES);
    }

    @Test
    void theGroundKnowsNothingAboveIt() {
        noClasses()
                .that(resideInAnyPackage(GROUND))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.dedupstore..")
                                .and(DescribedPredicate.not(resideInAnyPackage(GROUND))))
                .check(CLASSES);
        noClasses()
                .that(resideInAPackage(BASE + "model.."))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.dedupstore..")
                                .and(DescribedPredicate.not(resideInAPackage(BASE + "model.."))))
                .check(CLASSES);
    }

    @Test
    void thirdPartiesStayBehindTheirFences() {
        fence("org.rocksdb..", BASE + "kv..");
        fence("com.github.luben..", BASE + "compression..");
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.ratis..", "io.netty..", "io.grpc..")
                .check(CLASSES);
    }

    @Test
    void nativeMethodsAreDeclaredInOnePlace() {
        methods()
                .that()
                .haveModifier(JavaModifier.NATIVE)
                .should()
                .beDeclaredInClassesThat()
                .resideInAPackage(BASE + "jni..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** Who has bytes to hash goes through the engine, where lanes are shared. */
    @Test
    void nothingButTheEngineComputesDigestsOfContent() {
        noClasses()
                .that(DescribedPredicate.not(resideInAPackage(BASE + "fingerprint..")))
                .and(DescribedPredicate.not(NOT_OF_CONTENT))
                .should()
                .callMethod(MessageDigest.class, "getInstance", String.class)
                .orShould()
                .callMethod(Mac.class, "getInstance", String.class)
                .check(CLASSES);
        noClasses()
                .that(
                        DescribedPredicate.not(
                                resideInAnyPackage(BASE + "fingerprint..", BASE + "jni..")))
                .should()
                .dependOnClassesThat(
                        DescribedPredicate.describe(
                                "are kernels of digests",
                                type ->
                                        type.getName().startsWith(BASE + "jni.NativeDigest")
                                                || type.getName()
                                                        .startsWith(BASE + "jni.NativeSha256")))
                .check(CLASSES);
    }

    @Test
    void stateMachinesArePure() {
        noClasses()
                .that(resideInAnyPackage(STATE_MACHINES))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.nio.file..", "java.net..", "java.nio.channels..")
                                .or(
                                        DescribedPredicate.describe(
                                                "are a source of time or chance",
                                                ArchitectureTest::isImpure)))
                .check(CLASSES);
    }

    @Test
    void clockAndRandomnessAreInjected() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callMethod(ThreadLocalRandom.class, "current")
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .callConstructor(SecureRandom.class)
                .check(CLASSES);
    }

    private static boolean isImpure(JavaClass type) {
        return type.isEquivalentTo(Clock.class)
                || type.isEquivalentTo(Thread.class)
                || type.isAssignableTo(Random.class);
    }

    private static void fence(String thirdParty, String only) {
        noClasses()
                .that(DescribedPredicate.not(resideInAPackage(only)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(thirdParty)
                .check(CLASSES);
    }
}
