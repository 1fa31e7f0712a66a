package io.obelus.core.table.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.BucketTasks;
import io.obelus.core.bucket.BucketWriter;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowKind;
import io.obelus.core.table.maintenance.TableTasks;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.Seeds;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.table.source.Split;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables whose files and commits are ours and Apache Paimon's in turn: each reads and goes on
 * writing what the other left.
 */
class PaimonReadsCommitsTest {

  private static final int BUCKETS = 2;

  @TempDir private Path directory;
  private int tables;

  /** A row of {@code (pt INT, k BIGINT, v STRING)}; v null = the key is deleted. */
  private record Row(int pt, long k, String v) {
    InternalRow toSpark() {
      return new GenericInternalRow(
          new Object[] {pt, k, v == null ? null : UTF8String.fromString(v)});
    }

    PaimonTable.Row toPaimon() {
      return v == null ? PaimonTable.Row.delete(pt, k, null) : PaimonTable.Row.insert(pt, k, v);
    }
  }

  private PaimonTable create(boolean keyed, String... options) throws Exception {
    Map<String, String> all = new HashMap<>();
    all.put("deletion-vectors.enabled", "true");
    all.put("bucket", keyed ? Integer.toString(BUCKETS) : "-1");
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    String notNull = keyed ? " NOT NULL" : "";
    return new PaimonTables(Files.createDirectories(directory.resolve("w" + tables++)))
        .create(
            "t",
            List.of("pt INT" + notNull, "k BIGINT" + notNull, "v STRING"),
            List.of("pt"),
            keyed ? List.of("pt", "k") : List.of(),
            all);
  }

  private static Table ours(PaimonTable theirs) throws IOException {
    return Table.open(
        new HadoopStorage(new Configuration(false)), theirs.directory().toString(), "db.t");
  }

  private static BucketId bucket(Table table, Row row) {
    byte[] partition =
        new BinaryRows(table.schema().partitionType())
            .write(new GenericInternalRow(new Object[] {row.pt()}));
    int number = 0;
    if (table.schema().keyed()) {
      number =
          new BucketFunction(
                  table.options().bucketFunction(),
                  table.schema().rowType(),
                  new int[] {1},
                  BUCKETS)
              .bucket(row.toSpark());
    }
    return new BucketId(new RowBytes(partition), number);
  }

  private static Map<BucketId, BucketState> states(Table table, Snapshot base) throws IOException {
    return new LiveFiles(table, base)
        .buckets(id -> true).stream()
            .collect(Collectors.toMap(BucketState::id, Function.identity()));
  }

  private static BucketState empty(Table table, BucketId id) {
    String path = new PartitionPath(table.schema()).of(id.partition());
    return new BucketState(
        id,
        table.directory().bucket(path, id.bucket()),
        table.schema().keyed() ? BUCKETS : -1,
        List.of(),
        List.of());
  }

  /** Rows of a write, in key order, as changes of buckets. */
  private static List<BucketChange> write(
      Table table, Map<BucketId, BucketState> states, Collection<Row> rows) throws IOException {
    BucketTasks tasks = TableTasks.of(table);
    List<BucketChange> changes = new ArrayList<>();
    Map<BucketId, List<Row>> byBucket =
        rows.stream().collect(Collectors.groupingBy(row -> bucket(table, row)));
    for (Map.Entry<BucketId, List<Row>> one : byBucket.entrySet()) {
      BucketState state = states.getOrDefault(one.getKey(), empty(table, one.getKey()));
      try (BucketWriter writer = tasks.write(state)) {
        for (Row row : one.getValue()) {
          RowKind kind = row.v() == null ? RowKind.DELETE : RowKind.INSERT;
          writer.write(row.toSpark(), kind.code());
        }
        changes.add(writer.finish());
      }
    }
    return changes;
  }

  private static void write(PaimonTable theirs, Collection<Row> rows) throws IOException {
    Table table = ours(theirs);
    Snapshot base = table.snapshots().latest().orElse(null);
    new Commit(table, base).commit(write(table, states(table, base), rows));
  }

  private static void compact(PaimonTable theirs, boolean full) throws IOException {
    Table table = ours(theirs);
    Snapshot base = table.snapshots().latest().orElse(null);
    List<BucketChange> changes = new ArrayList<>();
    for (BucketState state : states(table, base).values()) {
      changes.add(TableTasks.of(table).compact(state, full));
    }
    new Commit(table, base).commit(changes);
  }

  private static void overwrite(PaimonTable theirs, Collection<Row> rows, int... partitions)
      throws IOException {
    Table table = ours(theirs);
    Snapshot base = table.snapshots().latest().orElse(null);
    List<RowBytes> replaced = new ArrayList<>();
    for (int partition : partitions) {
      replaced.add(bucket(table, new Row(partition, 0, "")).partition());
    }
    Predicate<RowBytes> these = replaced::contains;
    new Commit(table, base).overwrite(write(table, Map.of(), rows), these);
  }

  @Test
  void both_write_one_table_in_turn_and_paimon_reads_every_row() {
    Seeds.each(
        3,
        random -> {
          PaimonTable theirs =
              create(
                  true,
                  "manifest.merge-min-count",
                  Integer.toString(2 + random.nextInt(3)),
                  "manifest.full-compaction-threshold-size",
                  random.nextBoolean() ? "1 b" : "16 mb");
          TreeMap<List<Object>, String> model =
              new TreeMap<>(
                  java.util.Comparator.comparing((List<Object> key) -> (Integer) key.get(0))
                      .thenComparing(key -> (Long) key.get(1)));
          for (int step = 0; step < 12; step++) {
            Collection<Row> rows = rows(random);
            switch (random.nextInt(6)) {
              case 0 -> compact(theirs, random.nextBoolean());
              case 1 -> theirs.compact();
              case 2 -> {
                theirs.write(rows.stream().map(Row::toPaimon).toList());
                apply(model, rows);
              }
              case 3 -> {
                int partition = random.nextInt(3);
                List<Row> inside =
                    rows.stream().filter(row -> row.pt() == partition && row.v() != null).toList();
                overwrite(theirs, inside, partition);
                model.keySet().removeIf(key -> key.get(0).equals(partition));
                apply(model, inside);
              }
              default -> {
                write(theirs, rows);
                apply(model, rows);
              }
            }
            assertThat(theirs.rows()).as("step " + step).isEqualTo(expected(model, null));
          }
          WholeTables.check(theirs.directory(), model);
          assertThat(theirs.rowsAfterCompactingACopy()).isEqualTo(expected(model, null));
          for (int partition = 0; partition < 3; partition++) {
            assertThat(rowCount(theirs, partition))
                .as("pruned by the statistics of our manifests")
                .isEqualTo(expected(model, partition).size());
          }
        });
  }

  private static Collection<Row> rows(Random random) {
    TreeMap<Long, Row> rows = new TreeMap<>();
    for (int i = 0; i < 1 + random.nextInt(20); i++) {
      int pt = random.nextInt(3);
      long k = random.nextInt(40);
      String v = random.nextInt(4) == 0 ? null : "v" + random.nextInt(1000);
      rows.put(100L * pt + k, new Row(pt, k, v));
    }
    return rows.values();
  }

  private static void apply(Map<List<Object>, String> model, Collection<Row> rows) {
    for (Row row : rows) {
      if (row.v() == null) {
        model.remove(List.<Object>of(row.pt(), row.k()));
      } else {
        model.put(List.of(row.pt(), row.k()), row.v());
      }
    }
  }

  private static List<List<Object>> expected(
      TreeMap<List<Object>, String> model, Integer partition) {
    List<List<Object>> rows = new ArrayList<>();
    model.forEach(
        (key, value) -> {
          if (partition == null || key.get(0).equals(partition)) {
            rows.add(List.of(key.get(0), key.get(1), value));
          }
        });
    return rows;
  }

  private static long rowCount(PaimonTable theirs, int partition) throws IOException {
    var builder = theirs.table().newReadBuilder().withPartitionFilter(Map.of("pt", "" + partition));
    List<Split> splits = builder.newScan().plan().splits();
    long[] rows = {0};
    try (var reader = builder.newRead().createReader(splits)) {
      reader.forEachRemaining(row -> rows[0]++);
    }
    return rows[0];
  }

  @Test
  void rows_without_a_key_are_appended_struck_out_and_replaced() throws Exception {
    PaimonTable theirs = create(false);
    write(theirs, List.of(new Row(1, 1, "a"), new Row(1, 2, "b"), new Row(2, 1, "c")));
    theirs.write(new Row(1, 3, "d").toPaimon());
    write(theirs, List.of(new Row(1, 4, "e")));
    strikeOutFirstRows(theirs, "index-0");
    assertThat(theirs.rows()).containsExactly(List.of(1, 2L, "b"));
    theirs.write(new Row(1, 5, "f").toPaimon());
    strikeOutFirstRows(theirs, "index-1");
    assertThat(theirs.rows()).containsExactly(List.of(1, 2L, "b"));
    overwrite(theirs, List.of(new Row(1, 9, "z")), 1);
    theirs.write(new Row(2, 5, "g").toPaimon());
    assertThat(theirs.rows()).containsExactlyInAnyOrder(List.of(1, 9L, "z"), List.of(2, 5L, "g"));
  }

  /** Strikes out the first row of every file, in one new deletion file for each partition. */
  private static void strikeOutFirstRows(PaimonTable theirs, String name) throws IOException {
    Table table = ours(theirs);
    Snapshot base = table.snapshots().latest().orElseThrow();
    List<BucketChange> changes = new ArrayList<>();
    for (BucketState state : states(table, base).values()) {
      TreeMap<String, Positions> bitmaps = new TreeMap<>();
      state.files().forEach(file -> bitmaps.put(file.name(), Positions.range(0, 1)));
      changes.add(
          new BucketChange(
              state.id(),
              -1,
              List.of(),
              List.of(),
              List.of(),
              table
                  .deletionFiles()
                  .write(name + "-" + changes.size(), DeletionCoding.BITMAP32, bitmaps),
              state.deletions().stream().map(DeletionFile::name).toList(),
              true,
              new BucketChange.Report(0, bitmaps.size(), 0, 0)));
    }
    new Commit(table, base).commit(changes);
  }
}
