package io.obelus.spark.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.Predicate.And;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.Constant;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.Not;
import io.obelus.core.row.Predicate.Or;
import io.obelus.core.row.Predicate.StartsWith;
import io.obelus.core.row.RowType;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class SparkPredicatesTest {

  private static final Column ID = column(0, "id", new ColumnType.Scalar(Kind.INT));
  private static final Column NAME = column(1, "name", ColumnType.string());
  private static final Column NANOS =
      column(2, "nanos", new ColumnType.Scalar(Kind.TIMESTAMP, 9, 0, true));
  private static final RowType COLUMNS = new RowType(List.of(ID, NAME, NANOS));
  private static final UTF8String A = UTF8String.fromString("a");

  private static Column column(int id, String name, ColumnType type) {
    return new Column(id, name, type);
  }

  private static Expression ref(String name) {
    return Expressions.column(name);
  }

  private static Expression literal(Object value, DataType type) {
    return new LiteralValue<>(value, type);
  }

  private static Expression number(Integer value) {
    return literal(value, DataTypes.IntegerType);
  }

  private static Predicate node(String name, Expression... children) {
    return new Predicate(name, children);
  }

  private static void says(Predicate condition, io.obelus.core.row.Predicate expected) {
    assertThat(SparkPredicates.weaker(condition, COLUMNS)).contains(expected);
    assertThat(SparkPredicates.exact(condition, COLUMNS)).contains(expected);
  }

  private static void saysNothing(Predicate condition) {
    assertThat(SparkPredicates.weaker(condition, COLUMNS)).isEmpty();
    assertThat(SparkPredicates.exact(condition, COLUMNS)).isEmpty();
  }

  @Test
  void a_comparison_is_translated_from_either_side() {
    says(node("<", ref("id"), number(5)), new Compare(ID, Comparison.LESS, 5));
    says(node("<", number(5), ref("id")), new Compare(ID, Comparison.GREATER, 5));
    says(node("<>", ref("id"), number(5)), new Compare(ID, Comparison.NOT_EQUAL, 5));
  }

  @Test
  void lists_prefixes_and_nulls_are_translated() {
    says(node("IN", ref("id"), number(1), number(2)), new In(ID, List.of(1, 2)));
    says(
        node("STARTS_WITH", ref("name"), literal(A, DataTypes.StringType)),
        new StartsWith(NAME, A));
    says(node("IS_NOT_NULL", ref("name")), new Not(new IsNull(NAME)));
  }

  @Test
  void null_safe_equality_is_never_unknown() {
    says(
        node("<=>", ref("id"), number(5)),
        new And(List.of(new Not(new IsNull(ID)), new Compare(ID, Comparison.EQUAL, 5))));
    says(node("<=>", ref("id"), number(null)), new IsNull(ID));
  }

  @Test
  void a_null_in_a_list_only_ever_makes_it_unknown() {
    Predicate condition = node("IN", ref("id"), number(1), number(null));
    assertThat(SparkPredicates.weaker(condition, COLUMNS)).contains(new In(ID, List.of(1)));
    assertThat(SparkPredicates.exact(condition, COLUMNS)).isEmpty();
    assertThat(SparkPredicates.weaker(node("=", ref("id"), number(null)), COLUMNS))
        .contains(new Constant(false));
  }

  @Test
  void a_part_of_an_and_may_be_left_out_but_not_below_a_not() {
    Predicate known = node("=", ref("id"), number(1));
    Predicate other = node("CONTAINS", ref("name"), literal(A, DataTypes.StringType));
    Predicate both = new org.apache.spark.sql.connector.expressions.filter.And(known, other);
    assertThat(SparkPredicates.weaker(both, COLUMNS))
        .contains(new And(List.of(new Compare(ID, Comparison.EQUAL, 1))));
    assertThat(SparkPredicates.exact(both, COLUMNS)).isEmpty();
    saysNothing(new org.apache.spark.sql.connector.expressions.filter.Not(both));
    saysNothing(new org.apache.spark.sql.connector.expressions.filter.Or(known, other));
    assertThat(
            SparkPredicates.weaker(
                new org.apache.spark.sql.connector.expressions.filter.Or(known, both), COLUMNS))
        .containsInstanceOf(Or.class);
  }

  @Test
  void what_files_may_see_otherwise_is_left_to_spark() {
    saysNothing(node("=", ref("nanos"), literal(1L, DataTypes.TimestampNTZType)));
    saysNothing(node("=", ref("id"), literal(1L, DataTypes.LongType)));
    saysNothing(node("=", ref("r.x"), number(1)));
    saysNothing(node("=", ref("missing"), number(1)));
    says(node("IS_NULL", ref("nanos")), new IsNull(NANOS));
  }
}
