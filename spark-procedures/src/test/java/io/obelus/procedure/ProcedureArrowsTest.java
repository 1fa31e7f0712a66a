package io.obelus.procedure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/**
 * A procedure checks arguments, calls {@code core.table.maintenance} and reports what that hands
 * it: it may know buckets and their files by name and size, and nothing of how they are read,
 * written or committed.
 */
@AnalyzeClasses(
    packages = "io.obelus.procedure",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ProcedureArrowsTest {

  @ArchTest
  static void procedures_know_no_formats(JavaClasses all) {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.obelus.core.io",
            "io.obelus.core.file.position",
            "io.obelus.core.file.deletion",
            "io.obelus.core.file.index..",
            "io.obelus.core.bucket.merge",
            "io.obelus.core.table.manifest",
            "io.obelus.core.table.scan",
            "io.obelus.core.table.commit",
            "io.obelus.spark.read",
            "io.obelus.spark.write",
            "io.obelus.spark.rowlevel")
        .check(all);
  }

  @ArchTest
  static void the_sql_of_procedures_knows_no_core(JavaClasses all) {
    noClasses()
        .that()
        .resideInAPackage("io.obelus.procedure.sql")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.obelus.core..")
        .check(all);
  }
}
