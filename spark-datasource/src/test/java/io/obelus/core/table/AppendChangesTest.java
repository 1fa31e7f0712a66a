package io.obelus.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.maintenance.Compaction;
import io.obelus.core.table.maintenance.StruckRows;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomRows;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.WholeTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of tables without a key are struck out and their files compacted. */
class AppendChangesTest {

  private static final int HISTORIES = Integer.getInteger("histories", 3);
  private static final List<String> COLUMNS = List.of("k INT", "v STRING");
  private static final Map<String, String> UNAWARE = Map.of("deletion-vectors.enabled", "true");
  private static final Map<String, String> BUCKETED =
      Map.of("deletion-vectors.enabled", "true", "bucket", "2", "bucket-key", "k");

  @TempDir Path directory;

  @Test
  void histories_read_like_a_list_by_us_and_by_paimon() {
    Seeds.each(HISTORIES, random -> history(random, false));
  }

  @Test
  void histories_in_fixed_buckets_read_like_a_list_by_us_and_by_paimon() {
    Seeds.each(HISTORIES, random -> history(random, true));
  }

  private void history(Random random, boolean bucketed) throws Exception {
    Path place = Files.createTempDirectory(directory, "history");
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(0, "k", ColumnTypes.parse("INT")));
    columns.add(new Column(0, "p", ColumnTypes.parse("STRING")));
    for (int i = random.nextInt(3); i > 0; i--) {
      columns.add(new Column(0, "v" + i, RandomRows.anyType(random)));
    }
    RowType type = RandomRows.numbered(columns);
    Map<String, String> options = new HashMap<>(bucketed ? BUCKETED : UNAWARE);
    options.put("compaction.min.file-num", Integer.toString(2 + random.nextInt(3)));
    options.put("deletion-vectors.bitmap64", Boolean.toString(random.nextBoolean()));
    if (random.nextBoolean()) {
      options.put("target-file-size", random.nextBoolean() ? "1 kb" : "3 kb");
    }
    List<String> partition = random.nextBoolean() ? List.of() : List.of("p");
    Path at = place.resolve("warehouse/db.db/t");
    CoreTable ours = CoreTable.create(at, type, partition, List.of(), options);
    PaimonTable theirs = new PaimonTables(place).open(at);
    List<List<Object>> all = new ArrayList<>();
    TreeMap<Long, List<List<Object>>> past = new TreeMap<>();
    StringBuilder story = new StringBuilder(type.columns() + " by " + partition + options);
    for (int step = 4 + random.nextInt(10); step > 0; step--) {
      int what = random.nextInt(10);
      story.append(' ').append(what);
      if (what < 3 || all.isEmpty()) {
        List<Row> rows = rows(random, type);
        rows.forEach(row -> all.add(Arrays.asList(row.values())));
        if (random.nextBoolean()) {
          ours.write(rows);
        } else {
          theirs.write(rows);
        }
      } else if (what < 7) {
        int share = 1 + random.nextInt(6);
        int salt = random.nextInt();
        java.util.function.Predicate<List<Object>> struck =
            row -> Math.floorMod(row.hashCode() * 31 + salt, share) == 0;
        List<Row> added = random.nextInt(3) > 0 ? List.of() : rows(random, type);
        if (added.isEmpty() && random.nextBoolean()) {
          story.append(" by Paimon");
          theirs.strikeOut(places(ours, struck));
        } else {
          ours.change(struck, added);
        }
        all.removeIf(struck);
        added.forEach(row -> all.add(Arrays.asList(row.values())));
      } else if (what < 8) {
        ours.purge(random.nextInt(3) * 0.3);
      } else if (random.nextInt(3) == 0) {
        story.append(" by Paimon");
        if (bucketed) {
          theirs.compact();
        } else {
          theirs.compactUnaware();
        }
      } else {
        ours.compact(what == 8);
      }
      past.put(ours.latestSnapshot(), List.copyOf(all));
      SameRows.check(story + "\nread by us", ours.rows(), all);
      SameRows.check(story + "\nread by Paimon", theirs.rows(), all);
    }
    for (Map.Entry<Long, List<List<Object>>> then : past.entrySet()) {
      if (then.getKey() > 0) {
        long id = then.getKey();
        SameRows.check(story + "\nat " + id, ours.rows(id, LevelZero.MERGE), then.getValue());
        SameRows.check(story + "\nat " + id + " by Paimon", theirs.rows(id), then.getValue());
      }
    }
    WholeTables.check(ours.table(), story);
    ours.compact(true);
    WholeTables.check(ours.table(), story);
    SameRows.check(story + "\nin the end", ours.rows(), all);
    assertThat(struckOut(ours)).as(story.toString()).isZero();
  }

  /** Positions by the name of the file. */
  private static Map<String, List<Long>> places(
      CoreTable table, java.util.function.Predicate<List<Object>> condition) throws Exception {
    Map<String, List<Long>> places = new HashMap<>();
    table.places(
        condition,
        (file, position) ->
            places
                .computeIfAbsent(
                    file.substring(file.lastIndexOf('/') + 1), name -> new ArrayList<>())
                .add(position));
    return places;
  }

  private static List<Row> rows(Random random, RowType type) {
    List<Row> rows = new ArrayList<>();
    for (int i = 1 + random.nextInt(random.nextInt(4) == 0 ? 1500 : 20); i > 0; i--) {
      List<Object> values = PlainValues.of(RandomRows.row(random, type), type);
      values.set(0, random.nextInt(5));
      values.set(1, random.nextBoolean() ? "a" : "b");
      rows.add(Row.insert(values.toArray()));
    }
    return rows;
  }

  private static long struckOut(CoreTable table) throws Exception {
    Snapshot latest = table.table().snapshots().latest().orElse(null);
    return new LiveFiles(table.table(), latest)
        .buckets(id -> true).stream()
            .flatMap(bucket -> bucket.deletions().stream())
            .mapToLong(file -> file.bitmaps())
            .sum();
  }

  private CoreTable table(Map<String, String> options, Row... rows) throws Exception {
    CoreTable table =
        CoreTable.create(
            Files.createTempDirectory(directory, "t").resolve("t"),
            COLUMNS,
            List.of(),
            List.of(),
            options);
    table.write(rows);
    return table;
  }

  private static Row row(int k, String v) {
    return Row.insert(k, v);
  }

  private static void hasKeys(CoreTable table, Object... keys) throws Exception {
    assertThat(table.rows().stream().map(row -> row.get(0))).containsExactlyInAnyOrder(keys);
  }

  @Test
  void strikes_of_several_statements_are_joined() throws Exception {
    for (Map<String, String> options : List.of(UNAWARE, BUCKETED)) {
      CoreTable t = table(options, row(1, "a"), row(2, "a"), row(3, "b"), row(3, "b"));
      t.change(row -> row.get(0).equals(1), List.of());
      hasKeys(t, 2, 3, 3);
      t.change(row -> row.get(0).equals(3), List.of(row(4, "c")));
      hasKeys(t, 2, 4);
      t.change(row -> true, List.of());
      hasKeys(t);
      assertThat(t.files()).isEmpty(); // a file with no row left goes
      assertThat(struckOut(t)).isZero();
    }
  }

  @Test
  void of_a_strike_and_a_compaction_of_the_same_file_one_fails() throws Exception {
    for (Map<String, String> options : List.of(UNAWARE, BUCKETED)) {
      CoreTable t = table(options, row(1, "a"), row(2, "a"));
      t.write(row(1, "b"), row(2, "b"));
      CoreTable.Pending strike =
          t.prepareChange(row -> row.get(1).equals("a"), List.of(row(5, "c")));
      t.compact(true);
      assertThatThrownBy(strike::commit)
          .isInstanceOf(CommitConflictException.class)
          .hasMessageContaining("was changed by another commit");
      hasKeys(t, 1, 1, 2, 2);
      t.write(row(1, "c"), row(2, "c"));
      CoreTable.Pending compaction = t.prepareCompaction(true);
      t.change(row -> row.get(0).equals(1), List.of());
      assertThatThrownBy(compaction::commit).isInstanceOf(CommitConflictException.class);
      hasKeys(t, 2, 2, 2);
    }
  }

  @Test
  void of_two_strikes_in_the_same_bucket_one_fails() throws Exception {
    CoreTable t = table(UNAWARE, row(1, "a"), row(2, "a"), row(3, "a"));
    CoreTable.Pending first = t.prepareChange(row -> row.get(0).equals(1), List.of(row(7, "x")));
    CoreTable.Pending second = t.prepareChange(row -> row.get(0).equals(1), List.of(row(8, "y")));
    first.commit();
    assertThatThrownBy(second::commit).isInstanceOf(CommitConflictException.class);
    hasKeys(t, 2, 3, 7);
  }

  @Test
  void what_is_appended_meanwhile_stands_in_nobodys_way() throws Exception {
    for (Map<String, String> options : List.of(UNAWARE, BUCKETED)) {
      CoreTable t = table(options, row(1, "a"), row(2, "a"));
      CoreTable.Pending strike = t.prepareChange(row -> true, List.of(row(3, "b")));
      t.write(row(4, "c"));
      strike.commit();
      hasKeys(t, 3, 4);
      CoreTable.Pending compaction = t.prepareCompaction(true);
      t.write(row(5, "c"));
      compaction.commit();
      hasKeys(t, 3, 4, 5);
    }
  }

  @Test
  void compaction_keeps_the_order_of_rows() throws Exception {
    Map<String, String> one = new HashMap<>(BUCKETED);
    one.put("bucket", "1");
    for (Map<String, String> options : List.of(UNAWARE, one)) {
      CoreTable t = table(options);
      for (int i = 0; i < 6; i++) {
        t.write(row(3 * i, "a"), row(3 * i + 1, "a"), row(3 * i + 2, "a"));
      }
      t.change(row -> row.get(0).equals(4), List.of());
      t.compact(false);
      assertThat(t.files()).hasSize(1);
      List<Object> keys =
          t.rows(t.table().schema().rowType(), Predicate.ALWAYS, 1).stream()
              .map(row -> row.get(0))
              .toList();
      assertThat(keys).containsExactly(0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
    }
  }

  @Test
  void sequence_numbers_of_a_fixed_bucket_go_on() throws Exception {
    Map<String, String> one = new HashMap<>(BUCKETED);
    one.put("bucket", "1");
    CoreTable t = table(one, row(1, "a"), row(2, "a"));
    t.write(row(3, "a"));
    t.write(row(4, "a"), row(5, "a"));
    assertThat(t.files().stream().map(DataFile::minSequence)).containsExactly(0L, 2L, 3L);
    t.change(row -> row.get(0).equals(1), List.of());
    t.compact(true);
    DataFile file = t.files().get(0);
    assertThat(file.minSequence()).isEqualTo(1);
    assertThat(file.maxSequence()).isEqualTo(4);
  }

  @Test
  void only_files_with_many_struck_out_rows_are_purged() throws Exception {
    CoreTable t = table(UNAWARE, row(1, "a"), row(2, "a"), row(3, "a"), row(4, "a"));
    t.write(row(11, "b"), row(12, "b"), row(13, "b"), row(14, "b"));
    t.change(row -> List.<Object>of(1, 2, 11).contains(row.get(0)), List.of());
    assertThat(t.purge(0.5)).isEmpty();
    t.purge(0.25);
    assertThat(t.files().stream().map(DataFile::rowCount)).containsExactlyInAnyOrder(2L, 4L);
    hasKeys(t, 3, 4, 12, 13, 14);
    t.purge(0);
    assertThat(t.files().stream().map(DataFile::rowCount)).containsExactlyInAnyOrder(2L, 3L);
    assertThat(struckOut(t)).isZero();
    hasKeys(t, 3, 4, 12, 13, 14);
    assertThatThrownBy(() -> t.purge(1.5)).hasMessageContaining("should be from 0 to 1 but is 1.5");
  }

  @Test
  void small_files_are_merged_when_there_are_enough() throws Exception {
    CoreTable t = table(UNAWARE, row(0, "a"));
    for (int i = 1; i < 4; i++) {
      t.write(row(i, "a"));
    }
    assertThat(t.compact(false)).isEmpty();
    t.write(row(4, "a"));
    t.compact(false);
    assertThat(t.files()).hasSize(1);
    hasKeys(t, 0, 1, 2, 3, 4);
    assertThat(t.compact(true)).isEmpty();
  }

  @Test
  void a_large_bucket_is_compacted_in_parts() throws Exception {
    Map<String, String> small = new HashMap<>(UNAWARE);
    small.put("target-file-size", "2 kb");
    CoreTable t = table(small, row(-1, "a"), row(-2, "a"));
    for (int i = 0; i < 50; i++) {
      t.write(row(i, "b"));
    }
    t.change(row -> row.get(0).equals(-1), List.of());
    List<BucketState> parts = Compaction.of(t.table(), true).buckets(id -> true);
    assertThat(parts).hasSizeGreaterThan(1);
    assertThat(parts.stream().flatMap(part -> part.files().stream()))
        .containsExactlyInAnyOrderElementsOf(t.files());
    List<List<Object>> before = t.rows();
    t.compact(true);
    assertThat(t.files()).hasSizeBetween(1, 25);
    assertThat(t.rows()).isEqualTo(before).hasSize(51);
    assertThat(struckOut(t)).isZero();
  }

  @Test
  void a_row_is_replaced_once_only() {
    UTF8String file = UTF8String.fromString("f");
    StruckRows one = new StruckRows();
    one.add(file, 3, true);
    assertThatThrownBy(() -> one.add(file, 3, true))
        .hasMessageContaining("changes a row of the table twice");
    StruckRows other = new StruckRows();
    other.add(file, 3, false);
    other.add(file, 3, false); // deleted, however often
    assertThatThrownBy(() -> one.addAll(other)).hasMessageContaining("twice");
  }
}
