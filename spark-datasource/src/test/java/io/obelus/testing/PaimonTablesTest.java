package io.obelus.testing;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaimonTablesTest {

  private static final List<String> COLUMNS = List.of("k BIGINT NOT NULL", "v STRING");
  private static final Map<String, String> MERGE_ON_WRITE =
      Map.of("bucket", "2", "deletion-vectors.enabled", "true");

  @TempDir Path directory;

  @Test
  void upserts_and_deletes_are_read_back_in_key_order() throws Exception {
    PaimonTable table = keyed(MERGE_ON_WRITE);
    assertThat(table.rows()).isEmpty();
    assertThat(table.latestSnapshot()).isZero();
    table.write(insert(3L, "c"), insert(1L, "a"), insert(2L, "b"));
    long first = table.latestSnapshot();
    table.write(insert(2L, "B"), delete(3L, null));
    assertThat(table.rows()).containsExactly(List.of(1L, "a"), List.of(2L, "B"));
    assertThat(table.rows(first))
        .containsExactly(List.of(1L, "a"), List.of(2L, "b"), List.of(3L, "c"));
  }

  @Test
  void write_only_leaves_rows_to_a_later_compaction() throws Exception {
    PaimonTable table = keyed(MERGE_ON_WRITE);
    table.write(insert(1L, "a"));
    table.with("write-only", "true").write(insert(1L, "b"));
    assertThat(table.rows()).containsExactly(List.of(1L, "a"));
    long before = table.latestSnapshot();
    assertThat(table.rowsAfterCompactingACopy()).containsExactly(List.of(1L, "b"));
    assertThat(table.latestSnapshot()).isEqualTo(before);
    table.compact();
    assertThat(table.rows()).containsExactly(List.of(1L, "b"));
  }

  @Test
  void a_table_is_opened_by_its_directory() throws Exception {
    PaimonTable table = keyed(MERGE_ON_WRITE);
    table.write(insert(1L, "a"));
    assertThat(new PaimonTables(directory).open(table.directory()).rows())
        .containsExactly(List.of(1L, "a"));
  }

  @Test
  void a_dynamic_bucket_is_chosen_by_the_caller() throws Exception {
    PaimonTable table = keyed(Map.of("bucket", "-1"));
    table.writeTo(7, insert(1L, "a"));
    assertThat(table.directory().resolve("bucket-7")).isDirectory();
    assertThat(table.rows()).containsExactly(List.of(1L, "a"));
  }

  @Test
  void all_atomic_types_come_back_as_they_went() throws Exception {
    PaimonTable table =
        new PaimonTables(directory)
            .create(
                "t",
                List.of(
                    "k INT NOT NULL",
                    "pt STRING NOT NULL",
                    "b BOOLEAN",
                    "t TINYINT",
                    "s SMALLINT",
                    "f FLOAT",
                    "d DOUBLE",
                    "n DECIMAL(10, 2)",
                    "m DECIMAL(30, 3)",
                    "c CHAR(3)",
                    "y BINARY(2)",
                    "x BYTES",
                    "day DATE",
                    "at TIME(3)",
                    "ts TIMESTAMP(6)",
                    "ltz TIMESTAMP(3) WITH LOCAL TIME ZONE"),
                List.of("pt"),
                List.of("pt", "k"),
                Map.of("bucket", "1"));
    Object[] values = {
      1,
      "p",
      true,
      (byte) -1,
      (short) -2,
      1.5f,
      -0.25,
      new BigDecimal("12.34"),
      new BigDecimal("123456789012345678901.234"),
      "abc",
      ByteBuffer.wrap(new byte[] {1, 2}),
      ByteBuffer.wrap(new byte[] {3}),
      LocalDate.of(1969, 12, 31),
      LocalTime.of(1, 2, 3),
      LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
      Instant.ofEpochMilli(-1)
    };
    Object[] nulls = new Object[values.length];
    nulls[0] = 2;
    nulls[1] = "p";
    table.write(insert(values), insert(nulls));
    assertThat(table.rows()).containsExactly(Arrays.asList(values), Arrays.asList(nulls));
  }

  private PaimonTable keyed(Map<String, String> options) throws Exception {
    return new PaimonTables(directory).create("t", COLUMNS, List.of(), List.of("k"), options);
  }
}
