package io.dedupstore.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The one dependency rule: imports point downwards, from the command line to what it uses. */
class ArchitectureTest {
    private static final String BASE = "io.dedupstore.client.";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.dedupstore.client");

    @Test
    void packagesDependOnEachOtherWithoutCycles() {
        slices().matching(BASE + "(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void nobodyKnowsTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BASE + "cli..", "picocli..")
                .check(CLASSES);
    }

    @Test
    void theAdminApiAndTheReaderOfS3KnowNothingAboveThem() {
        noClasses()
                .that()
                .resideInAPackage(BASE + "admin..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BASE + "s3..", BASE + "estimate..", "io.dedupstore.core..")
                .because("the server imports these records")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(BASE + "s3..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BASE + "admin..", BASE + "estimate..")
                .check(CLASSES);
    }

    @Test
    void aClientHasNothingOfAServer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dedupstore.server..",
                        "io.dedupstore.core.kv..",
                        "io.dedupstore.core.index..",
                        "io.dedupstore.core.control..",
                        "io.dedupstore.core.container..",
                        "org.rocksdb..")
                .check(CLASSES);
    }
}
