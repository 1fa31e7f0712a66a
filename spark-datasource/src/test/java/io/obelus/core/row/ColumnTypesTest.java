package io.obelus.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTypesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INT",
        "BIGINT",
        "FLOAT",
        "DOUBLE",
        "DATE",
        "VARIANT",
        "CHAR(5)",
        "CHAR(2147483647)",
        "VARCHAR(10)",
        "STRING",
        "BINARY(3)",
        "VARBINARY(9)",
        "BYTES",
        "DECIMAL(20, 2)",
        "DECIMAL(38, 38)",
        "TIME(0)",
        "TIMESTAMP(6)",
        "TIMESTAMP(9)",
        "TIMESTAMP(3) WITH LOCAL TIME ZONE"
      })
  void a_written_text_is_read_and_written_again_as_it_was(String text) {
    assertThat(ColumnTypes.print(ColumnTypes.parse(text))).isEqualTo(text);
    assertThat(ColumnTypes.parse(text).nullable()).isTrue();
    String required = text + " NOT NULL";
    assertThat(ColumnTypes.print(ColumnTypes.parse(required))).isEqualTo(required);
    assertThat(ColumnTypes.parse(required).nullable()).isFalse();
    assertThat(ColumnTypes.parse(text + " NULL")).isEqualTo(ColumnTypes.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INTEGER NOT NULL | INT NOT NULL",
        "DOUBLE PRECISION | DOUBLE",
        "DOUBLE PRECISION NOT NULL | DOUBLE NOT NULL",
        "CHAR | CHAR(1)",
        "VARCHAR | VARCHAR(1)",
        "VARCHAR(2147483647) | STRING",
        "BINARY | BINARY(1)",
        "VARBINARY | VARBINARY(1)",
        "VARBINARY(2147483647) | BYTES",
        "DECIMAL | DECIMAL(10, 0)",
        "DEC(7) | DECIMAL(7, 0)",
        "NUMERIC(7,3) | DECIMAL(7, 3)",
        "TIME | TIME(0)",
        "TIME(3) WITHOUT TIME ZONE | TIME(3)",
        "TIMESTAMP | TIMESTAMP(6)",
        "TIMESTAMP WITHOUT TIME ZONE NOT NULL | TIMESTAMP(6) NOT NULL",
        "TIMESTAMP WITH LOCAL TIME ZONE | TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "TIMESTAMP_LTZ(3) | TIMESTAMP(3) WITH LOCAL TIME ZONE",
        "TIMESTAMP_LTZ | TIMESTAMP(6) WITH LOCAL TIME ZONE"
      })
  void other_spellings_mean_the_same_types(String text, String written) {
    assertThat(ColumnTypes.print(ColumnTypes.parse(text))).isEqualTo(written);
  }

  @Test
  void the_other_engine_reads_the_same_texts_to_the_same_types() {
    for (String text :
        List.of(
            "INTEGER NOT NULL",
            "DOUBLE PRECISION",
            "CHAR",
            "VARCHAR(7) NULL",
            "DEC(7)",
            "NUMERIC(7,3)",
            "DECIMAL",
            "TIME(3) WITHOUT TIME ZONE",
            "TIME",
            "TIMESTAMP",
            "TIMESTAMP(3) WITHOUT TIME ZONE",
            "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL",
            "TIMESTAMP_LTZ(9)",
            "BYTES",
            "VARIANT")) {
      assertThat(ColumnTypes.print(ColumnTypes.parse(text)))
          .isEqualTo(
              org.apache.paimon.types.DataTypeJsonParser.parseAtomicTypeSQLString(text)
                  .asSQLString());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BLOB | 'BLOB' is no type that this version knows",
        "'' | it ends too early",
        "CHAR(0) | length should be 1 to 2147483647 but is '0'",
        "VARCHAR(2147483648) | length should be 1 to 2147483647 but is '2147483648'",
        "VARCHAR(99999999999999999999) | length should be 1 to 2147483647",
        "VARCHAR(n) | length should be 1 to 2147483647 but is 'N'",
        "DECIMAL(39, 2) | precision should be 1 to 38 but is '39'",
        "DECIMAL(5, 6) | scale should be 0 to 5 but is '6'",
        "TIMESTAMP(10) | precision should be 0 to 9 but is '10'",
        "TIMESTAMP WITH TIME ZONE | 'LOCAL' should come where 'TIME' is",
        "CHAR(5 | ')' should come where the end is",
        "INT NOT | 'NULL' should come where the end is",
        "INT NULL NULL | 'NULL' is one word too many",
        "INT; | ';' is not understood"
      })
  void an_error_names_the_text_and_what_is_wrong_with_it(String text, String what) {
    assertThatThrownBy(() -> ColumnTypes.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("type text '" + text + "' cannot be read: ")
        .hasMessageContaining(what);
  }

  @Test
  void types_with_parts_have_a_text_for_people() {
    ColumnType row =
        new ColumnType.Row(
            List.of(
                new Column(1, "a", new Scalar(Kind.INT)),
                new Column(2, "b", new ColumnType.Array(ColumnType.string(), false))),
            true);
    assertThat(
            ColumnTypes.print(
                new ColumnType.Map(
                    ColumnType.string().withNullable(false),
                    new ColumnType.Multiset(row, true),
                    false)))
        .isEqualTo(
            "MAP<STRING NOT NULL, MULTISET<ROW<`a` INT, `b` ARRAY<STRING> NOT NULL>>> NOT NULL");
  }
}
