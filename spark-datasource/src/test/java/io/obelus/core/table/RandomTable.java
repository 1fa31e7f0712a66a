package io.obelus.core.table;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.testing.RandomIndexes;
import io.obelus.testing.RandomRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** What a keyed table may look like that we and Paimon both write. */
record RandomTable(
    RowType columns, List<String> partition, List<String> primaryKey, Map<String, String> options) {

  private static final List<String> KEY_TYPES =
      List.of(
          "INT",
          "BIGINT",
          "STRING",
          "DATE",
          "DECIMAL(9, 2)",
          "DECIMAL(22, 3)",
          "SMALLINT",
          "BOOLEAN",
          "VARCHAR(40)",
          "TIMESTAMP(3)",
          "TIMESTAMP(6) WITH LOCAL TIME ZONE");

  private static final List<String> PARTITION_TYPES =
      List.of("INT", "STRING", "DATE", "BOOLEAN", "DECIMAL(5, 1)");

  private static final List<String> SEQUENCE_TYPES =
      List.of("INT", "BIGINT", "DATE", "TIMESTAMP(3)", "DECIMAL(30, 2)", "STRING");

  /** Name and values of each. */
  private static final List<List<String>> RARE_OPTIONS =
      List.of(
          List.of("num-levels", "2", "3", "5"),
          List.of("target-file-size", "1 kb"),
          List.of("data-file.thin-mode", "true"),
          List.of("file.compression", "snappy", "uncompressed", "gzip", "lz4"),
          List.of("metadata.stats-mode", "none", "counts", "full", "truncate(3)"),
          List.of("metadata.stats-dense-store", "false"),
          List.of("manifest.merge-min-count", "2"),
          List.of("manifest.full-compaction-threshold-size", "1 kb"),
          List.of("parquet.enable.dictionary", "false"),
          List.of("compaction.max-size-amplification-percent", "20"));

  /**
   * Draws one.
   *
   * @param given options that it has in any case
   * @param bySequence whether it has sequence fields
   */
  static RandomTable draw(Random random, Map<String, String> given, boolean bySequence) {
    List<Column> columns = new ArrayList<>();
    List<String> partition =
        add(columns, "p", " NOT NULL", PARTITION_TYPES, Math.max(0, random.nextInt(6) - 3), random);
    List<String> key = add(columns, "k", " NOT NULL", KEY_TYPES, 1 + random.nextInt(2), random);
    Map<String, String> options = new HashMap<>(given);
    if (bySequence) {
      List<String> fields = add(columns, "s", "", SEQUENCE_TYPES, 1 + random.nextInt(2), random);
      options.put("sequence.field", String.join(",", fields));
      if (random.nextInt(3) == 0) {
        options.put("sequence.field.sort-order", "descending");
      }
    }
    for (int i = random.nextInt(5); i > 0; i--) {
      columns.add(new Column(0, "v" + i, valueType(random)));
    }
    Collections.shuffle(columns, random);
    List<String> primaryKey = new ArrayList<>(partition);
    primaryKey.addAll(key);
    Collections.shuffle(primaryKey, random);
    if (key.size() > 1 && random.nextInt(6) == 0) {
      options.put("bucket-key", key.get(random.nextInt(2)));
    }
    addOptions(random, options);
    if (random.nextBoolean()) {
      options.putAll(RandomIndexes.forAnyValues(random, new RowType(columns), 0.3));
    }
    return new RandomTable(RandomRows.numbered(columns), partition, primaryKey, options);
  }

  private static List<String> add(
      List<Column> columns,
      String prefix,
      String suffix,
      List<String> types,
      int count,
      Random random) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      names.add(prefix + i);
      String type = any(random, types) + suffix;
      columns.add(new Column(0, prefix + i, ColumnTypes.parse(type)));
    }
    return names;
  }

  private static ColumnType valueType(Random random) {
    return random.nextInt(5) == 0
        ? RandomRows.anyType(random).withNullable(true)
        : RandomRows.scalar(random);
  }

  private static void addOptions(Random random, Map<String, String> options) {
    options.put("bucket", Integer.toString(1 + random.nextInt(3)));
    options.put("num-sorted-run.compaction-trigger", Integer.toString(2 + random.nextInt(4)));
    for (List<String> rare : RARE_OPTIONS) {
      if (random.nextInt(6) == 0) {
        options.put(rare.get(0), any(random, rare.subList(1, rare.size())));
      }
    }
  }

  private static String any(Random random, List<String> words) {
    return words.get(random.nextInt(words.size()));
  }

  @Override
  public String toString() {
    String all =
        columns.columns().stream()
            .map(column -> column.name() + " " + ColumnTypes.print(column.type()))
            .collect(Collectors.joining(", "));
    return "(%s) key %s by %s %s".formatted(all, primaryKey, partition, options);
  }
}
