package io.obelus.spark.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableSchema;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.AlwaysTrue;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class PartitionConditionTest {

  private static final TableSchema SCHEMA =
      new TableSchema(
          3,
          0,
          new RowType(
              List.of(
                  new Column(0, "id", new ColumnType.Scalar(Kind.INT)),
                  new Column(1, "pt", ColumnType.string()),
                  new Column(2, "rate", new ColumnType.Scalar(Kind.DOUBLE)))),
          2,
          List.of("pt", "rate"),
          List.of(),
          Map.of(),
          null,
          0);

  private static RowBytes partition(String pt, Double rate) {
    Object text = pt == null ? null : UTF8String.fromString(pt);
    return new RowBytes(
        new BinaryRows(SCHEMA.partitionType())
            .write(new GenericInternalRow(new Object[] {text, rate})));
  }

  private static Predicate pt(String sign, String value) {
    return new Predicate(
        sign,
        new Expression[] {
          Expressions.column("pt"),
          new LiteralValue<>(UTF8String.fromString(value), DataTypes.StringType)
        });
  }

  private static Predicate rate(String sign, double value) {
    return new Predicate(
        sign,
        new Expression[] {
          Expressions.column("rate"), new LiteralValue<>(value, DataTypes.DoubleType)
        });
  }

  private static boolean takes(Predicate condition, RowBytes partition) {
    return PartitionCondition.of(new Predicate[] {condition}, SCHEMA).orElseThrow().test(partition);
  }

  @Test
  void unknown_is_not_taken_nor_is_its_negation() {
    assertThat(takes(pt("=", "a"), partition("a", 1.0))).isTrue();
    assertThat(takes(pt("=", "a"), partition(null, 1.0))).isFalse();
    assertThat(takes(new Not(pt("=", "a")), partition(null, 1.0))).isFalse();
    assertThat(takes(new Not(pt("=", "a")), partition("b", 1.0))).isTrue();
    assertThat(takes(new Or(pt("=", "a"), rate(">", 0)), partition(null, 1.0))).isTrue();
  }

  @Test
  void empty_text_is_not_null() {
    assertThat(takes(pt("=", ""), partition("", 1.0))).isTrue();
    assertThat(takes(pt("=", ""), partition(null, 1.0))).isFalse();
  }

  @Test
  void numbers_compare_as_in_spark() {
    assertThat(takes(rate("=", Double.NaN), partition("a", Double.NaN))).isTrue();
    assertThat(takes(rate(">", 1e300), partition("a", Double.NaN))).isTrue();
    assertThat(takes(rate("=", 0.0), partition("a", -0.0))).isTrue();
    assertThat(takes(rate("<", 0.0), partition("a", -0.0))).isFalse();
  }

  @Test
  void a_condition_on_other_columns_is_not_one_of_partitions() {
    Predicate id =
        new Predicate(
            "=",
            new Expression[] {
              Expressions.column("id"), new LiteralValue<>(1, DataTypes.IntegerType)
            });
    assertThat(PartitionCondition.of(new Predicate[] {pt("=", "a"), id}, SCHEMA)).isEmpty();
    assertThat(takes(new AlwaysTrue(), partition(null, null))).isTrue();
  }
}
