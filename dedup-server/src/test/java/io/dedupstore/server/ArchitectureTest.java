package io.dedupstore.server;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.dedupstore.core.sigv4.PayloadHasher;
import java.security.MessageDigest;
import javax.crypto.Mac;
import org.junit.jupiter.api.Test;

/** The one dependency rule: imports point downwards, and only the root package composes. */
class ArchitectureTest {
    private static final String BASE = "io.dedupstore.server.";

    /** What fronts stand on: they know nobody above. */
    private static final String[] GROUND = {
        BASE + "http..", BASE + "auth..", BASE + "metrics..", BASE + "keys..", BASE + "policy.."
    };

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.dedupstore.server");

    @Test
    void packagesDependOnEachOtherWithoutCycles() {
        slices().matching(BASE + "(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void siblingsNeverSeeEachOther() {
        slices().matching(BASE + "(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAnyPackage(GROUND))
                .check(CLASSES);
    }

    @Test
    void theGroundKnowsNothingAboveIt() {
        noClasses()
                .that(resideInAnyPackage(GROUND))
                .should()
                .dependOnClassesThat(
                        resideInAPackage(BASE + "(*)..").and(not(resideInAnyPackage(GROUND))))
                .check(CLASSES);
        noClasses()
                .that(resideInAnyPackage(BASE + "http..", BASE + "metrics.."))
                .should()
                .dependOnClassesThat(resideInAPackage(BASE + "auth.."))
                .check(CLASSES);
    }

    /**
     * Whatever hashes bytes of requests goes through the hashing engine, where lanes are shared.
     */
    @Test
    void nothingHereComputesDigests() {
        noClasses()
                .should()
                .callMethod(MessageDigest.class, "getInstance", String.class)
                .orShould()
                .callMethod(Mac.class, "getInstance", String.class)
                .orShould()
                .callMethod(PayloadHasher.class, "jdk")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.commons.codec.digest..")
                .check(CLASSES);
    }

    @Test
    void onlyTheRootComposesAndNobodyKnowsIt() {
        noClasses()
                .that(resideInAPackage(BASE + "(*).."))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dedupstore.server")
                .check(CLASSES);
        noClasses()
                .that(
                        resideInAPackage(BASE + "(*)..")
                                .and(not(resideInAPackage(BASE + "config.."))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BASE + "config..")
                .because("a package is told what it needs, not where that was set")
                .check(CLASSES);
    }

    @Test
    void thirdPartiesStayBehindTheirFences() {
        fence("io.netty..", BASE + "http..");
        fence("org.apache.ratis..", BASE + "raft..");
        fence("org.bouncycastle..", BASE + "http..");
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.rocksdb..", "io.grpc..")
                .check(CLASSES);
    }

    @Test
    void onlyTheAdminApiSpeaksTheClientsRecords() {
        noClasses()
                .that(not(resideInAnyPackage(BASE + "admin..", "io.dedupstore.server")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dedupstore.client..")
                .check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dedupstore.client.cli..")
                .check(CLASSES);
    }

    private static void fence(String thirdParty, String only) {
        noClasses()
                .that(not(resideInAPackage(only)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(thirdParty)
                .check(CLASSES);
    }
}
