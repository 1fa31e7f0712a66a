package io.obelus.spark.option;

import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.JavaConverters;

/**
 * The options that hold for one statement. Each name's value comes from the statement ({@code
 * .option("scan.level-0", …)}), else from the session ({@code spark.obelus.scan.level-0}), else
 * from the table. Immutable.
 *
 * <p>A name that a statement of this kind does not know is refused, since what it asks for would
 * not happen: IllegalArgumentException says the name and what is known.
 */
public final class StatementOptions {

  /** What stands before an option's name in a session's settings. */
  public static final String SESSION_PREFIX = "spark.obelus.";

  /** Options that a read may set. */
  private static final Set<String> READ =
      Set.of(
          ReadSettings.LEVEL_ZERO,
          ReadSettings.VECTORIZED,
          ReadSettings.BATCH_SIZE,
          TableOptions.FILE_INDEX_READ,
          TableOptions.READ_CACHE_SIZE,
          "source.split.target-size",
          "source.split.open-file-cost");

  /** Options that a write may set; what they mean is up to {@code spark.write} and the core. */
  private static final Set<String> WRITE =
      Set.of(
          "write-only",
          "target-file-size",
          "file.compression",
          "file.compression.zstd-level",
          "file.block-size",
          "num-sorted-run.compaction-trigger",
          "compaction.size-ratio",
          "compaction.max-size-amplification-percent",
          "commit.max-retries",
          "commit.user-prefix",
          "dynamic-partition-overwrite");

  /** What Spark itself puts among the options of a statement. */
  private static final Set<String> OF_SPARK =
      Set.of(
          "path",
          "versionasof",
          "timestampasof",
          "checkpointlocation",
          "__required_write_privileges__");

  private final TableSchema schema;

  /** By name: statement over session. */
  private final Map<String, String> given;

  private StatementOptions(TableSchema schema, Map<String, String> given) {
    this.schema = schema;
    this.given = given;
  }

  /**
   * The options of a read. What of its history is read is left to {@link ScanPosition} and {@link
   * ScanRange}, of which branch to {@link BranchOption}.
   *
   * @param statement as given to the reader; names in any case
   */
  public static StatementOptions ofRead(TableSchema schema, Map<String, String> statement) {
    return layers(schema, statement, "read", READ);
  }

  /**
   * The options of a write. An option that only a table can have is accepted if it says what the
   * table has anyway.
   *
   * @param statement as given to the writer; names in any case
   */
  public static StatementOptions ofWrite(TableSchema schema, Map<String, String> statement) {
    return layers(schema, statement, "write", WRITE);
  }

  /** Whether {@code name}, in any case, is Spark's own and no option of a table. */
  public static boolean isOfSpark(String name) {
    return OF_SPARK.contains(name.toLowerCase(Locale.ROOT));
  }

  private static StatementOptions layers(
      TableSchema schema, Map<String, String> statement, String kind, Set<String> known) {
    Map<String, String> given = new HashMap<>();
    session()
        .forEach(
            (name, value) -> {
              if (!READ.contains(name) && !WRITE.contains(name)) {
                throw unknown(SESSION_PREFIX + name, "session", union());
              }
              if (known.contains(name)) {
                given.put(name, value);
              }
            });
    statement.forEach(
        (anyCase, value) -> {
          String name = anyCase.toLowerCase(Locale.ROOT);
          if (known.contains(name)) {
            given.put(name, value);
          } else if (!isOfSpark(name)
              && !name.equals(BranchOption.NAME)
              && !(known == WRITE && SchemaMergeOption.NAMES.contains(name))
              && !(known == READ && ofHistory().contains(name))
              && !saysTheSame(schema, name, value)) {
            throw unknown(anyCase, kind, known);
          }
        });
    return new StatementOptions(schema, Collections.unmodifiableMap(given));
  }

  /** Options that say what of a table's history is read. */
  private static Set<String> ofHistory() {
    Set<String> names = new TreeSet<>(ScanPosition.NAMES);
    names.addAll(ScanRange.NAMES);
    return names;
  }

  private static Set<String> union() {
    Set<String> both = new TreeSet<>(READ);
    both.addAll(WRITE);
    return both;
  }

  private static IllegalArgumentException unknown(String name, String kind, Set<String> known) {
    Set<String> names = new TreeSet<>(known);
    if (known == READ) {
      names.addAll(ofHistory());
    } else if (known == WRITE) {
      names.addAll(SchemaMergeOption.NAMES);
    }
    return new IllegalArgumentException(
        "option '"
            + name
            + "' cannot be set for a "
            + kind
            + "; the options of a "
            + kind
            + " are "
            + names
            + ". Options of the table itself are set by CREATE TABLE or ALTER TABLE … SET"
            + " TBLPROPERTIES.");
  }

  private static Map<String, String> session() {
    Map<String, String> settings = new HashMap<>();
    JavaConverters.mapAsJavaMap(SQLConf.get().getAllConfs())
        .forEach(
            (name, value) -> {
              if (name.startsWith(SESSION_PREFIX)) {
                settings.put(name.substring(SESSION_PREFIX.length()), value);
              }
            });
    return settings;
  }

  private static boolean saysTheSame(TableSchema schema, String name, String value) {
    return switch (name) {
      case "primary-key" -> columns(value).equals(schema.primaryKeys());
      case "partition" -> columns(value).equals(schema.partitionKeys());
      default -> value.equals(schema.options().get(name));
    };
  }

  private static List<String> columns(String value) {
    return Arrays.stream(value.split(",")).map(String::strip).toList();
  }

  /** The value that wins; empty if nobody says a word. */
  public Optional<String> get(String name) {
    String value = given.get(name);
    return Optional.ofNullable(value != null ? value : schema.options().get(name));
  }

  /** {@link #get} as {@code true} or {@code false}; anything else is refused. */
  public boolean flag(String name, boolean otherwise) {
    return get(name)
        .map(
            value ->
                switch (value.toLowerCase(Locale.ROOT)) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw bad(name, value, "true or false");
                })
        .orElse(otherwise);
  }

  /** {@link #get} as a whole number in {@code [from, to]}; anything else is refused. */
  public int number(String name, int otherwise, int from, int to) {
    Optional<String> value = get(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    String allowed = "a whole number from " + from + " to " + to;
    try {
      int number = Integer.parseInt(value.get().trim());
      if (number < from || number > to) {
        throw bad(name, value.get(), allowed);
      }
      return number;
    } catch (NumberFormatException e) {
      throw bad(name, value.get(), allowed);
    }
  }

  /** Refuses a value, naming what is allowed. */
  static IllegalArgumentException bad(String name, String value, String allowed) {
    return new IllegalArgumentException(
        "option '" + name + "' should be " + allowed + " but is '" + value + "'");
  }

  /** The table with these options over its own: what the core then reads from its schema holds. */
  public Table applyTo(Table table) {
    if (given.isEmpty()) {
      return table;
    }
    return table.withOptions(given);
  }
}
