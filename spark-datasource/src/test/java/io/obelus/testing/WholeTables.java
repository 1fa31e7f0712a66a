package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.verify.Finding;
import io.obelus.core.table.verify.Verify;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The oracle of tests that make tables: nothing may be wrong with what they leave behind.
 *
 * <p>No test has to ask for it. The directories that tests get are watched; what has changed below
 * them is looked at after each test ({@link WholeTablesExtension}, and a trait of the Scala suites)
 * and before a statement drops or replaces a table ({@link DropWatch}). Thread-safe.
 */
public final class WholeTables {

  private static final Set<Path> WATCHED = new LinkedHashSet<>();

  /** What the files of each table were when it was looked at. */
  private static final Map<Path, Integer> SEEN = new HashMap<>();

  /** Tables that Paimon has committed to. */
  private static final Set<Path> OF_PAIMON = ConcurrentHashMap.newKeySet();

  private static DamagesTables damage;

  private WholeTables() {}

  /** Tables below a directory, which it returns, are looked at from now on. */
  public static synchronized Path watch(Path directory) {
    WATCHED.add(directory);
    return directory;
  }

  /** What is damaged on purpose from now on; null if nothing is. */
  public static synchronized void expect(DamagesTables onPurpose) {
    damage = onPurpose;
  }

  /** Checks each table and branch that has changed. */
  public static synchronized void look() throws IOException {
    for (Path table : changed()) {
      if (damage == null || damage.finds().length > 0) {
        checkWithBranches(table);
      }
    }
  }

  /** Takes what has changed as it is. */
  public static synchronized void forget() throws IOException {
    changed();
  }

  private static List<Path> changed() throws IOException {
    WATCHED.removeIf(directory -> !Files.exists(directory));
    SEEN.keySet().removeIf(table -> !Files.exists(table));
    List<Path> changed = new ArrayList<>();
    for (Path directory : WATCHED) {
      tables(directory)
          .forEach(
              (table, hash) -> {
                if (!hash.equals(SEEN.put(table, hash))) {
                  changed.add(table);
                }
              });
    }
    return changed;
  }

  private static void checkWithBranches(Path directory) throws IOException {
    CoreTable table = CoreTable.open(directory);
    List<String> allowed = damage == null ? List.of() : List.of(damage.finds());
    check(table.table(), directory, allowed);
    for (String branch : table.table().branches().names()) {
      check(table.onBranch(branch).table(), directory + " branch " + branch, allowed);
    }
  }

  /** The tables below a directory, each with a hash of its files. */
  private static Map<Path, Integer> tables(Path directory) throws IOException {
    Map<Path, Integer> tables = new HashMap<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes attributes)
              throws IOException {
            if (at.getFileName().toString().startsWith(".")) {
              return FileVisitResult.SKIP_SUBTREE; // a table that is being dropped
            }
            if (!isTable(at)) {
              return FileVisitResult.CONTINUE;
            }
            tables.put(at, hashOfFiles(at));
            return FileVisitResult.SKIP_SUBTREE;
          }
        });
    return tables;
  }

  private static boolean isTable(Path directory) throws IOException {
    TableDirectory names = new TableDirectory(directory.toString());
    if (!Files.isDirectory(Path.of(names.schemas()))) {
      return false;
    }
    try (Stream<Path> files = Files.list(Path.of(names.schemas()))) {
      return files.anyMatch(file -> file.getFileName().toString().matches("schema-\\d+"));
    }
  }

  private static int hashOfFiles(Path table) throws IOException {
    int[] hash = new int[1];
    Files.walkFileTree(
        table,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            hash[0] += Objects.hash(file, attributes.lastModifiedTime(), attributes.size());
            return FileVisitResult.CONTINUE;
          }
        });
    return hash[0];
  }

  /**
   * Reads all there is of a table's newest snapshot.
   *
   * @param history what was done to it, for the message
   */
  public static void check(Table table, Object history) throws IOException {
    Table main = Table.open(table.storage(), table.directory().root(), table.name());
    boolean branch = !table.directory().isMain();
    check(branch ? main.onBranch(table.directory().branch()) : main, history, List.of());
  }

  private static void check(Table table, Object history, List<String> allowed) throws IOException {
    boolean ofPaimon = OF_PAIMON.contains(Path.of(table.directory().root()));
    assertThat(Verify.all(table, null, Verify.Level.FULL, 1))
        .as("%s", history)
        .filteredOn(finding -> !(ofPaimon && isLeftBehind(finding)))
        .filteredOn(finding -> !allowed.contains(finding.check()))
        .isEmpty();
  }

  /** Paimon's compaction may leave the bitmap of a file that it removed; that is a warning. */
  private static boolean isLeftBehind(Finding finding) {
    return finding.severity() == Finding.Severity.WARNING
        && finding.check().equals("deletion_bitmap");
  }

  /** Paimon commits to a table, which may then hold what only Paimon leaves behind. */
  static void paimonCommitsTo(Path table) {
    OF_PAIMON.add(table);
  }

  /** As the other form, for the table in a directory. */
  public static void check(Path directory, Object history) throws IOException {
    check(CoreTable.open(directory).table(), history);
  }
}
