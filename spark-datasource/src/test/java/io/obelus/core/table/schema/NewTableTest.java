package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewTableTest {

  private static final StructType COLUMNS =
      StructType.fromDDL(
          "k INT, s STRING, dt DATE COMMENT 'day', arr ARRAY<INT>, m MAP<STRING, STRUCT<x: INT, y: STRING>>");

  private static TableSchema create(String partition, Map<String, String> options) {
    return NewTable.of(
            COLUMNS,
            partition.isEmpty() ? List.of() : List.of(partition.split(",")),
            options,
            "about")
        .schema(77);
  }

  @Test
  void a_keyed_table_has_buckets_and_deletion_bitmaps_unless_it_says_otherwise() {
    TableSchema schema = create("dt", Map.of("primary-key", "k, dt", "note", "kept"));
    assertThat(schema.id()).isZero();
    assertThat(schema.version()).isEqualTo(3);
    assertThat(schema.primaryKeys()).containsExactly("k", "dt");
    assertThat(schema.partitionKeys()).containsExactly("dt");
    assertThat(schema.trimmedPrimaryKeys()).containsExactly("k");
    assertThat(schema.highestFieldId()).isEqualTo(6);
    assertThat(schema.comment()).isEqualTo("about");
    assertThat(schema.timeMillis()).isEqualTo(77);
    assertThat(schema.options())
        .isEqualTo(Map.of("bucket", "4", "deletion-vectors.enabled", "true", "note", "kept"));
    assertThat(schema.rowType().columns())
        .extracting(Column::name, c -> ColumnTypes.print(c.type()), Column::comment)
        .startsWith(
            tuple("k", "INT NOT NULL", null),
            tuple("s", "STRING", null),
            tuple("dt", "DATE NOT NULL", "day"));
  }

  @Test
  void what_is_said_about_bitmaps_and_buckets_stays() {
    for (String option : List.of("deletion-vectors.enabled", "delete-map.enabled")) {
      for (String value : List.of("true", "false")) {
        Map<String, String> options =
            Map.of("primary-key", "k", option, value, "bucket", "1", "partition", "");
        assertThat(create("", options).options()).isEqualTo(Map.of(option, value, "bucket", "1"));
      }
    }
  }

  @Test
  void an_append_table_gets_no_options() {
    TableSchema schema = create("", Map.of("partition", "dt"));
    assertThat(schema.keyed()).isFalse();
    assertThat(schema.partitionKeys()).containsExactly("dt");
    assertThat(schema.options()).isEmpty();
    assertThat(new TableOptions(schema).bucket()).isEqualTo(-1);
    assertThat(create("", Map.of("bucket", "2", "bucket-key", "k")).options()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''   | primary-key=z | primary-key column 'z' is not there; the columns are [k, s, dt, arr, m]",
        "''   | primary-key=k,k | primary-key column 'k' is there twice",
        "''   | primary-key=arr | primary-key column 'arr' has type ARRAY<INT>, which has no order",
        "arr  | a=b | partition column 'arr' has type ARRAY<INT>, which has no order",
        "z    | a=b | partition column 'z' is not there",
        "dt,dt | a=b | partition column 'dt' is there twice",
        "dt   | primary-key=dt | option 'primary-key' is [dt], all of them partition columns",
        "dt   | primary-key=k | primary key [k] lacks a partition column of [dt]",
        "dt   | partition=k | option 'partition' is [k] but the table is partitioned by [dt]",
        "''   | primary-key=k;merge-engine=aggregation | option 'merge-engine' = 'aggregation' is not",
        "''   | primary-key=k;bucket=-1 | option 'bucket' = '-1' is not supported by this release: dynamic",
        "''   | primary-key=k;bucket=-2 | option 'bucket' = '-2' is not supported by this release: postponed",
        "''   | primary-key=k;bucket-key=s | option 'bucket-key' has 's', which is not in the primary key [k]",
        "dt   | primary-key=k,dt;bucket-key=dt | option 'bucket-key' has 'dt', which is a partition column",
        "''   | bucket-key=k | option 'bucket-key' needs a number of buckets",
        "''   | bucket=3 | option 'bucket' is 3, but a table without primary key needs option 'bucket-key'",
        "''   | bucket=3;bucket-key=m | option 'bucket-key' has 'm', whose type MAP<",
        "''   | primary-key=s;bucket-function.type=mod | option 'bucket-function.type' = 'mod' needs one",
        "''   | sequence.field=s | option 'sequence.field' orders rows of one key, but the table has no",
        "''   | primary-key=k;sequence.field=arr | option 'sequence.field' has 'arr', whose type ARRAY<INT>",
        "''   | primary-key=k;rowkind.field=dt | option 'rowkind.field' is 'dt', whose type is DATE",
        "''   | primary-key=k;fields.s.aggregate-function=sum | option 'fields.s.aggregate-function' =",
        "''   | primary-key=k;changelog-producer=input | option 'changelog-producer' = 'input' is not",
        "''   | file.format=orc | option 'file.format' = 'orc' is not supported by this release",
        "''   | primary-key=k;deletion-vectors.enabled=maybe | option 'deletion-vectors.enabled' is 'maybe'"
      })
  void what_cannot_be_is_refused_by_name(String partition, String options, String message) {
    Map<String, String> map = new HashMap<>();
    for (String option : options.split(";")) {
      String[] nameAndValue = option.split("=", 2);
      map.put(nameAndValue[0], nameAndValue[1]);
    }
    assertThatThrownBy(() -> create(partition, map))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a INT, a INT | column 'a' is there twice",
        "a STRUCT<b: INT, b: INT> | column 'a.b' is there twice",
        "_KEY_a INT | column '_KEY_a' has a name that data files need for themselves",
        "rowkind STRING | column 'rowkind' has a name that data files need",
        "_LEVEL INT | column '_LEVEL' has a name that data files need",
        "a STRUCT<> | column 'a' is a struct without fields",
        "a INTERVAL | column 'a' has Spark type INTERVAL, which tables cannot hold"
      })
  void columns_that_cannot_be_are_refused_by_name(String columns, String message) {
    StructType type = StructType.fromDDL(columns);
    assertThatThrownBy(() -> NewTable.of(type, List.of(), Map.of(), null).schema(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void a_table_needs_a_column() {
    assertThatThrownBy(() -> NewTable.of(new StructType(), List.of(), Map.of(), null).schema(0))
        .hasMessage("a table needs a column");
  }
}
