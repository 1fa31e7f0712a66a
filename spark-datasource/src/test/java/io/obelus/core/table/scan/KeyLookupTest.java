package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.io.CountedStorage;
import io.obelus.core.io.PartCache;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PlainValues;
import io.obelus.testing.Seeds;
import io.obelus.testing.TableModel;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows found by their keys, against a plain model of the table. */
class KeyLookupTest {

  private static final List<String> COLUMNS =
      List.of("v INT", "k BIGINT NOT NULL", "p STRING NOT NULL", "t STRING", "j STRING NOT NULL");

  @TempDir Path directory;

  private CoreTable table(Random random) throws IOException {
    return CoreTable.create(
        Files.createTempDirectory(directory, "t").resolve("t"),
        COLUMNS,
        random.nextBoolean() ? List.of("p") : List.of(),
        random.nextBoolean() ? List.of("k", "p", "j") : List.of("p", "j", "k"),
        Map.of(
            "bucket",
            Integer.toString(1 + random.nextInt(3)),
            "bucket-key",
            random.nextBoolean() ? "k" : "j,k",
            "target-file-size",
            random.nextBoolean() ? "2 kb" : "1 mb",
            "parquet.page.row.count.limit",
            "20"));
  }

  private static Row row(Random random, boolean deletes) {
    long k = random.nextInt(120);
    String p = "p" + random.nextInt(3);
    String j = "j".repeat(1 + random.nextInt(2));
    return deletes && random.nextInt(4) == 0
        ? Row.delete(0, k, p, null, j)
        : Row.insert(random.nextInt(100), k, p, random.nextBoolean() ? null : "t" + k, j);
  }

  private static List<Row> batch(Random random, int size, boolean deletes) {
    List<Row> rows = new ArrayList<>();
    Set<List<Object>> keys = new HashSet<>();
    for (int i = 0; i < size; i++) {
      Row row = row(random, deletes);
      if (keys.add(Arrays.asList(row.values()).subList(1, 3))) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void a_key_finds_the_row_that_the_table_has_of_it() {
    Seeds.each(
        20,
        random -> {
          CoreTable table = table(random);
          TableModel model = TableModel.of(table);
          for (int write = 0; write < 1 + random.nextInt(5); write++) {
            List<Row> batch = batch(random, 1 + random.nextInt(150), write > 0);
            table.write(batch);
            model.write(batch);
            if (random.nextInt(4) == 0) {
              table.compact(random.nextBoolean());
            }
          }
          check(table, model, random);
        });
  }

  private static void check(CoreTable table, TableModel model, Random random) throws IOException {
    RowType all = table.table().schema().rowType();
    List<String> asked = new ArrayList<>(all.names());
    Collections.shuffle(asked, random);
    RowType columns = all.project(asked.subList(0, random.nextInt(asked.size() + 1)));
    RowType keyType = KeyLookup.primaryKey(table.table().schema());
    List<List<Object>> keys = new ArrayList<>();
    boolean ascending = random.nextBoolean();
    for (int i = 0; i < (ascending ? 200 : 20); i++) {
      List<Object> row = Arrays.asList(row(random, false).values());
      keys.add(keyType.names().stream().map(name -> row.get(all.indexOf(name))).toList());
    }
    if (ascending) {
      keys.sort(KeyLookupTest::compare);
    }
    Map<List<Object>, Long> numbers = new HashMap<>();
    try (KeyLookup lookup = new KeyLookup(files(table), columns, BatchSettings.DEFAULT)) {
      UnsafeProjection unsafe = UnsafeProjection.create(keyType.toSpark());
      for (List<Object> key : keys) {
        Row wanted = model.newest(key);
        boolean there = wanted != null && !TableModel.isDelete(wanted);
        assertThat(lookup.find(unsafe.apply(PlainValues.row(key, keyType))))
            .as("%s", key)
            .isEqualTo(there);
        if (there) {
          List<Object> values = new ArrayList<>();
          columns.names().forEach(name -> values.add(wanted.values()[all.indexOf(name)]));
          assertThat(PlainValues.of(lookup.row(), columns)).isEqualTo(values);
          Long before = numbers.put(key, lookup.number());
          assertThat(before == null || before == lookup.number()).isTrue();
        }
      }
    }
    assertThat(numbers.values()).doesNotHaveDuplicates();
  }

  @SuppressWarnings("unchecked") // a column of the key holds values of one type
  private static int compare(List<Object> a, List<Object> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = ((Comparable<Object>) a.get(i)).compareTo(b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Test
  void a_key_reads_the_pages_that_may_hold_it_and_keys_in_order_read_each_page_once()
      throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("large"),
            List.of("k INT NOT NULL", "t STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1"));
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < 40_000; k++) {
      rows.add(Row.insert(k, "text-" + k * 7919L));
    }
    table.write(rows);
    long file = table.files().get(0).size();
    assertThat(bytesRead(table, List.of(20_000))).isLessThan(file / 4);
    List<Integer> all = IntStream.range(0, 40_000).filter(k -> k % 50 == 0).boxed().toList();
    assertThat(bytesRead(table, all)).isBetween(file / 2, file + file / 4);
  }

  @Test
  void a_file_that_has_gone_is_an_error_that_says_why_it_may_have() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("gone"),
            List.of("k INT NOT NULL"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1"));
    table.write(Row.insert(1));
    KeyedFiles old = files(table);
    Path bucket = directory.resolve("gone").resolve("bucket-0");
    Path file = bucket.resolve(table.files().get(0).name());
    Path aside = Files.move(file, directory.resolve("aside"));
    RowType keyType = KeyLookup.primaryKey(table.table().schema());
    UnsafeRow key =
        UnsafeProjection.create(keyType.toSpark()).apply(PlainValues.row(List.of(1), keyType));
    try (KeyLookup lookup = new KeyLookup(old, keyType, BatchSettings.DEFAULT)) {
      assertThatThrownBy(() -> lookup.find(key))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("If its snapshot has expired since this began, run the statement");
    }
    Files.move(aside, file); // the table is whole, as each is after a test
  }

  private static long bytesRead(CoreTable table, List<Integer> keys) throws IOException {
    CountedStorage storage = new CountedStorage(table.table().storage(), PartCache.NONE);
    CoreTable counted = table.on(storage);
    RowType columns = table.table().schema().rowType();
    RowType keyType = KeyLookup.primaryKey(table.table().schema());
    UnsafeProjection unsafe = UnsafeProjection.create(keyType.toSpark());
    try (KeyLookup lookup = new KeyLookup(files(counted), columns, BatchSettings.DEFAULT)) {
      for (Integer key : keys) {
        assertThat(lookup.find(unsafe.apply(PlainValues.row(List.of(key), keyType)))).isTrue();
      }
    }
    return storage.bytesRead(".parquet");
  }

  private static KeyedFiles files(CoreTable table) throws IOException {
    Snapshot latest = table.table().snapshots().latest().orElse(null);
    return ScanPlan.of(table.table(), latest, Predicate.ALWAYS, LevelZero.MERGE)
        .keyedFiles()
        .orElseThrow();
  }
}
