package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.IndexRewrite;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.RandomRows;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewriteFileIndexTest {

  private static final String BITMAP = "file-index.bitmap.columns";
  private static final String BSI = "file-index.bsi.columns";
  private static final String BLOOM = "file-index.bloom-filter.columns";
  private static final String RANGE = "file-index.range-bitmap.columns";
  private static final String THRESHOLD = "file-index.in-manifest-threshold";

  @TempDir private Path directory;

  private CoreTable cities() throws IOException {
    ColumnType text = ColumnType.string();
    RowType columns =
        RandomRows.numbered(
            List.of(
                new Column(0, "k", ColumnTypes.parse("BIGINT NOT NULL")),
                new Column(0, "city", text),
                new Column(0, "n", ColumnTypes.parse("INT")),
                new Column(0, "tags", new ColumnType.Map(text, text, true))));
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            columns,
            List.of(),
            List.of("k"),
            Map.of("bucket", "1", "deletion-vectors.enabled", "true", THRESHOLD, "0 b"));
    List<PaimonTable.Row> rows = new ArrayList<>();
    for (long k = 0; k < 5000; k++) {
      rows.add(insert(k, "c" + k % 5, (int) k % 7, null));
    }
    table.write(rows);
    table.write(insert(1L, "new", 1, Map.of("a", "x", "b", "y")), delete(2L, null, null, null));
    return table;
  }

  private static List<IndexRewrite.Result> results(RewriteFileIndex rewrite, boolean dryRun)
      throws IOException {
    List<IndexRewrite.Result> results = new ArrayList<>();
    for (BucketState bucket : rewrite.buckets(id -> true)) {
      results.add(rewrite.run(bucket, dryRun));
    }
    return results;
  }

  private static List<BucketChange> changes(RewriteFileIndex rewrite) throws IOException {
    return results(rewrite, false).stream().map(IndexRewrite.Result::change).toList();
  }

  private static Optional<Snapshot> rewrite(CoreTable table) throws IOException {
    RewriteFileIndex rewrite = RewriteFileIndex.of(table.table());
    return rewrite.commit(changes(rewrite));
  }

  /** The indexes of a file, such as {@code "city: bitmap"}. */
  private static Set<String> parts(Table table, String bucket, DataFile file) throws IOException {
    Set<String> parts = new TreeSet<>();
    try (FileIndex index = open(table, bucket, file)) {
      if (index != null) {
        index.parts().forEach(part -> parts.add(part.column() + ": " + part.kind()));
      }
    }
    return parts;
  }

  private static FileIndex open(Table table, String bucket, DataFile file) throws IOException {
    RowType columns = table.fileSchemas().rowType(file.schemaId());
    if (file.embeddedIndex() != null) {
      assertThat(file.extraFiles()).isEmpty();
      return FileIndex.embedded(
          file.embeddedIndex().bytes(), file.name(), columns, file.rowCount());
    }
    return file.extraFiles().isEmpty()
        ? null
        : FileIndex.open(
            table.storage(),
            file.companion(bucket, file.extraFiles().get(0)),
            columns,
            file.rowCount());
  }

  private static byte[] bytes(Table table, String bucket, DataFile file) throws IOException {
    if (file.embeddedIndex() != null) {
      return file.embeddedIndex().bytes();
    }
    return file.extraFiles().isEmpty()
        ? new byte[0]
        : table.storage().read(file.companion(bucket, file.extraFiles().get(0)));
  }

  private static List<BucketState> buckets(Table table) throws IOException {
    return new LiveFiles(table, table.snapshots().latest().orElse(null)).buckets(id -> true);
  }

  private static Set<String> onDisk(Path table, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      return new TreeSet<>(
          files.map(f -> f.getFileName().toString()).filter(n -> n.endsWith(suffix)).toList());
    }
  }

  /** What a killed rewrite leaves behind. */
  private void deleteOrphans(Table table) throws IOException {
    Set<String> used = new HashSet<>();
    for (long id : table.snapshots().ids()) {
      new LiveFiles(table, table.snapshots().get(id))
          .buckets(bucket -> true)
          .forEach(bucket -> bucket.files().forEach(file -> used.addAll(file.extraFiles())));
    }
    for (String name : onDisk(directory, ".index")) {
      if (!used.contains(name)) {
        Files.delete(directory.resolve("t/bucket-0").resolve(name));
      }
    }
  }

  private static List<List<Object>> where(CoreTable table, Predicate condition) throws IOException {
    return table.rows(table.table().schema().rowType(), condition, 1);
  }

  private static Predicate is(CoreTable table, String column, Object value) {
    RowType row = table.table().schema().rowType();
    Object literal = value instanceof String text ? UTF8String.fromString(text) : value;
    return new Predicate.Compare(
        row.column(row.indexOf(column)), Predicate.Comparison.EQUAL, literal);
  }

  @Test
  void indexes_come_change_and_go_while_the_data_files_stay() throws Exception {
    CoreTable table = cities();
    List<List<Object>> rows = table.rows();
    Set<String> dataFiles = onDisk(directory, ".parquet");
    List<String> names = table.files().stream().map(DataFile::name).toList();
    CoreTable indexed = table.with(BITMAP, "city, tags[a]").with(BSI, "n");
    List<IndexRewrite.Result> dry = results(RewriteFileIndex.of(indexed.table()), true);
    assertThat(dry)
        .allSatisfy(
            result -> {
              assertThat(result.change().isEmpty()).isTrue();
              assertThat(result.files()).isEqualTo(2);
              assertThat(result.bytesBefore()).isZero();
              assertThat(result.bytesAfter()).isNull();
              assertThat(result.added())
                  .containsExactly("city: bitmap", "n: bsi", "tags[a]: bitmap");
            });
    assertThat(onDisk(directory, ".index")).isEmpty();

    Snapshot first = rewrite(indexed).orElseThrow();
    assertThat(first.kind()).isEqualTo(Snapshot.Kind.COMPACT);
    assertThat(first.deltaRecordCount()).isZero();
    assertThat(onDisk(directory, ".index"))
        .containsExactlyInAnyOrderElementsOf(names.stream().map(n -> n + ".index").toList());
    assertThat(table.rows()).isEqualTo(rows);
    assertThat(rewrite(indexed)).isEmpty();

    assertThat(rewrite(table.with(BITMAP, "city").with(BLOOM, "n"))).isPresent();
    assertThat(table.files())
        .allSatisfy(f -> assertThat(f.extraFiles()).containsExactly(f.name() + "-1.index"));

    List<IndexRewrite.Result> gone = results(RewriteFileIndex.of(table.table()), true);
    assertThat(gone.get(0).removed()).containsExactly("city: bitmap", "n: bloom-filter");
    assertThat(rewrite(table)).isPresent();
    assertThat(table.files())
        .allMatch(file -> file.extraFiles().isEmpty() && file.embeddedIndex() == null);

    // The plain name and the next one are taken: older snapshots refer to them.
    assertThat(rewrite(indexed.with(THRESHOLD, "0 b"))).isPresent();
    assertThat(table.files())
        .allSatisfy(f -> assertThat(f.extraFiles()).containsExactly(f.name() + "-2.index"));
    assertThat(rewrite(table.with(BITMAP, "n").with(THRESHOLD, "1 mb"))).isPresent();
    assertThat(table.files())
        .allMatch(file -> file.extraFiles().isEmpty() && file.embeddedIndex() != null);
    assertThat(table.rows()).isEqualTo(rows);
    assertThat(table.files()).extracting(DataFile::name).isEqualTo(names);
    assertThat(onDisk(directory, ".parquet")).isEqualTo(dataFiles);
    assertThat(new PaimonTables(directory).open(directory.resolve("t")).rows()).isEqualTo(rows);
  }

  @Test
  void the_new_index_is_asked_and_the_older_snapshot_asks_its_own() throws Exception {
    CoreTable table = cities().with(BITMAP, "city");
    rewrite(table);
    long older = table.latestSnapshot();
    FailingStorage seen = FailingStorage.counting(table.table().storage());
    assertThat(where(table.on(seen), is(table, "city", "c33"))).isEmpty();
    assertThat(seen.operations())
        .anyMatch(o -> o.matches("open .*\\.parquet\\.index"))
        .noneMatch(o -> o.endsWith(".parquet"));
    rewrite(table.with(BLOOM, "city"));
    seen = FailingStorage.counting(table.table().storage());
    assertThat(where(table.on(seen), is(table, "city", "c33"))).isEmpty();
    assertThat(seen.operations())
        .anyMatch(o -> o.endsWith(".parquet-1.index"))
        .noneMatch(o -> o.endsWith(".parquet.index") || o.endsWith(".parquet"));
    assertThat(table.rows(older, LevelZero.MERGE)).isEqualTo(table.rows());
    assertThat(onDisk(directory, ".parquet.index")).hasSize(2);

    ExpireSnapshots.run(table.table(), new ExpireSnapshots.Rules(1, 1, Long.MAX_VALUE, 100), false);
    assertThat(onDisk(directory, ".parquet.index")).isEmpty();
    assertThat(onDisk(directory, "-1.index")).hasSize(2);
    assertThat(where(table, is(table, "city", "new"))).hasSize(1);
  }

  @Test
  void what_others_commit_meanwhile_stays_and_only_the_new_index_files_go() throws Exception {
    CoreTable table = cities().with(BITMAP, "city");
    rewrite(table);
    CoreTable other = table.with(BSI, "n");
    RewriteFileIndex late = RewriteFileIndex.of(other.table());
    List<BucketChange> changes = changes(late);
    assertThat(onDisk(directory, "-1.index")).hasSize(2);
    table.write(insert(7L, "late", 1, null));
    List<List<Object>> rows = table.rows();
    assertThatThrownBy(() -> late.commit(changes))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("bucket 0");
    assertThat(onDisk(directory, "-1.index")).isEmpty();
    assertThat(table.rows()).isEqualTo(rows);
    assertThat(where(table, is(table, "city", "late"))).hasSize(1);
    rewrite(other);
    assertThat(table.rows()).isEqualTo(rows);
  }

  @Test
  void wherever_it_breaks_the_table_is_right_and_no_data_file_is_gone() throws Exception {
    CoreTable table = cities().with(BITMAP, "city");
    rewrite(table);
    List<List<Object>> rows = table.rows();
    Set<String> dataFiles = onDisk(directory, ".parquet");
    Storage real = table.table().storage();
    boolean reached = true;
    for (int step = 1; reached; step++) {
      assertThat(step).isLessThan(300);
      FailingStorage storage =
          step % 2 == 0 ? FailingStorage.failingAt(step, real) : FailingStorage.dyingAt(step, real);
      CoreTable wanted =
          table.with("commit.max-retries", "1").with("commit.min-retry-wait", "1 ms");
      String kind = step % 3 == 0 ? BSI : step % 3 == 1 ? BLOOM : RANGE;
      try {
        rewrite(wanted.with(kind, "n").on(storage));
      } catch (IOException | RuntimeException e) {
        assertThat(storage.hasFailed()).isTrue();
      }
      reached = storage.hasFailed();
      assertThat(table.rows()).isEqualTo(rows);
      assertThat(where(table, is(table, "city", "new"))).hasSize(1);
      assertThat(onDisk(directory, ".parquet")).isEqualTo(dataFiles);
      deleteOrphans(table.table());
    }
    rewrite(table.with(RANGE, "n"));
    assertThat(where(table, is(table, "n", 3))).isNotEmpty();
  }

  @Test
  @DamagesTables("a data file is damaged")
  void a_file_that_breaks_takes_the_new_index_files_of_its_bucket_along() throws Exception {
    CoreTable table = cities();
    List<String> names = table.files().stream().map(DataFile::name).toList();
    Path last = directory.resolve("t/bucket-0").resolve(names.get(names.size() - 1));
    byte[] content = Files.readAllBytes(last);
    for (int i = 4; i < content.length - 8; i++) {
      content[i] = 0;
    }
    Files.write(last, content);
    assertThatThrownBy(() -> rewrite(table.with(BITMAP, "city")))
        .hasMessageContaining(last.getFileName().toString());
    assertThat(onDisk(directory, ".index")).isEmpty();
    assertThat(onDisk(directory, ".parquet")).containsAll(names);
  }

  @Test
  void an_index_that_is_damaged_or_lost_is_made_anew() throws Exception {
    CoreTable table = cities().with(BITMAP, "city");
    rewrite(table);
    Path bucket = directory.resolve("t/bucket-0");
    List<DataFile> files = table.files();
    Files.write(bucket.resolve(files.get(0).name() + ".index"), new byte[100]);
    Files.delete(bucket.resolve(files.get(1).name() + ".index"));
    assertThatThrownBy(() -> where(table, is(table, "city", "new"))).isInstanceOf(Exception.class);
    IndexRewrite.Result result = results(RewriteFileIndex.of(table.table()), true).get(0);
    assertThat(result.files()).isEqualTo(2);
    assertThat(result.added()).containsExactly("city: bitmap");
    assertThat(rewrite(table)).isPresent();
    assertThat(where(table, is(table, "city", "new"))).hasSize(1);
  }

  @Test
  void an_index_that_takes_too_much_memory_is_not_made_and_nothing_is_committed() throws Exception {
    CoreTable table = cities();
    CoreTable tight = table.with(BITMAP, "k").with("file-index.build-memory", "1 kb");
    long before = table.latestSnapshot();
    rewrite(tight);
    Set<Set<String>> made = new HashSet<>();
    for (BucketState bucket : buckets(table.table())) {
      for (DataFile file : bucket.files()) {
        made.add(parts(table.table(), bucket.directory(), file));
      }
    }
    assertThat(made).contains(Set.of());
    long after = table.latestSnapshot();
    assertThat(after).isLessThanOrEqualTo(before + 1);
    rewrite(tight);
    assertThat(table.latestSnapshot()).isEqualTo(after);
  }

  @Test
  void an_older_file_is_indexed_by_the_names_and_types_it_has() throws Exception {
    PaimonTable theirs =
        new PaimonTables(directory)
            .create(
                "t",
                List.of("k BIGINT NOT NULL", "a INT", "b INT", "c STRING"),
                List.of(),
                List.of("k"),
                Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    theirs.write(insert(1L, 10, 20, "x"), insert(2L, 11, 21, "y"));
    theirs = theirs.alter(SchemaChange.dropColumn("b"), SchemaChange.renameColumn("a", "b"));
    theirs =
        theirs.alter(
            SchemaChange.updateColumnType("b", DataTypes.BIGINT()),
            SchemaChange.addColumn("a", DataTypes.INT()));
    CoreTable table = CoreTable.open(theirs.directory());
    table.with("write-only", "true").write(insert(3L, 12L, "z", 5));
    CoreTable indexed = table.with(BITMAP, "a,c").with(BSI, "b").with(THRESHOLD, "1 mb");
    assertThat(rewrite(indexed)).isPresent();
    List<Set<String>> all = new ArrayList<>();
    for (BucketState bucket : buckets(table.table())) {
      for (DataFile file : bucket.files()) {
        all.add(parts(table.table(), bucket.directory(), file));
      }
    }
    assertThat(all)
        .containsExactlyInAnyOrder(
            Set.of("a: bsi", "c: bitmap"), Set.of("a: bitmap", "b: bsi", "c: bitmap"));
    assertThat(where(indexed, is(table, "b", 11L))).hasSize(1);
    assertThat(where(indexed, is(table, "b", 12L))).hasSize(1);
    assertThat(where(indexed, is(table, "b", 21L))).isEmpty();
    assertThat(where(indexed, is(table, "a", 10))).isEmpty();
    assertThat(where(indexed, is(table, "a", 5))).hasSize(1);
    assertThat(where(indexed, is(table, "c", "y"))).hasSize(1);
    assertThat(rewrite(indexed)).isEmpty();
    assertThat(theirs.reopened().rows()).isEqualTo(table.rows());
  }

  /** A table written with indexes and one that gets them afterwards hold the same bytes. */
  @Test
  void what_is_made_afterwards_is_what_the_writer_would_have_made() {
    Seeds.each(
        random -> {
          Path place = Files.createDirectory(directory.resolve("s" + random.nextLong()));
          RandomIndexed.of(random, place).run();
        });
  }

  /** One run of the random test. */
  private static final class RandomIndexed {
    private final Random random;
    private final CoreTable table;
    private final CoreTable twin;
    private final Path place;

    private RandomIndexed(Random random, CoreTable table, CoreTable twin, Path place) {
      this.random = random;
      this.table = table;
      this.twin = twin;
      this.place = place;
    }

    static RandomIndexed of(Random random, Path place) throws IOException {
      List<Column> columns = new ArrayList<>();
      for (int i = random.nextInt(3) + 1; i > 0; i--) {
        columns.add(new Column(0, "v" + i, RandomRows.scalar(random)));
      }
      boolean keyed = random.nextInt(4) > 0;
      columns.add(new Column(0, "k", ColumnTypes.parse("INT NOT NULL")));
      Map<String, String> options = new HashMap<>();
      options.put("bucket", keyed ? "2" : "-1");
      options.put("deletion-vectors.enabled", Boolean.toString(keyed && random.nextBoolean()));
      if (random.nextInt(4) == 0) {
        options.put("target-file-size", "1 kb");
      }
      RowType row = RandomRows.numbered(columns);
      List<String> key = keyed ? List.of("k") : List.of();
      CoreTable table = CoreTable.create(place.resolve("t"), row, List.of(), key, options);
      CoreTable twin = CoreTable.create(place.resolve("twin"), row, List.of(), key, options);
      return new RandomIndexed(random, table, twin, place);
    }

    private CoreTable indexed(CoreTable plain, Map<String, String> options) {
      CoreTable with = plain;
      for (Map.Entry<String, String> option : options.entrySet()) {
        with = with.with(option.getKey(), option.getValue());
      }
      return with;
    }

    private Map<String, String> drawIndexes() {
      Map<String, String> options = new HashMap<>();
      RowType row = table.table().schema().rowType();
      for (String kind : List.of(BITMAP, BSI, BLOOM, RANGE)) {
        List<String> names = new ArrayList<>();
        for (Column column : row.columns()) {
          if (random.nextBoolean() && isPossible(kind, column.name())) {
            names.add(column.name());
          }
        }
        if (!names.isEmpty()) {
          options.put(kind, String.join(",", names));
        }
      }
      if (options.containsKey(BLOOM)) {
        for (String name : options.get(BLOOM).split(",")) {
          options.put("file-index.bloom-filter." + name + ".items", "100");
        }
      }
      options.put(THRESHOLD, random.nextBoolean() ? "0 b" : "2 kb");
      return options;
    }

    private boolean isPossible(String kind, String column) {
      try {
        return !table.with(kind, column).table().options().fileIndexes().isEmpty();
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    void run() throws Exception {
      Map<String, String> options = drawIndexes();
      CoreTable twinIndexed = indexed(twin, options);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        List<PaimonTable.Row> rows = rows();
        table.write(rows);
        twinIndexed.write(rows);
      }
      long plain = table.latestSnapshot();
      rewrite(indexed(table, options));
      assertThat(indexes(table)).isEqualTo(indexes(twin));
      check();
      WholeTables.check(table.table(), options);
      rewrite(indexed(table, drawIndexes()));
      check();
      WholeTables.check(table.table(), options);
      SameRows.check("older", table.rows(plain, LevelZero.MERGE), twin.rows());
      rewrite(table);
      assertThat(table.files())
          .allMatch(file -> file.extraFiles().isEmpty() && file.embeddedIndex() == null);
      check();
    }

    private List<String> indexes(CoreTable of) throws IOException {
      List<String> all = new ArrayList<>();
      for (BucketState bucket : buckets(of.table())) {
        for (DataFile file : bucket.files()) {
          byte[] index = bytes(of.table(), bucket.directory(), file);
          all.add(
              bucket.id().bucket()
                  + " "
                  + file.rowCount()
                  + (file.embeddedIndex() == null ? " file " : " embedded ")
                  + HexFormat.of().formatHex(index));
        }
      }
      all.sort(null);
      return all;
    }

    private List<PaimonTable.Row> rows() {
      RowType row = table.table().schema().rowType();
      List<PaimonTable.Row> rows = new ArrayList<>();
      for (int i = random.nextInt(200); i >= 0; i--) {
        Object[] values = new Object[row.size()];
        for (int c = 0; c < values.length - 1; c++) {
          Column column = row.column(c);
          values[c] =
              random.nextInt(5) == 0
                  ? null
                  : PlainValues.of(RandomRows.value(random, column.type()), column.type());
        }
        values[values.length - 1] = random.nextInt(300);
        boolean delete = table.table().schema().keyed() && random.nextInt(6) == 0;
        rows.add(delete ? delete(values) : insert(values));
      }
      return rows;
    }

    private void check() throws Exception {
      List<List<Object>> expected = twin.rows();
      SameRows.check("read by us", table.rows(), expected);
      SameRows.check(
          "read by Paimon", new PaimonTables(place).open(place.resolve("t")).rows(), expected);
      RowType row = table.table().schema().rowType();
      for (int i = 0; i < 5; i++) {
        Predicate condition =
            RandomPredicates.predicate(
                random,
                row,
                2,
                (r, column) -> {
                  Object there =
                      expected.isEmpty()
                          ? null
                          : expected
                              .get(r.nextInt(expected.size()))
                              .get(row.indexOf(column.name()));
                  return there == null
                      ? RandomRows.value(r, column.type())
                      : PlainValues.spark(there, column.type());
                });
        List<List<Object>> holding =
            expected.stream()
                .filter(
                    values ->
                        Predicates.test(condition, PlainValues.row(values, row), row) == Truth.TRUE)
                .toList();
        SameRows.check("where " + condition, where(table, condition), holding);
      }
    }
  }
}
