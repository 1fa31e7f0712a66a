package io.obelus.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.paimon.schema.Schema;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class SparkTypesTest {

  private static final StructType SAMPLE =
      StructType.fromDDL(
          "k1 INT NOT NULL, k2 STRING NOT NULL, v BIGINT, ts TIMESTAMP, dt STRING NOT NULL,"
              + " arr ARRAY<INT>, m MAP<STRING, STRUCT<x: INT, y: STRING>>");

  @Test
  void nested_fields_are_numbered_after_their_top_level_column() {
    RowType type = SparkTypes.fromSpark(SAMPLE, 0);
    assertThat(type.columns()).extracting(Column::id).containsExactly(0, 1, 2, 3, 4, 5, 6);
    ColumnType.Map map = (ColumnType.Map) type.column(6).type();
    assertThat(((ColumnType.Row) map.value()).columns())
        .extracting(Column::id)
        .containsExactly(7, 8);
    assertThat(map.key().nullable()).isFalse();
    assertThat(type.highestId()).isEqualTo(8);
  }

  @Test
  void the_fields_of_a_row_in_a_row_are_numbered_before_the_field_that_holds_them() {
    RowType type =
        SparkTypes.fromSpark(
            StructType.fromDDL("a STRUCT<b: STRUCT<c: INT, d: INT>, e: INT>, f INT"), 10);
    assertThat(type.column(0).id()).isEqualTo(10);
    List<Column> inA = ((ColumnType.Row) type.column(0).type()).columns();
    assertThat(((ColumnType.Row) inA.get(0).type()).columns())
        .extracting(Column::id)
        .containsExactly(11, 12);
    assertThat(inA).extracting(Column::id).containsExactly(13, 14);
    assertThat(type.column(1).id()).isEqualTo(15);
    assertThat(type.highestId()).isEqualTo(15);
  }

  @Test
  void the_other_engine_gives_the_same_field_ids() {
    org.apache.paimon.types.DataType inner =
        org.apache.paimon.types.DataTypes.ROW(
            org.apache.paimon.types.DataTypes.FIELD(
                0,
                "b",
                org.apache.paimon.types.DataTypes.ROW(
                    org.apache.paimon.types.DataTypes.FIELD(
                        0, "c", org.apache.paimon.types.DataTypes.INT()),
                    org.apache.paimon.types.DataTypes.FIELD(
                        1, "d", org.apache.paimon.types.DataTypes.INT()))),
            org.apache.paimon.types.DataTypes.FIELD(
                1, "e", org.apache.paimon.types.DataTypes.INT()));
    Schema theirs =
        Schema.newBuilder()
            .column("a", inner)
            .column("f", org.apache.paimon.types.DataTypes.ARRAY(inner))
            .column("g", org.apache.paimon.types.DataTypes.INT())
            .build();
    RowType ours =
        SparkTypes.fromSpark(
            StructType.fromDDL(
                "a STRUCT<b: STRUCT<c: INT, d: INT>, e: INT>,"
                    + " f ARRAY<STRUCT<b: STRUCT<c: INT, d: INT>, e: INT>>, g INT"),
            0);
    assertThat(ids(ours)).isEqualTo(theirIds(theirs.rowType()));
  }

  private static String ids(RowType type) {
    return ids(type.columns());
  }

  private static String ids(List<Column> columns) {
    StringBuilder text = new StringBuilder();
    for (Column column : columns) {
      text.append(column.id());
      ColumnType type = column.type();
      if (type instanceof ColumnType.Array array) {
        type = array.element();
      }
      if (type instanceof ColumnType.Row row) {
        text.append('(').append(ids(row.columns())).append(')');
      }
      text.append(' ');
    }
    return text.toString();
  }

  private static String theirIds(org.apache.paimon.types.RowType type) {
    StringBuilder text = new StringBuilder();
    for (org.apache.paimon.types.DataField field : type.getFields()) {
      text.append(field.id());
      org.apache.paimon.types.DataType inner = field.type();
      if (inner instanceof org.apache.paimon.types.ArrayType array) {
        inner = array.getElementType();
      }
      if (inner instanceof org.apache.paimon.types.RowType row) {
        text.append('(').append(theirIds(row)).append(')');
      }
      text.append(' ');
    }
    return text.toString();
  }

  @Test
  void a_spark_schema_comes_back_as_it_was() {
    StructType schema =
        StructType.fromDDL(
                "a BOOLEAN, b TINYINT NOT NULL, c SMALLINT, d INT, e BIGINT, f FLOAT, g DOUBLE,"
                    + " h DECIMAL(20, 2), i STRING COMMENT 'text', j BINARY, k DATE, l TIMESTAMP,"
                    + " m TIMESTAMP_NTZ, n ARRAY<STRUCT<x: INT COMMENT 'inner', y: MAP<STRING,"
                    + " DOUBLE>>>, o STRUCT<z: INT NOT NULL>")
            .add(
                DataTypes.createStructField("p", DataTypes.IntegerType, true)
                    .withCurrentDefaultValue("1 + 2"));
    assertThat(SparkTypes.fromSpark(schema, 0).toSpark()).isEqualTo(schema);
    Column last = SparkTypes.fromSpark(schema, 0).column(15);
    assertThat(last.defaultValue()).isEqualTo("1 + 2");
    assertThat(SparkTypes.fromSpark(schema, 0).column(8).comment()).isEqualTo("text");
  }

  @Test
  void char_and_varchar_are_strings_whose_length_spark_still_knows() {
    StructType schema =
        StructType.fromDDL("c CHAR(5) NOT NULL, v VARCHAR(7), a ARRAY<CHAR(2)>, s STRING");
    RowType type = SparkTypes.fromSpark(schema, 0);
    assertThat(type.columns().stream().map(Column::type).map(ColumnTypes::print))
        .containsExactly("CHAR(5) NOT NULL", "VARCHAR(7)", "ARRAY<CHAR(2)>", "STRING");
    StructType spark = type.toSpark();
    assertThat(spark.fields())
        .extracting(StructField::dataType)
        .containsExactly(
            DataTypes.StringType,
            DataTypes.StringType,
            DataTypes.createArrayType(DataTypes.StringType),
            DataTypes.StringType);
    assertThat(spark.apply("c").metadata().getString("__CHAR_VARCHAR_TYPE_STRING"))
        .isEqualTo("char(5)");
    assertThat(spark.apply("v").metadata().getString("__CHAR_VARCHAR_TYPE_STRING"))
        .isEqualTo("varchar(7)");
    assertThat(SparkTypes.fromSpark(spark, 0)).isEqualTo(type);
  }

  @Test
  void types_that_spark_lacks_become_what_holds_their_values() {
    assertThat(SparkTypes.toSpark(ColumnTypes.parse("TIME(3)"))).isEqualTo(DataTypes.IntegerType);
    assertThat(SparkTypes.toSpark(ColumnTypes.parse("BINARY(3)"))).isEqualTo(DataTypes.BinaryType);
    assertThat(SparkTypes.toSpark(ColumnTypes.parse("TIMESTAMP(9)")))
        .isEqualTo(DataTypes.TimestampNTZType);
    assertThat(SparkTypes.toSpark(new ColumnType.Multiset(ColumnTypes.parse("CHAR(3)"), true)))
        .isEqualTo(DataTypes.createMapType(DataTypes.StringType, DataTypes.IntegerType, false));
  }

  @Test
  void a_type_that_one_side_lacks_is_refused_with_its_column() {
    StructType interval = StructType.fromDDL("id INT, s STRUCT<a: ARRAY<INTERVAL DAY TO SECOND>>");
    assertThatThrownBy(() -> SparkTypes.fromSpark(interval, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column 's.a.element' has Spark type INTERVAL DAY TO SECOND")
        .hasMessageContaining("cast it to another type");
    RowType variant = new RowType(List.of(new Column(0, "v", ColumnTypes.parse("VARIANT"))));
    assertThatThrownBy(variant::toSpark)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column 'v': type VARIANT has no counterpart in Spark 3.5");
  }
}
