package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonPredicates;
import io.obelus.testing.PaimonRows;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomIndexes;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.TableModel;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.paimon.fileindex.FileIndexPredicate;
import org.apache.paimon.fileindex.FileIndexResult;
import org.apache.paimon.fileindex.bitmap.BitmapIndexResult;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.operation.LocalOrphanFilesClean;
import org.apache.paimon.options.ExpireConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paimon uses the indexes that we write, and we those that it writes. */
class PaimonIndexesTest {

  private static final int TABLES = Integer.getInteger("histories", 5);
  private static final int CONDITIONS = Integer.getInteger("conditions", 25);

  @TempDir Path directory;

  @Test
  void paimon_asks_our_indexes() {
    Seeds.each(TABLES, random -> sameAnswers(random, false));
  }

  @Test
  void we_ask_paimons_indexes() {
    Seeds.each(TABLES, random -> sameAnswers(random, true));
  }

  private void sameAnswers(Random random, boolean byPaimon) throws Exception {
    Indexed table = Indexed.create(random, Files.createTempDirectory(directory, "t"));
    table.write(byPaimon);
    table.write(!byPaimon && random.nextBoolean());
    WholeTables.check(table.ours.table(), table.columns);
    List<List<Object>> rows = table.model.rows();
    RowType asked = comparable(table.columns);
    for (int i = 0; i < CONDITIONS; i++) {
      Predicate condition = RandomPredicates.predicate(random, asked, 2);
      Optional<org.apache.paimon.predicate.Predicate> theirs =
          PaimonPredicates.of(condition, table.columns);
      if (theirs.isEmpty()) {
        continue;
      }
      List<List<Object>> expected = table.matching(condition, rows);
      SameRows.check(
          "by us where " + condition, table.ours.rows(table.columns, condition, 1), expected);
      SameRows.check(
          "by Paimon where " + condition,
          table.matching(condition, table.theirs.rows(theirs.get())),
          expected);
      for (BucketState bucket : table.buckets()) {
        for (DataFile file : bucket.files()) {
          table.checkAnswers(condition, theirs.get(), file, bucket.directory());
        }
      }
    }
  }

  /** Not the columns of which Paimon's indexes answer otherwise: two zeros, nanoseconds cut off. */
  private static RowType comparable(RowType columns) {
    return new RowType(
        columns.columns().stream()
            .filter(
                column -> {
                  Scalar type = (Scalar) column.type();
                  return type.kind() != Kind.FLOAT
                      && type.kind() != Kind.DOUBLE
                      && (type.precision() <= 6 || type.kind() != Kind.TIMESTAMP);
                })
            .toList());
  }

  @Test
  void index_files_go_with_their_data_files() {
    Seeds.each(
        3,
        random -> {
          Indexed table = Indexed.create(random, Files.createTempDirectory(directory, "t"), 0.5);
          CoreTable separate = table.ours.with("file-index.in-manifest-threshold", "0 b");
          for (int i = 0; i < 3; i++) {
            separate.write(table.rows());
          }
          separate.compact(true);
          assertThat(table.indexFiles()).hasSizeGreaterThan(table.namedIndexFiles().size());
          table
              .theirs
              .table()
              .newExpireSnapshots()
              .config(
                  ExpireConfig.builder()
                      .snapshotRetainMin(1)
                      .snapshotRetainMax(1)
                      .snapshotTimeRetain(Duration.ZERO)
                      .build())
              .expire();
          assertThat(table.indexFiles()).isNotEmpty().isEqualTo(table.namedIndexFiles());
          Path orphan = table.directory.resolve("bucket-0/data-orphan-0.parquet.index");
          Files.write(orphan, new byte[] {1});
          new LocalOrphanFilesClean(
                  table.theirs.table(), System.currentTimeMillis() + 60_000, false)
              .clean();
          assertThat(table.indexFiles()).isNotEmpty().isEqualTo(table.namedIndexFiles());
          assertThat(orphan).doesNotExist();
        });
  }

  /** A table with indexes that we and Paimon write and read. */
  private record Indexed(
      Random random,
      RowType columns,
      Path directory,
      CoreTable ours,
      PaimonTable theirs,
      TableModel model) {

    static Indexed create(Random random, Path place) throws Exception {
      return create(random, place, 0);
    }

    /**
     * @param least share of the columns with an index
     */
    static Indexed create(Random random, Path place, double least) throws Exception {
      List<Column> columns = new ArrayList<>(RandomPredicates.TYPE.columns());
      columns.replaceAll(column -> new Column(column.id(), "v" + column.id(), column.type()));
      columns.add(new Column(columns.size(), "k", scalar("INT NOT NULL")));
      RowType type = new RowType(columns);
      Map<String, String> options =
          new HashMap<>(RandomIndexes.options(random, type, Math.max(least, random.nextDouble())));
      options.put("bucket", "1");
      options.put("deletion-vectors.enabled", "true");
      options.put("parquet.page.row.count.limit", Integer.toString(10 + random.nextInt(50)));
      Path directory = place.resolve("warehouse/db.db/t");
      CoreTable ours = CoreTable.create(directory, type, List.of(), List.of("k"), options);
      PaimonTable theirs = new PaimonTables(place).open(directory);
      return new Indexed(random, type, directory, ours, theirs, TableModel.of(ours));
    }

    private static Scalar scalar(String type) {
      return (Scalar) ColumnTypes.parse(type);
    }

    void write(boolean byPaimon) throws Exception {
      List<Row> rows = rows();
      if (byPaimon) {
        theirs.write(rows);
      } else {
        ours.write(rows);
      }
      model.write(rows);
    }

    List<Row> rows() {
      List<Row> rows = new ArrayList<>();
      int count = 1 + random.nextInt(300);
      int nullEvery = 2 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        List<Object> values =
            PlainValues.of(RandomPredicates.row(random, columns, nullEvery), columns);
        values.set(columns.indexOf("k"), random.nextInt(400));
        rows.add(Row.insert(values.toArray()));
      }
      return rows;
    }

    List<List<Object>> matching(Predicate condition, List<List<Object>> rows) {
      return rows.stream()
          .filter(
              row ->
                  Predicates.test(condition, PlainValues.row(row, columns), columns) == Truth.TRUE)
          .toList();
    }

    List<BucketState> buckets() throws IOException {
      return new LiveFiles(ours.table(), ours.table().snapshots().latest().orElseThrow())
          .buckets(id -> true);
    }

    /** We leave what Paimon leaves, or less: it keeps nulls where a condition is negative. */
    void checkAnswers(
        Predicate condition,
        org.apache.paimon.predicate.Predicate same,
        DataFile file,
        String bucket)
        throws IOException {
      Candidates ours =
          new IndexLookup(this.ours.table(), ScanFilter.of(condition))
              .inFile(file, bucket)
              .candidates();
      FileIndexResult theirs = FileIndexResult.REMAIN;
      try (FileIndexPredicate index = index(file, bucket)) {
        theirs = index == null ? theirs : index.evaluate(same);
      }
      String what =
          "%d rows, %s: where %s we say %s"
              .formatted(file.rowCount(), this.ours.table().schema().options(), condition, ours);
      if (!theirs.remain()) {
        assertThat(ours.isNone()).as(what).isTrue();
      } else if (theirs instanceof BitmapIndexResult bitmap) {
        assertThat(ours.isAny()).as(what).isFalse();
        Set<Long> known = new HashSet<>();
        bitmap.get().iterator().forEachRemaining(position -> known.add((long) position));
        assertThat(known).as(what).containsAll(positions(ours.positions(), file));
        if (isKnownAlike(condition)) {
          assertThat(positions(ours.positions(), file)).as(what).isEqualTo(known);
        }
      } else if (isKnownAlike(condition)) {
        assertThat(ours.isAny()).as(what).isTrue();
      }
    }

    private static Set<Long> positions(Positions positions, DataFile file) {
      Set<Long> all = new HashSet<>();
      for (long i = 0; i < file.rowCount(); i++) {
        if (positions.contains(i)) {
          all.add(i);
        }
      }
      return all;
    }

    /** Of what both know alike: our bitmap index also answers ranges, and leaves out nulls. */
    private boolean isKnownAlike(Predicate condition) {
      if (condition instanceof Predicate.And and) {
        return and.parts().stream().allMatch(this::isKnownAlike);
      } else if (condition instanceof Predicate.Or or) {
        return or.parts().stream().allMatch(this::isKnownAlike);
      } else if (condition instanceof Predicate.Compare compare) {
        return compare.comparison() == Predicate.Comparison.EQUAL
            || (compare.comparison() != Predicate.Comparison.NOT_EQUAL
                && !bitmapColumns().contains(compare.column().name()));
      }
      return condition instanceof Predicate.In || condition instanceof Predicate.IsNull;
    }

    private List<String> bitmapColumns() {
      return List.of(
          ours.table()
              .schema()
              .options()
              .getOrDefault("file-index.bitmap.columns", "")
              .split(", "));
    }

    private FileIndexPredicate index(DataFile file, String bucket) throws IOException {
      var type = PaimonRows.type(columns);
      if (file.embeddedIndex() != null) {
        return new FileIndexPredicate(file.embeddedIndex().bytes(), type);
      }
      for (String name : file.extraFiles()) {
        return new FileIndexPredicate(
            new org.apache.paimon.fs.Path(file.companion(bucket, name)),
            LocalFileIO.create(),
            type);
      }
      return null;
    }

    /** Names of the index files that are there. */
    Set<String> indexFiles() throws IOException {
      try (Stream<Path> files = Files.walk(directory)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".index"))
            .collect(Collectors.toSet());
      }
    }

    /** Names of those that files of the newest snapshot have. */
    Set<String> namedIndexFiles() throws IOException {
      return ours.files().stream()
          .map(DataFile::extraFiles)
          .flatMap(Collection::stream)
          .collect(Collectors.toSet());
    }
  }
}
