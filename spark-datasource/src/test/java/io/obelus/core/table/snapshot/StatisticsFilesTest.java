package io.obelus.core.table.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.table.commit.Commit;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.stats.ColStats;
import org.apache.paimon.stats.Statistics;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statistics of ours and of Paimon are the same files. */
class StatisticsFilesTest {

  private static final List<String> COLUMNS =
      List.of(
          "k BIGINT NOT NULL",
          "flag BOOLEAN",
          "tiny TINYINT",
          "small SMALLINT",
          "int INT",
          "float FLOAT",
          "double DOUBLE",
          "price DECIMAL(9, 3)",
          "day DATE",
          "time TIME(3)",
          "seconds TIMESTAMP(0)",
          "millis TIMESTAMP(3)",
          "micros TIMESTAMP(6) WITH LOCAL TIME ZONE",
          "text STRING");

  /** Bounds of each column but the last, as Spark holds them. */
  private static final Object[] OURS = {
    -1L,
    true,
    (byte) -5,
    (short) 300,
    7,
    1.5f,
    -2.25,
    org.apache.spark.sql.types.Decimal.apply(new BigDecimal("-12.500"), 9, 3),
    19782,
    63936942,
    1709228736000000L,
    1709228736942000L,
    -1L
  };

  /** The same as Paimon holds them. */
  private static final Comparable<?>[] PAIMONS = {
    -1L,
    true,
    (byte) -5,
    (short) 300,
    7,
    1.5f,
    -2.25,
    Decimal.fromBigDecimal(new BigDecimal("-12.500"), 9, 3),
    19782,
    63936942,
    Timestamp.fromMicros(1709228736000000L),
    Timestamp.fromMicros(1709228736942000L),
    Timestamp.fromMicros(-1)
  };

  @TempDir private Path directory;
  private PaimonTable paimon;
  private CoreTable table;

  private void createTable() throws Exception {
    paimon =
        new PaimonTables(directory)
            .create("t", COLUMNS, List.of(), List.of("k"), Map.of("bucket", "1"));
    table = CoreTable.open(paimon.directory());
    Object[] row = new Object[COLUMNS.size()];
    row[0] = 1L;
    paimon.write(PaimonTable.Row.insert(row));
  }

  private static TableStatistics ours(long snapshot) {
    Map<String, ColumnStatistics> columns = new LinkedHashMap<>();
    for (int i = 0; i < COLUMNS.size(); i++) {
      Object bound = i < OURS.length ? OURS[i] : null;
      String name = COLUMNS.get(i).split(" ", 2)[0];
      columns.put(
          name, new ColumnStatistics(i, 3L + i, bound, bound, (long) i, i < 3 ? null : 4L, 8L));
    }
    return new TableStatistics(snapshot, 0, 1L, 70L, columns);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Statistics paimons(long snapshot) {
    Map<String, ColStats<?>> columns = new LinkedHashMap<>();
    for (int i = 0; i < COLUMNS.size(); i++) {
      Comparable bound = i < PAIMONS.length ? PAIMONS[i] : null;
      String name = COLUMNS.get(i).split(" ", 2)[0];
      columns.put(
          name, ColStats.newColStats(i, 3L + i, bound, bound, (long) i, i < 3 ? null : 4L, 8L));
    }
    return new Statistics(snapshot, 0, 1L, 70L, columns);
  }

  private Snapshot latest() throws IOException {
    return table.table().snapshots().latest().orElseThrow();
  }

  private Snapshot analyze() throws IOException {
    Snapshot before = latest();
    return new Commit(table.table(), before).statistics(ours(before.id())).orElseThrow();
  }

  @Test
  void paimon_reads_what_we_write() throws Exception {
    createTable();
    Snapshot before = latest();
    Snapshot made = analyze();
    assertThat(made.kind()).isEqualTo(Snapshot.Kind.ANALYZE);
    assertThat(made.deltaRecordCount()).isZero();
    Statistics read = paimon.reopened().table().statistics().orElseThrow();
    assertThat(read.mergedRecordCount()).hasValue(1);
    assertThat(read.mergedRecordSize()).hasValue(70);
    for (var column : paimons(before.id()).colStats().entrySet()) {
      ColStats<?> found = read.colStats().get(column.getKey());
      assertThat(found.min()).as(column.getKey()).isEqualTo(column.getValue().min());
      assertThat(found.max()).as(column.getKey()).isEqualTo(column.getValue().max());
      assertThat(found.distinctCount()).isEqualTo(column.getValue().distinctCount());
      assertThat(found.nullCount()).isEqualTo(column.getValue().nullCount());
      assertThat(found.avgLen()).isEqualTo(column.getValue().avgLen());
      assertThat(found.maxLen()).isEqualTo(column.getValue().maxLen());
    }
    paimon.reopened().write(PaimonTable.Row.insert(rowOf(2)));
    assertThat(latest().statistics()).isEqualTo(made.statistics());
    assertThat(table.table().statisticsFiles().of(latest())).contains(ours(before.id()));
  }

  private static Object[] rowOf(long key) {
    Object[] row = new Object[COLUMNS.size()];
    row[0] = key;
    return row;
  }

  @Test
  void we_read_what_paimon_writes_and_write_the_same_bytes() throws Exception {
    createTable();
    long snapshot = latest().id();
    try (BatchTableCommit commit = paimon.table().newBatchWriteBuilder().newCommit()) {
      commit.updateStatistics(paimons(snapshot));
    }
    assertThat(latest().kind()).isEqualTo(Snapshot.Kind.ANALYZE);
    assertThat(table.table().statisticsFiles().of(latest())).contains(ours(snapshot));
    Path file = paimon.directory().resolve("statistics").resolve(latest().statistics());
    assertThat(
            new String(
                StatisticsFormat.write(ours(snapshot), table.table().schema().rowType()),
                StandardCharsets.UTF_8))
        .isEqualTo(Files.readString(file));
  }

  @Test
  @DamagesTables("statistics are damaged")
  void statistics_that_do_not_fit_their_schema_are_refused_by_key() throws Exception {
    createTable();
    String name = analyze().statistics();
    Path file = paimon.directory().resolve("statistics").resolve(name);
    String whole = Files.readString(file);
    Map.of(
            "\"min\" : \"-5\"", "\"min\" : \"-500\"",
            "\"max\" : \"true\"", "\"max\" : \"yes\"",
            "\"max\" : \"2024-02-29 17:45:36.942\"", "\"max\" : \"2024-02-30 17:45:36.942\"",
            "\"colId\" : 13", "\"colId\" : 14")
        .forEach(
            (from, to) -> {
              assertThat(whole).contains(from);
              assertThatThrownBy(
                      () -> {
                        Files.writeString(file, whole.replace(from, to));
                        table.table().statisticsFiles().of(latest());
                      })
                  .isInstanceOf(CorruptFileException.class)
                  .hasMessageContaining("key 'colStats.")
                  .hasMessageContaining(name);
            });
  }
}
