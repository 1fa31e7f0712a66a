package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.testing.Seeds;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.paimon.utils.InternalRowPartitionComputer;
import org.apache.paimon.utils.PartitionPathUtils;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class PartitionPathTest {

  private static TableSchema schema(Map<String, String> options, List<String> columns) {
    List<Column> list = new ArrayList<>();
    for (String column : columns) {
      String[] parts = column.split(" ", 2);
      list.add(new Column(list.size(), parts[0], ColumnTypes.parse(parts[1])));
    }
    RowType type = new RowType(list);
    return new TableSchema(3, 0, type, 9, type.names(), List.of(), options, null, 0);
  }

  private static String path(TableSchema schema, Object... values) {
    BinaryRows rows = new BinaryRows(schema.partitionType());
    RowBytes partition = new RowBytes(rows.write(new GenericInternalRow(values)));
    return new PartitionPath(schema).of(partition);
  }

  private static Object text(String text) {
    return UTF8String.fromString(text);
  }

  private static int day(String day) {
    return (int) LocalDate.parse(day).toEpochDay();
  }

  private static long micros(String time) {
    LocalDateTime dateTime = LocalDateTime.parse(time);
    return dateTime.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + dateTime.getNano() / 1000;
  }

  @Test
  void the_samples_of_the_specification() {
    TableSchema schema = schema(Map.of(), List.of("d DATE", "ts TIMESTAMP(3)", "s STRING"));
    assertThat(path(schema, day("2024-01-01"), micros("2024-01-01T00:00"), text("2024/01:02 é")))
        .isEqualTo("d=19723/ts=2024-01-01T00%3A00/s=2024%2F01%3A02 é");
    for (Object nothing : new Object[] {null, text(""), text(" ")}) {
      assertThat(path(schema, day("2024-01-01"), micros("2024-01-01T00:00:01.123"), nothing))
          .isEqualTo("d=19723/ts=2024-01-01T00%3A00%3A01.123/s=__DEFAULT_PARTITION__");
    }
    TableSchema sql =
        schema(
            Map.of("partition.legacy-name", "false", "partition.default-name", "none"),
            List.of("d DATE", "s STRING"));
    assertThat(path(sql, day("2024-01-01"), null)).isEqualTo("d=2024-01-01/s=none");
  }

  @Test
  void an_unpartitioned_table_has_no_directory() {
    assertThat(new PartitionPath(schema(Map.of(), List.of())).of(RowBytes.EMPTY)).isEmpty();
  }

  @Test
  void signs_that_mislead_a_file_system_are_escaped() {
    assertThat(PartitionPath.escape("a\"#%'*/:=?\\{}[]^\u007f\n\u0000z"))
        .isEqualTo("a%22%23%25%27%2A%2F%3A%3D%3F%5C%7B%7D%5B%5D%5E%7F%0A%00z");
    assertThat(PartitionPath.escape("a b+,.;<>|~数据é")).isEqualTo("a b+,.;<>|~数据é");
  }

  @Test
  void any_values_name_the_directory_that_paimon_names() {
    Seeds.each(
        random -> {
          boolean legacy = random.nextBoolean();
          List<String> columns = new ArrayList<>();
          List<Object> ours = new ArrayList<>();
          List<Object> theirs = new ArrayList<>();
          List<DataField> fields = new ArrayList<>();
          for (int i = 0; i < 12; i++) {
            String type = TYPES.get(random.nextInt(TYPES.size()));
            columns.add("c" + i + " " + type);
            fields.add(
                new DataField(i, "c" + i, DataTypeJsonParser.parseAtomicTypeSQLString(type)));
            addValue(random, ColumnTypes.parse(type), ours, theirs);
          }
          TableSchema schema =
              schema(Map.of("partition.legacy-name", Boolean.toString(legacy)), columns);
          InternalRowPartitionComputer paimon =
              new InternalRowPartitionComputer(
                  "__DEFAULT_PARTITION__",
                  new org.apache.paimon.types.RowType(fields),
                  schema.partitionKeys().toArray(String[]::new),
                  legacy);
          assertThat(path(schema, ours.toArray()) + "/")
              .isEqualTo(
                  PartitionPathUtils.generatePartitionPath(
                      paimon.generatePartValues(GenericRow.of(theirs.toArray()))));
        });
  }

  private static final List<String> TYPES =
      List.of(
          "BOOLEAN",
          "TINYINT",
          "SMALLINT",
          "INT",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "STRING",
          "VARCHAR(20)",
          "DECIMAL(9, 3)",
          "DECIMAL(38, 10)",
          "DATE",
          "TIME(0)",
          "TIME(3)",
          "TIMESTAMP(0)",
          "TIMESTAMP(3)",
          "TIMESTAMP(6)");

  private static void addValue(
      Random random, ColumnType type, List<Object> ours, List<Object> theirs) {
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    if (random.nextInt(8) == 0) {
      ours.add(null);
      theirs.add(null);
      return;
    }
    Object same =
        switch (scalar.kind()) {
          case BOOLEAN -> random.nextBoolean();
          case TINYINT -> (byte) random.nextInt();
          case SMALLINT -> (short) random.nextInt();
          case INT -> random.nextInt();
          case BIGINT -> random.nextLong();
          case FLOAT -> random.nextFloat() * random.nextInt();
          case DOUBLE -> random.nextDouble() * random.nextLong();
          case DATE -> random.nextInt(80_000) - 30_000;
          case TIME ->
              random.nextInt(86_400) * 1000
                  + (scalar.precision() == 0 ? 0 : random.nextInt(3) * 5 * random.nextInt(60));
          default -> null;
        };
    if (same != null) {
      ours.add(same);
      theirs.add(same);
      return;
    }
    switch (scalar.kind()) {
      case DECIMAL -> {
        BigDecimal value = BigDecimal.valueOf(random.nextInt(1_000_000), scalar.scale());
        ours.add(Decimal.apply(value, scalar.precision(), scalar.scale()));
        theirs.add(
            org.apache.paimon.data.Decimal.fromBigDecimal(
                value, scalar.precision(), scalar.scale()));
      }
      case TIMESTAMP -> {
        long unit = (long) Math.pow(10, 6 - scalar.precision());
        long micros = random.nextLong(-2_000_000_000L, 4_000_000_000L) * 1_000_000;
        micros += random.nextBoolean() ? 0 : random.nextLong(1_000_000) / unit * unit;
        ours.add(micros);
        theirs.add(Timestamp.fromMicros(micros));
      }
      default -> {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
          text.append(
              (char) (random.nextInt(10) == 0 ? random.nextInt(0xD800) : random.nextInt(128)));
        }
        ours.add(text(text.toString()));
        theirs.add(BinaryString.fromString(text.toString()));
      }
    }
  }

  @Test
  void values_without_a_text_name_no_directory() {
    assertThatThrownBy(() -> path(schema(Map.of(), List.of("b BYTES")), new byte[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "partition column 'b' has type BYTES, whose values have no text to name a directory by");
    assertThatThrownBy(() -> path(schema(Map.of(), List.of("t TIMESTAMP(9)")), 0L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type TIMESTAMP(9), whose values have more digits than Spark keeps");
    TableSchema zoned =
        schema(Map.of("partition.legacy-name", "false"), List.of("t TIMESTAMP_LTZ(6)"));
    assertThatThrownBy(() -> path(zoned, 0L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition column 't' is TIMESTAMP_LTZ");
  }
}
