package io.obelus;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Small to large: a package may use an earlier line, never its line-mates and never a later line.
 *
 * <p>Doubles as the table of contents of the module: a class outside these packages fails the
 * build.
 */
@AnalyzeClasses(packages = "io.obelus", importOptions = ArrowsTest.MainClasses.class)
class ArrowsTest {

  private static final List<Set<String>> LINES =
      List.of(
          Set.of("core.io", "core.row"),
          Set.of("core.file.position", "core.bucket.merge"),
          Set.of("core.file.deletion", "core.file.index..", "core.file.data", "core.file.hash"),
          Set.of("core.bucket"),
          Set.of("core.table.schema"),
          Set.of("core.table.manifest"),
          Set.of("core.table.snapshot"),
          Set.of("core.table.scan", "core.table.commit"),
          Set.of("core.table.maintenance", "core.table.inspect", "core.table.verify"),
          Set.of("core.catalog"),
          Set.of("spark.option", "spark.expression"),
          Set.of("spark.read", "spark.write"),
          Set.of("spark.rowlevel"),
          Set.of("spark"),
          Set.of("spark.plan"));

  /**
   * Each library has its landlords. Spark's Parquet reader takes Hadoop's configuration and splits
   * and Scala's Option, so its landlord knows these too.
   */
  private static final Map<String, Set<String>> LIBRARIES =
      Map.of(
          "io.airlift..", Set.of("core.file.data"),
          "org.apache.hadoop.fs..", Set.of("core.io"),
          "org.apache.hadoop..", Set.of("core.io", "core.file.data"),
          "org.apache.parquet..", Set.of("core.file.data"),
          "org.roaringbitmap..", Set.of("core.file.."),
          "org.apache.avro..", Set.of("core.table.manifest"),
          "com.fasterxml.jackson..", Set.of("core.table.."),
          "org.apache.spark.sql.connector..", Set.of("spark.."),
          "org.apache.spark.sql.execution.datasources.parquet..", Set.of("core.file.data"),
          "scala..", Set.of("spark..", "core.file.data"));

  @ArchTest
  static void every_class_has_a_home(JavaClasses all) {
    classes().should().resideInAnyPackage(names(LINES.stream().flatMap(Set::stream))).check(all);
  }

  @ArchTest
  static void arrows_point_from_large_to_small(JavaClasses all) {
    for (int i = 0; i < LINES.size(); i++) {
      for (String home : LINES.get(i)) {
        Stream<String> closed =
            LINES.stream().skip(i).flatMap(Set::stream).filter(p -> !p.equals(home));
        noClasses()
            .that()
            .resideInAPackage("io.obelus." + home)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(names(closed))
            .allowEmptyShould(true)
            .check(all);
      }
    }
  }

  @ArchTest
  static void a_library_is_known_to_its_landlords_only(JavaClasses all) {
    LIBRARIES.forEach(
        (library, homes) ->
            noClasses()
                .that()
                .resideOutsideOfPackages(names(homes.stream()))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(all));
  }

  @ArchTest
  static void the_core_needs_no_session(JavaClasses all) {
    noClasses()
        .that()
        .resideInAPackage("io.obelus.core..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.apache.spark.sql.SparkSession")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.apache.spark.sql.Dataset")
        .check(all);
  }

  static final class MainClasses implements ImportOption {
    private static final Pattern TESTS = Pattern.compile(".*/target/(.*/)?test(-classes)?/.*");

    @Override
    public boolean includes(Location location) {
      return !location.matches(TESTS);
    }
  }

  private static String[] names(Stream<String> packages) {
    return packages.map(p -> "io.obelus." + p).toArray(String[]::new);
  }
}
