package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.DefaultValueUtils;
import org.junit.jupiter.api.Test;

class DefaultTextTest {

  private static String stored(String type, String text) {
    return DefaultText.checked(new Column(0, "c", ColumnTypes.parse(type), null, text))
        .defaultValue();
  }

  private static void refused(String type, String text) {
    assertThatThrownBy(() -> stored(type, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "column 'c' of type %s: the DEFAULT %s cannot be".formatted(type, text));
  }

  private static void paimonTakes(String type, String text, DataType theirs, Object value) {
    assertThat(DefaultValueUtils.convertDefaultValue(theirs, stored(type, text))).isEqualTo(value);
  }

  @Test
  void paimon_takes_what_is_stored() {
    paimonTakes("INT", " 5 ", DataTypes.INT(), 5);
    paimonTakes("BIGINT", "-7", DataTypes.BIGINT(), -7L);
    paimonTakes("DOUBLE", "1e6", DataTypes.DOUBLE(), 1e6);
    paimonTakes("FLOAT", ".5", DataTypes.FLOAT(), 0.5f);
    paimonTakes(
        "DECIMAL(8, 2)", "12.25", DataTypes.DECIMAL(8, 2), Decimal.fromUnscaledLong(1225, 8, 2));
    paimonTakes("BOOLEAN", "TRUE", DataTypes.BOOLEAN(), true);
    paimonTakes("STRING", "'a, b'", DataTypes.STRING(), BinaryString.fromString("a, b"));
    paimonTakes("VARCHAR(9)", "\"x\"", DataTypes.VARCHAR(9), BinaryString.fromString("x"));
    paimonTakes("STRING", "''", DataTypes.STRING(), BinaryString.fromString(""));
  }

  @Test
  void null_is_no_default() {
    assertThat(stored("INT", null)).isNull();
    assertThat(stored("STRING", "null")).isNull();
  }

  @Test
  void what_paimon_would_take_for_something_else_is_refused() {
    refused("INT", "1 + 1");
    refused("INT", "5L");
    refused("INT", "1.5");
    refused("DOUBLE", "1D");
    refused("STRING", "'it''s'");
    refused("STRING", "'a\\n'");
    refused("STRING", "upper('a')");
    refused("STRING", "5");
    refused("BOOLEAN", "1");
    refused("DATE", "DATE '2024-01-01'");
    refused("DATE", "current_date()");
  }
}
