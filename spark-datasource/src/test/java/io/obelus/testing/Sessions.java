package io.obelus.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The Spark session that all tests of a JVM share: two cores, two shuffle partitions, no UI, UTC.
 * Its warehouse is a fresh directory; catalog {@code obelus} is ours, and so is {@code
 * spark_catalog}. A test works in a database or directory of its own.
 */
public final class Sessions {

  private static SparkSession session;
  private static Path warehouse;

  private Sessions() {}

  /** The session; started by the first caller. */
  public static synchronized SparkSession get() {
    if (session == null) {
      warehouse = fresh("warehouse");
      session =
          SparkSession.builder()
              .master("local[2]")
              .appName("tests")
              .config("spark.ui.enabled", false)
              .config("spark.sql.shuffle.partitions", 2)
              .config("spark.sql.session.timeZone", "UTC")
              .config("spark.sql.datetime.java8API.enabled", true)
              .config("spark.sql.warehouse.dir", warehouse.toUri().toString())
              .config("spark.sql.catalog.obelus", "io.obelus.spark.ObelusCatalog")
              .config("spark.sql.catalog.spark_catalog", "io.obelus.spark.ObelusSessionCatalog")
              .withExtensions(new DropWatch())
              .getOrCreate();
      session.sparkContext().setLogLevel("WARN");
    }
    SparkSession.setActiveSession(session);
    return session;
  }

  /** The warehouse of both catalogs. */
  public static Path warehouse() {
    get();
    return warehouse;
  }

  /** A fresh directory, deleted when the JVM ends. Tables in it are looked at after each test. */
  public static Path fresh(String name) {
    try {
      Path directory = Files.createTempDirectory("obelus-" + name + "-").toRealPath();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(directory)));
      return WholeTables.watch(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteAll(Path directory) {
    try (var files = Files.walk(directory)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // a test's left-over in the temporary directory hurts nobody
    }
  }
}
