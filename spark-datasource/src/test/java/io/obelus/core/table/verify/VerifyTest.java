package io.obelus.core.table.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.maintenance.Analyze;
import io.obelus.core.table.maintenance.ExpireSnapshots;
import io.obelus.core.table.maintenance.RewriteFileIndex;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.TableStatistics;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.PaimonTable.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damage of each kind is planted and found: by the check that is for it and by no other, with its
 * place and with what mends it.
 */
@DamagesTables("what verify finds is planted")
class VerifyTest {

  private static final List<String> COLUMNS =
      List.of("k BIGINT NOT NULL", "w INT", "v STRING", "p INT NOT NULL");
  private static final BucketId BUCKET = new BucketId(RowBytes.EMPTY, 0);
  private static final String ROLLBACK = "CALL sys.rollback(table => 't', snapshot => 1)";
  private static final String OVERWRITE = "INSERT OVERWRITE t SELECT * FROM t";

  @TempDir private Path directory;
  private CoreTable t;
  private Damage damage;

  /** Of the file with the keys 0 to 99, of which 1 to 19 and 50 are struck out. */
  private DataFile older;

  /** Of the file with the keys 1 to 19, on a lower level. */
  private DataFile newer;

  @BeforeEach
  void makeTable() throws IOException {
    t = table("t", List.of("k"), List.of(), Map.of());
    t.write(rows(0, 100, "a"));
    List<Row> next = new ArrayList<>(rows(1, 20, "b"));
    next.add(Row.delete(50L, null, null, 0));
    t.write(next);
    damage = new Damage(t);
    older = t.files().stream().filter(file -> file.rowCount() == 100).findFirst().orElseThrow();
    newer = t.files().stream().filter(file -> file.rowCount() == 19).findFirst().orElseThrow();
    assertThat(newer.level()).isBetween(1, older.level() - 1);
    assertWhole();
  }

  private CoreTable table(
      String name, List<String> key, List<String> partition, Map<String, String> options)
      throws IOException {
    Map<String, String> all = new java.util.HashMap<>(options);
    all.putIfAbsent("bucket", "1");
    all.put("num-sorted-run.compaction-trigger", "20");
    return CoreTable.create(directory.resolve(name), COLUMNS, partition, key, all);
  }

  /** Keys {@code [from, to)}: w is the key times 10, each fifth v is null, p is 0. */
  private static List<Row> rows(int from, int to, String prefix) {
    List<Row> rows = new ArrayList<>();
    for (int k = from; k < to; k++) {
      rows.add(Row.insert((long) k, k * 10, k % 5 == 0 ? null : prefix + k % 7, 0));
    }
    return rows;
  }

  private List<Finding> findings(Verify.Level level) throws IOException {
    return Verify.all(CoreTable.open(directory.resolve("t")).table(), null, level, 1.0);
  }

  private void assertWhole() throws IOException {
    assertThat(findings(Verify.Level.METADATA)).isEmpty();
    assertThat(findings(Verify.Level.FULL)).isEmpty();
  }

  /** The one finding there is, on both levels. */
  private Finding ofMetadata() throws IOException {
    List<Finding> metadata = findings(Verify.Level.METADATA);
    assertThat(metadata).hasSize(1);
    assertThat(findings(Verify.Level.FULL)).contains(metadata.get(0));
    return metadata.get(0);
  }

  /** The one finding there is, if data files are read. */
  private Finding ofRows() throws IOException {
    assertThat(findings(Verify.Level.METADATA)).isEmpty();
    List<Finding> full = findings(Verify.Level.FULL);
    assertThat(full).hasSize(1);
    return full.get(0);
  }

  private static void assertError(
      Finding finding, String check, String file, Long position, String message, String remedy) {
    assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
    assertFinding(finding, check, file, position, message, remedy);
  }

  private static void assertFinding(
      Finding finding, String check, String file, Long position, String message, String remedy) {
    assertThat(finding.check()).as("%s", finding).isEqualTo(check);
    assertThat(finding.file()).as("%s", finding).endsWith(file);
    assertThat(finding.position()).as("%s", finding).isEqualTo(position);
    assertThat(finding.message()).as("%s", finding).contains(message);
    assertThat(finding.remedy()).as("%s", finding).startsWith(remedy);
  }

  private Path bucketFile(String name) {
    return directory.resolve("t/bucket-0").resolve(name);
  }

  private DeletionFile deletionFile() throws IOException {
    return damage.index().get(0).deletionFile();
  }

  private Path indexFile(String name) {
    return directory.resolve("t/index").resolve(name);
  }

  private void edit(DataFile file, Consumer<Damage.Edit> change) throws IOException {
    damage.file(file.name(), f -> new Damage.Edit(f).with(change));
  }

  // -- deletion bitmaps --

  @Test
  void a_flipped_bit_in_a_bitmap() throws IOException {
    DeletionFile file = deletionFile();
    Damage.bytes(indexFile(file.name()), flipped(-6));
    Finding finding = ofMetadata();
    assertError(finding, "deletion_bitmap", file.name(), null, "CRC-32 should be", ROLLBACK);
    assertThat(finding.partition()).isEmpty();
    assertThat(finding.bucket()).isZero();
  }

  private static UnaryOperator<byte[]> flipped(int fromEnd) {
    return bytes -> {
      bytes[bytes.length + fromEnd] ^= 1;
      return bytes;
    };
  }

  private void range(UnaryOperator<DeletionFile.Range> change) throws IOException {
    damage.index(
        entries ->
            entries.stream()
                .map(
                    e ->
                        new IndexEntry(
                            e.bucket(),
                            e.type(),
                            e.fileName(),
                            e.fileSize(),
                            e.rowCount(),
                            e.ranges().stream().map(change).toList(),
                            e.externalPath(),
                            e.globalIndex()))
                .toList());
  }

  @Test
  void a_wrong_cardinality() throws IOException {
    range(r -> new DeletionFile.Range(r.dataFile(), r.offset(), r.length(), 21L));
    assertError(
        ofMetadata(),
        "deletion_bitmap",
        deletionFile().name(),
        null,
        "number of deleted rows should be 21 but is 20",
        ROLLBACK);
  }

  @Test
  void a_bitmap_of_a_larger_file() throws IOException {
    range(r -> new DeletionFile.Range(newer.name(), r.offset(), r.length(), r.cardinality()));
    assertError(
        findings(Verify.Level.METADATA).get(0),
        "deletion_bitmap",
        deletionFile().name(),
        null,
        "of data file " + newer.name() + " marks row 50, but that file has 19 rows",
        ROLLBACK);
  }

  @Test
  void a_bitmap_of_a_file_that_is_gone() throws IOException {
    range(
        r -> new DeletionFile.Range("data-gone.parquet", r.offset(), r.length(), r.cardinality()));
    List<Finding> metadata = findings(Verify.Level.METADATA);
    assertThat(metadata).extracting(Finding::severity).containsExactly(Finding.Severity.WARNING);
    assertFinding(
        metadata.get(0),
        "deletion_bitmap",
        deletionFile().name(),
        null,
        "bitmap of data file data-gone.parquet, which is not live",
        "CALL sys.compact(table => 't')");
    List<Finding> full = findings(Verify.Level.FULL);
    assertThat(full).extracting(Finding::check).containsExactly("live_key", "deletion_bitmap");
    assertThat(full.get(0).remedy()).isEqualTo("CALL sys.compact(table => 't')");
    CoreTable.open(directory.resolve("t")).compact(true);
    assertWhole();
  }

  @Test
  void two_bitmaps_of_one_file() throws IOException {
    DeletionFile one = deletionFile();
    String copy = "index-copy-0";
    Files.copy(indexFile(one.name()), indexFile(copy));
    damage.index(
        entries -> {
          IndexEntry e = entries.get(0);
          entries.add(
              new IndexEntry(
                  e.bucket(), e.type(), copy, e.fileSize(), e.rowCount(), e.ranges(), null, null));
          return entries;
        });
    List<Finding> found = findings(Verify.Level.METADATA);
    assertThat(found).extracting(Finding::check).containsExactly("index_file", "deletion_bitmap");
    assertError(found.get(0), "index_file", copy, null, "second file of type", ROLLBACK);
    assertError(found.get(1), "deletion_bitmap", copy, null, "a second bitmap", ROLLBACK);
  }

  @Test
  void a_deletion_file_that_is_missing() throws IOException {
    DeletionFile file = deletionFile();
    Files.delete(indexFile(file.name()));
    List<Finding> found = findings(Verify.Level.METADATA);
    assertError(found.get(0), "index_file", file.name(), null, "the file is missing", ROLLBACK);
  }

  @Test
  void a_deletion_file_that_was_cut_short() throws IOException {
    DeletionFile file = deletionFile();
    Damage.bytes(indexFile(file.name()), bytes -> Arrays.copyOf(bytes, bytes.length - 3));
    List<Finding> found = findings(Verify.Level.METADATA);
    assertError(found.get(0), "index_file", file.name(), null, "should have", ROLLBACK);
  }

  // -- data files --

  @Test
  void a_data_file_that_is_missing() throws IOException {
    Files.delete(bucketFile(newer.name()));
    assertError(ofMetadata(), "data_file", newer.name(), null, "the file is missing", ROLLBACK);
    assertThat(findings(Verify.Level.FULL)).hasSize(2); // nor can it be read
  }

  @Test
  void a_data_file_that_was_cut_short() throws IOException {
    Damage.bytes(bucketFile(newer.name()), bytes -> Arrays.copyOf(bytes, bytes.length / 2));
    assertError(ofMetadata(), "data_file", newer.name(), null, "the file should have", ROLLBACK);
  }

  @Test
  void a_data_file_without_which_no_snapshot_is_left() throws IOException {
    Files.delete(bucketFile(older.name()));
    Finding finding = findings(Verify.Level.METADATA).get(0);
    assertError(finding, "data_file", older.name(), null, "missing", "restore ");
    assertThat(finding.remedy()).endsWith("from a copy; there is no older snapshot without it");
  }

  @Test
  void a_page_that_was_overwritten() throws IOException {
    Damage.bytes(
        bucketFile(newer.name()),
        bytes -> {
          Arrays.fill(bytes, 200, 300, (byte) 0);
          return bytes;
        });
    assertError(ofRows(), "data_file", newer.name(), null, newer.name(), ROLLBACK);
  }

  @Test
  void a_row_count_that_is_not_the_files() throws IOException {
    expireOlder();
    edit(newer, file -> file.rowCount = 18);
    assertError(
        ofRows(), "data_file", newer.name(), null, "row count should be 18 but is 19", "restore");
  }

  /** From here on metadata can be written anew without contradicting an older snapshot. */
  private void expireOlder() throws IOException {
    ExpireSnapshots.run(t.table(), new ExpireSnapshots.Rules(1, 1, 0, 10), false);
  }

  // -- keys --

  @Test
  void a_wrong_first_key() throws IOException {
    expireOlder();
    edit(newer, file -> file.minKey = damage.key(0L));
    assertError(
        ofRows(),
        "key_bounds",
        newer.name(),
        0L,
        "the first key should be (0) by the manifest but is (1)",
        "restore");
  }

  @Test
  void a_wrong_last_key() throws IOException {
    expireOlder();
    edit(newer, file -> file.maxKey = damage.key(18L));
    assertError(
        ofRows(), "key_bounds", newer.name(), 18L, "should be (18) by the manifest", "restore");
  }

  @Test
  void key_ranges_that_overlap() throws IOException {
    expireOlder();
    edit(newer, file -> file.level = older.level());
    List<Finding> found = findings(Verify.Level.METADATA);
    assertThat(found).hasSize(1);
    assertError(
        found.get(0),
        "key_range",
        newer.name(),
        null,
        "its keys begin at (1), but those of " + older.name() + " end at (99)",
        "restore");
  }

  @Test
  void a_first_key_above_the_last() throws IOException {
    expireOlder();
    edit(newer, file -> file.minKey = damage.key(20L));
    assertError(
        findings(Verify.Level.METADATA).get(0),
        "key_range",
        newer.name(),
        null,
        "its first key (20) is above its last key (19)",
        "restore");
  }

  /** A file that is sorted by w, taken for one that is sorted by the key. */
  private void takeSortedByOther(String name, long... keys) throws IOException {
    CoreTable other = table("other", List.of("w"), List.of(), Map.of());
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      rows.add(Row.insert(keys[i], i, name, 0));
    }
    other.write(rows);
    expireOlder();
    damage.take(other, BUCKET, 1, newer.level() - 1, keys[0], keys[keys.length - 1]);
  }

  @Test
  void a_file_that_is_not_sorted() throws IOException {
    takeSortedByOther("x", 200, 205, 203, 209, 207, 210);
    assertError(
        ofRows(),
        "key_order",
        ".parquet",
        2L,
        "key (203) is below the one before it; so is 1 other row",
        "restore");
  }

  @Test
  void a_key_that_is_not_what_its_copy_says() throws IOException {
    CoreTable plain =
        table(
            "plain",
            List.of("k"),
            List.of(),
            Map.of(
                "file.compression", "uncompressed",
                "parquet.enable.dictionary", "false",
                "parquet.page.write-checksum.enabled", "false"));
    plain.write(rows(200, 210, "x"));
    Damage.bytes(
        new Damage(plain).file("bucket-0", "data-", ".parquet"),
        bytes -> {
          int at = 0; // the copies are the first column of a file
          while (ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(at) != 203) {
            at++;
          }
          bytes[at] = (byte) 204;
          return bytes;
        });
    expireOlder();
    damage.take(plain, BUCKET, 1, newer.level() - 1, 200L, 209L);
    assertError(
        ofRows(),
        "key_copy",
        ".parquet",
        3L,
        "the row has key (203), but its _KEY_ columns say (204)",
        OVERWRITE);
  }

  @Test
  void a_damaged_copy_of_keys() throws IOException {
    Path file = damage.file("bucket-0", newer.name(), "");
    Damage.bytes(
        file,
        bytes -> {
          bytes[60] ^= 4; // in the first page of the first column
          return bytes;
        });
    assertError(
        ofRows(), "data_file", newer.name(), null, "CRC of a page of [_KEY_k] should be", ROLLBACK);
  }

  @Test
  void a_key_twice_in_a_file() throws IOException {
    takeSortedByOther("x", 200, 203, 203, 209);
    assertError(ofRows(), "live_key", ".parquet", 2L, "key (203) is in this file twice", "restore");
  }

  @Test
  void a_key_that_is_live_in_two_runs() throws IOException {
    takeSortedByOther("x", 60, 70, 200);
    Finding finding = ofRows();
    assertError(
        finding,
        "live_key",
        ".parquet",
        60L,
        "key (60) has a live row here and another in an older run, and so have 1 other",
        "CALL sys.compact(table => 't')");
    assertThat(finding.bucket()).isZero();
    CoreTable.open(directory.resolve("t")).compact(true);
    assertWhole();
  }

  @Test
  void a_key_on_level_0_that_is_to_be_merged_yet_is_no_fault() throws IOException {
    CoreTable other = table("other", List.of("k"), List.of(), Map.of());
    other.write(rows(60, 70, "late"));
    expireOlder();
    damage.take(other, BUCKET, 1, 0, 60L, 69L);
    assertWhole();
  }

  @Test
  void a_key_that_was_struck_out_is_no_fault() throws IOException {
    takeSortedByOther("x", 50, 200);
    assertWhole();
  }

  @Test
  void a_key_in_several_runs_of_a_table_without_bitmaps_is_no_fault() throws IOException {
    CoreTable merged =
        table("merged", List.of("k"), List.of(), Map.of("deletion-vectors.enabled", "false"));
    merged.write(rows(0, 10, "a"));
    merged.write(rows(5, 15, "b"));
    assertThat(Verify.all(merged.table(), null, Verify.Level.FULL, 1)).isEmpty();
  }

  // -- rows --

  @Test
  void rows_of_another_bucket() throws IOException {
    CoreTable two = table("t2", List.of("k"), List.of(), Map.of("bucket", "2"));
    two.write(rows(0, 10, "a"));
    CoreTable one = table("one", List.of("k"), List.of(), Map.of());
    one.write(rows(20, 30, "a"));
    new Damage(two).take(one, new BucketId(RowBytes.EMPTY, 1), 2, 1, 20L, 29L);
    List<Finding> found =
        Verify.all(two.table(), null, Verify.Level.FULL, 1).stream()
            .filter(finding -> finding.check().equals("row_bucket"))
            .toList();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).bucket()).isEqualTo(1);
    assertThat(found.get(0).message()).startsWith("the row belongs into bucket 0, not 1; so ");
    assertThat(found.get(0).remedy()).isEqualTo("INSERT OVERWRITE t2 SELECT * FROM t2");
  }

  @Test
  void rows_of_another_partition() throws IOException {
    CoreTable parted = table("t2", List.of("k", "p"), List.of("p"), Map.of());
    parted.write(rows(0, 10, "a"));
    new ExpireAll(parted).run();
    CoreTable one = table("one", List.of("k"), List.of(), Map.of());
    one.write(rows(20, 30, "a"));
    Damage of = new Damage(parted);
    RowType p = parted.table().schema().partitionType();
    RowBytes seven =
        new RowBytes(new BinaryRows(p).write(new GenericInternalRow(new Object[] {7})));
    of.take(one, new BucketId(seven, 0), 1, 5, 20L, 29L);
    List<Finding> found = Verify.all(parted.table(), null, Verify.Level.FULL, 1);
    assertThat(found).hasSize(1);
    assertError(
        found.get(0),
        "row_partition",
        ".parquet",
        0L,
        "partition values (0), but the manifest has the file in partition p=7; so are 9 other",
        "INSERT OVERWRITE t2");
    assertThat(found.get(0).partition()).isEqualTo("p=7");
  }

  private record ExpireAll(CoreTable table) {
    void run() throws IOException {
      ExpireSnapshots.run(table.table(), new ExpireSnapshots.Rules(1, 1, 0, 10), false);
    }
  }

  @Test
  void a_bucket_number_beyond_the_number_of_buckets() throws IOException {
    expireOlder();
    damage.entries(
        all ->
            all.stream()
                .map(
                    e ->
                        e.file().name().equals(newer.name())
                            ? new ManifestEntry(e.kind(), e.bucket(), 3, e.file())
                            : e)
                .toList());
    Finding finding = findings(Verify.Level.METADATA).get(0);
    assertThat(finding.check()).isEqualTo("bucket_number");
    assertThat(finding.message()).contains("of the same partition for ");
  }

  // -- statistics --

  @Test
  void statistics_of_analyze_that_are_damaged_or_missing() throws IOException {
    Snapshot newest = damage.newest();
    Analyze.run(
        t.table(),
        newest,
        new TableStatistics(newest.id(), newest.schemaId(), 99L, 1000L, Map.of()));
    assertWhole();
    Path file = damage.file("statistics", "stat-", "");
    Damage.bytes(file, bytes -> Arrays.copyOf(bytes, bytes.length / 2));
    assertWarning("this is no JSON");
    Files.delete(file);
    assertWarning("the statistics file is missing");
  }

  private void assertWarning(String message) throws IOException {
    List<Finding> found = findings(Verify.Level.METADATA);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(found.get(0).file()).contains("/statistics/stat-");
    assertThat(found.get(0).message()).contains(message);
    assertThat(found.get(0).remedy()).isEqualTo("ANALYZE TABLE t COMPUTE STATISTICS");
  }

  /** Statistics of one column of all, with something else in place of a value. */
  private ColumnStats stats(DataFile file, String column, Object min, Long nulls) {
    List<Column> columns =
        t.table().schema().rowType().columns().stream()
            .map(c -> c.typed(c.type().withNullable(true)))
            .toList();
    RowType type = new RowType(columns);
    BinaryRows rows = new BinaryRows(type);
    InternalRow old = rows.read(file.valueStats().min().bytes());
    Object[] mins = new Object[type.size()];
    for (int i = 0; i < mins.length; i++) {
      mins[i] =
          columns.get(i).name().equals(column) && min != null
              ? min
              : old.get(i, type.toSpark().fields()[i].dataType());
    }
    Long[] counts = file.valueStats().nullCounts().clone();
    counts[type.indexOf(column)] = nulls;
    return new ColumnStats(
        new RowBytes(rows.write(new GenericInternalRow(mins))), file.valueStats().max(), counts);
  }

  @Test
  void a_value_outside_of_the_statistics() throws IOException {
    expireOlder();
    edit(newer, file -> file.valueStats = stats(newer, "w", 30, 0L));
    assertError(
        ofRows(),
        "statistics",
        newer.name(),
        0L,
        "column 'w' is 10, which is outside of [30, 190], its statistics in the manifest; so is 1",
        OVERWRITE);
  }

  @Test
  void a_wrong_null_count() throws IOException {
    expireOlder();
    edit(newer, file -> file.valueStats = stats(newer, "v", null, 4L));
    assertError(
        ofRows(),
        "statistics",
        newer.name(),
        null,
        "column 'v' should have 4 nulls by its statistics in the manifest but has 3",
        OVERWRITE);
  }

  @Test
  void statistics_of_another_number_of_columns() throws IOException {
    expireOlder();
    edit(newer, file -> file.keyStats = file.valueStats);
    assertError(ofRows(), "statistics", newer.name(), null, "should have 1", OVERWRITE);
  }

  @Test
  void a_wrong_number_of_retracts() throws IOException {
    expireOlder();
    edit(newer, file -> file.deleteRowCount = 2L);
    assertError(ofRows(), "retract_count", newer.name(), null, "should have 2 retracts", "restore");
  }

  @Test
  void sequence_numbers_out_of_bounds() throws IOException {
    expireOlder();
    edit(newer, file -> file.minSequence = newer.maxSequence());
    assertError(ofRows(), "sequence_bounds", newer.name(), 0L, "is not in [", "restore");
  }

  // -- manifests --

  @Test
  void a_file_that_is_added_twice() throws IOException {
    expireOlder();
    damage.entries(
        all -> {
          all.add(all.get(0));
          return all;
        });
    List<Finding> found = findings(Verify.Level.METADATA);
    assertThat(found.get(0).severity()).isEqualTo(Finding.Severity.ERROR);
    assertFinding(
        found.get(0),
        "manifest_entry",
        ".parquet",
        null,
        "adds the file, which is there already",
        "restore");
  }

  @Test
  void a_file_that_is_live_on_two_levels() throws IOException {
    expireOlder();
    damage.entries(
        all -> {
          ManifestEntry e = all.get(0);
          all.add(new ManifestEntry(e.kind(), e.bucket(), e.totalBuckets(), e.file().atLevel(0)));
          return all;
        });
    assertThat(findings(Verify.Level.METADATA))
        .extracting(Finding::check, Finding::severity)
        .contains(org.assertj.core.groups.Tuple.tuple("manifest_entry", Finding.Severity.ERROR));
  }

  @Test
  void a_delete_without_its_add() throws IOException {
    expireOlder();
    damage.entries(
        all -> {
          ManifestEntry e = all.get(0);
          all.add(
              new ManifestEntry(
                  ManifestEntry.Kind.DELETE,
                  e.bucket(),
                  e.totalBuckets(),
                  new Damage.Edit(e.file()).with(file -> file.level = 3)));
          return all;
        });
    assertError(
        findings(Verify.Level.METADATA).get(0),
        "manifest_entry",
        ".parquet",
        null,
        "deletes the file, which no manifest before it added",
        "restore");
  }

  private void line(UnaryOperator<ManifestFile> change) throws IOException {
    expireOlder();
    damage.lists(files -> files.stream().map(change).toList(), damage.entries());
  }

  @Test
  void a_manifest_of_another_size() throws IOException {
    line(
        m ->
            new ManifestFile(
                m.name(),
                m.size() + 1,
                m.added(),
                m.deleted(),
                m.partitionStats(),
                m.schemaId(),
                m.minBucket(),
                m.maxBucket(),
                m.minLevel(),
                m.maxLevel()));
    Finding finding = findings(Verify.Level.METADATA).get(0);
    assertFinding(finding, "manifest", "-0", null, "size should be", "restore");
  }

  @Test
  void a_manifest_list_with_wrong_numbers() throws IOException {
    line(
        m ->
            new ManifestFile(
                m.name(),
                m.size(),
                m.added() + 1,
                m.deleted(),
                m.partitionStats(),
                m.schemaId(),
                1,
                2,
                m.minLevel(),
                m.maxLevel()));
    assertError(
        ofMetadata(),
        "manifest",
        "-0",
        null,
        "files added should be 3 but are 2; bucket 0 is not in [1, 2]",
        "CALL sys.compact_manifest(table => 't')");
  }

  @Test
  void a_manifest_that_is_missing_or_damaged() throws IOException {
    Snapshot newest = damage.newest();
    Path list = directory.resolve("t/manifest").resolve(newest.deltaManifestList());
    Damage.bytes(list, flipped(-20));
    Finding finding = findings(Verify.Level.METADATA).get(0);
    assertError(finding, "manifest_list", newest.deltaManifestList(), null, "damaged", ROLLBACK);
    Files.delete(list);
    finding = findings(Verify.Level.METADATA).get(0);
    assertError(finding, "manifest_list", newest.deltaManifestList(), null, "missing", ROLLBACK);
  }

  @Test
  void an_index_manifest_that_is_missing() throws IOException {
    String name = damage.newest().indexManifest();
    Files.delete(directory.resolve("t/manifest").resolve(name));
    assertError(
        findings(Verify.Level.METADATA).get(0), "index_manifest", name, null, "missing", ROLLBACK);
  }

  // -- snapshots, schemas, tags --

  @Test
  void a_wrong_number_of_rows() throws IOException {
    damage.totalRecordCount(7);
    Finding finding = ofMetadata();
    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
    assertFinding(
        finding,
        "record_count",
        "snapshot-2",
        null,
        "totalRecordCount of snapshot 2 is 7, but its manifests come to 119 rows",
        ROLLBACK);
  }

  @Test
  void a_snapshot_that_does_not_go_on_where_the_last_one_ended() throws IOException {
    damage.entries(
        all -> {
          all.removeIf(e -> e.file().name().equals(older.name()));
          return all;
        });
    List<Finding> found = findings(Verify.Level.METADATA);
    assertThat(found)
        .filteredOn(f -> f.check().equals("predecessor"))
        .extracting(Finding::message)
        .containsExactlyInAnyOrder(
            "it is part of snapshot 1, but snapshot 2 starts without it",
            "it is no part of snapshot 1, but snapshot 2 starts with it");
  }

  private void hint(String name, String text) throws IOException {
    Path file = directory.resolve("t/snapshot").resolve(name);
    Damage.bytes(file, bytes -> text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_hint_beyond_the_newest_snapshot() throws IOException {
    hint("LATEST", "9");
    Finding finding = ofMetadata();
    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
    assertFinding(
        finding,
        "hint",
        "LATEST",
        null,
        "the newest snapshot is 2, but the hint sends readers to 9",
        "CALL sys.rollback(table => 't', snapshot => 2)");
    hint("LATEST", "?");
    assertFinding(ofMetadata(), "hint", "LATEST", null, "is '?'", "CALL sys.rollback");
    hint("LATEST", "1"); // behind, which a commit that died leaves
    assertWhole();
  }

  @Test
  void a_hint_that_hides_the_oldest_snapshot() throws IOException {
    t.table().snapshots().setEarliest(2);
    assertFinding(
        ofMetadata(),
        "hint",
        "EARLIEST",
        null,
        "the oldest snapshot is 1, but the hint says 2",
        "CALL sys.expire_snapshots(table => 't', retain_max => 1)");
  }

  @Test
  void a_schema_that_is_missing() throws IOException {
    t = CoreTable.open(directory.resolve("t"));
    Path schema = directory.resolve("t/schema/schema-0");
    String next = Files.readString(schema).replaceFirst("\"id\" : 0,", "\"id\" : 1,");
    Files.writeString(directory.resolve("t/schema/schema-1"), next);
    Files.delete(schema);
    List<Finding> found = findings(Verify.Level.METADATA);
    assertThat(found).hasSize(1);
    assertError(found.get(0), "schema", "schema-0", null, "missing", "restore ");
  }

  @Test
  void a_snapshot_that_cannot_be_read() throws IOException {
    t.write(rows(200, 210, "c"));
    Damage.bytes(directory.resolve("t/snapshot/snapshot-2"), bytes -> Arrays.copyOf(bytes, 50));
    assertError(
        ofMetadata(),
        "snapshot",
        "snapshot-2",
        null,
        "snapshot-2",
        "CALL sys.expire_snapshots(table => 't', retain_max => 1)");
  }

  @Test
  void a_newest_snapshot_that_cannot_be_read() throws IOException {
    Damage.bytes(directory.resolve("t/snapshot/snapshot-2"), bytes -> Arrays.copyOf(bytes, 50));
    assertError(ofMetadata(), "snapshot", "snapshot-2", null, "snapshot-2", "restore ");
  }

  @Test
  void a_gap_between_snapshots() throws IOException {
    t.write(rows(200, 210, "c"));
    Files.delete(directory.resolve("t/snapshot/snapshot-2"));
    Finding finding = ofMetadata();
    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
    assertFinding(
        finding,
        "snapshot",
        "snapshot-3",
        null,
        "2 to 2 are missing before it. If a rollback to 1 was",
        "CALL sys.exp");
  }

  @Test
  void a_file_that_only_an_older_snapshot_needs() throws IOException {
    CoreTable.open(directory.resolve("t")).compact(true);
    Files.delete(bucketFile(newer.name()));
    assertError(
        ofMetadata(),
        "data_file",
        newer.name(),
        null,
        "missing",
        "CALL sys.expire_snapshots(table => 't', retain_max => 1)");
  }

  @Test
  void a_file_that_only_a_tag_needs() throws IOException {
    t.table().tags().create("it's", t.table().snapshots().get(2), null);
    CoreTable.open(directory.resolve("t")).compact(true);
    expireOlder();
    Files.delete(bucketFile(newer.name()));
    assertError(
        ofMetadata(),
        "data_file",
        newer.name(),
        null,
        "missing",
        "CALL sys.delete_tag(table => 't', tag => 'it\\'s')");
  }

  @Test
  void a_tag_that_cannot_be_read() throws IOException {
    t.table().tags().create("x", t.table().snapshots().get(2), null);
    Damage.bytes(directory.resolve("t/tag/tag-x"), bytes -> Arrays.copyOf(bytes, 50));
    assertError(ofMetadata(), "tag", "tag-x", null, "tag-x", "restore ");
  }

  // -- file indexes --

  /** Makes the table anew, with an index of a kind on column v or w. */
  private void index(String kind, String column, String threshold) throws IOException {
    t =
        table(
            "t3",
            List.of("k"),
            List.of(),
            Map.of(
                "file-index." + kind + ".columns",
                column,
                "file-index.in-manifest-threshold",
                threshold));
    t.write(rows(0, 100, "a"));
    assertThat(Verify.all(t.table(), null, Verify.Level.FULL, 1)).isEmpty();
    CoreTable other =
        table(
            "t4",
            List.of("k"),
            List.of(),
            Map.of(
                "file-index." + kind + ".columns",
                column,
                "file-index.in-manifest-threshold",
                threshold));
    other.write(rows(100, 200, "b"));
    damage = new Damage(t);
    DataFile file = t.files().get(0);
    DataFile foreign = other.files().get(0);
    if (file.embeddedIndex() != null) {
      new ExpireAll(t).run();
      edit(file, f -> f.embeddedIndex = foreign.embeddedIndex());
    } else {
      Files.copy(
          directory.resolve("t4/bucket-0").resolve(foreign.extraFiles().get(0)),
          directory.resolve("t3/bucket-0").resolve(file.extraFiles().get(0)),
          java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void makeIndexesAnew() throws IOException {
    RewriteFileIndex rewrite = RewriteFileIndex.of(t.table(), true);
    List<BucketChange> changes = new ArrayList<>();
    for (BucketState bucket : rewrite.buckets(id -> true)) {
      changes.add(rewrite.run(bucket, false).change());
    }
    rewrite.commit(changes);
  }

  private Finding ofIndex() throws IOException {
    assertThat(Verify.all(t.table(), null, Verify.Level.METADATA, 1)).isEmpty();
    List<Finding> found = Verify.all(t.table(), null, Verify.Level.FULL, 1);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).remedy())
        .isEqualTo("CALL sys.rewrite_file_index(table => 't3', anew => true)");
    makeIndexesAnew();
    assertThat(Verify.all(t.table(), null, Verify.Level.FULL, 1)).isEmpty();
    return found.get(0);
  }

  @Test
  void a_bitmap_index_of_other_values() throws IOException {
    index("bitmap", "v", "1 b");
    Finding finding = ofIndex();
    assertThat(finding.check()).isEqualTo("file_index");
    assertThat(finding.file()).endsWith(".index");
    assertThat(finding.message())
        .startsWith("the bitmap index of column 'v' does not know this row among those with value");
    assertThat(finding.position()).isNotNull();
  }

  @Test
  void an_embedded_bitmap_index_of_other_values() throws IOException {
    index("bitmap", "v", "100 kb");
    assertThat(ofIndex().file()).endsWith(".parquet");
  }

  @Test
  void a_bit_sliced_index_of_other_values() throws IOException {
    index("bsi", "w", "1 b");
    assertThat(ofIndex().message()).startsWith("the bsi index of column 'w' does not know");
  }

  @Test
  void a_range_bitmap_of_other_values() throws IOException {
    index("range-bitmap", "w", "1 b");
    assertThat(ofIndex().message()).startsWith("the range-bitmap index of column 'w' does not");
  }

  @Test
  void a_bloom_filter_that_lost_values() throws IOException {
    index("bloom-filter", "w", "1 b");
    assertThat(ofIndex().message())
        .startsWith("the bloom-filter index of column 'w' does not know this row among those");
  }

  @Test
  void an_index_file_that_is_missing_or_damaged() throws IOException {
    t =
        table(
            "t5",
            List.of("k"),
            List.of(),
            Map.of("file-index.bitmap.columns", "v", "file-index.in-manifest-threshold", "1 b"));
    t.write(rows(0, 100, "a"));
    Path file = directory.resolve("t5/bucket-0").resolve(t.files().get(0).extraFiles().get(0));
    Damage.bytes(file, flipped(-3));
    List<Finding> found = Verify.all(t.table(), null, Verify.Level.FULL, 1);
    assertThat(found).extracting(Finding::check).containsExactly("file_index");
    Files.delete(file);
    found = Verify.all(t.table(), null, Verify.Level.METADATA, 1);
    assertThat(found).hasSize(1);
    assertError(
        found.get(0),
        "file_index",
        ".index",
        null,
        "missing",
        "CALL sys.rewrite_file_index(table => 't5')");
  }

  // -- as a whole --

  @Test
  void damage_in_one_place_does_not_hide_another() throws IOException {
    DeletionFile file = deletionFile();
    Damage.bytes(indexFile(file.name()), flipped(-6));
    Files.delete(bucketFile(newer.name()));
    hint("LATEST", "9");
    assertThat(findings(Verify.Level.FULL))
        .extracting(Finding::check)
        .containsExactlyInAnyOrder("data_file", "data_file", "deletion_bitmap", "hint");
  }

  @Test
  void a_sample_always_reads_the_same_files() throws IOException {
    List<Boolean> found = new ArrayList<>();
    Damage.bytes(
        bucketFile(newer.name()),
        bytes -> {
          Arrays.fill(bytes, 200, 300, (byte) 0);
          return bytes;
        });
    for (double share : new double[] {1e-9, 0.5, 0.5, 1}) {
      found.add(!Verify.all(t.table(), null, Verify.Level.FULL, share).isEmpty());
    }
    assertThat(found.get(0)).isFalse();
    assertThat(found.get(1)).isEqualTo(found.get(2));
    assertThat(found.get(3)).isTrue();
    assertThatThrownBy(() -> Verify.all(t.table(), null, Verify.Level.FULL, 0))
        .hasMessage("the share of data files to read should be above 0 and at most 1 but is 0.0");
  }

  @Test
  void a_table_without_a_snapshot_is_whole() throws IOException {
    CoreTable empty = table("empty", List.of("k"), List.of(), Map.of());
    assertThat(Verify.all(empty.table(), null, Verify.Level.FULL, 1)).isEmpty();
  }

  @Test
  void an_older_snapshot_can_be_looked_at() throws IOException {
    Files.delete(bucketFile(newer.name()));
    Snapshot first = t.table().snapshots().get(1);
    List<Finding> found = Verify.all(t.table(), first, Verify.Level.FULL, 1);
    assertThat(found).hasSize(1); // the newest is damaged all the same
    assertThat(found.get(0).remedy()).contains("restore");
  }
}
