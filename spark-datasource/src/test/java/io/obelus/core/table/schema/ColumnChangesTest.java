package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.schema.ColumnChange.Add;
import io.obelus.core.table.schema.ColumnChange.Comment;
import io.obelus.core.table.schema.ColumnChange.Drop;
import io.obelus.core.table.schema.ColumnChange.Move;
import io.obelus.core.table.schema.ColumnChange.Nullability;
import io.obelus.core.table.schema.ColumnChange.Position;
import io.obelus.core.table.schema.ColumnChange.Rename;
import io.obelus.core.table.schema.ColumnChange.Retype;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnChangesTest {

  /** Field ids 0 to 7; x and y in s are 8 and 9, n and z in l 10 and 11, w in m 12. */
  private static final TableSchema TABLE =
      NewTable.of(
              StructType.fromDDL(
                  """
                  k INT, p INT, q BIGINT, a INT, b STRING NOT NULL COMMENT 'text',
                  s STRUCT<x: INT, y: VARCHAR(5)>, l ARRAY<STRUCT<n: INT, z: INT>>,
                  m MAP<STRING, STRUCT<w: INT>>\
                  """),
              List.of("p"),
              Map.of(
                  "primary-key", "k,p",
                  "sequence.field", "q",
                  "file-index.bitmap.columns", "a, b",
                  "file-index.bitmap.b.version", "2",
                  "fields.a.stats-mode", "none",
                  "parquet.bloom.filter.enabled#s.x", "true"),
              "a table")
          .schema(1);

  private static TableSchema change(ColumnChange... changes) {
    return change(TABLE, changes);
  }

  private static TableSchema change(TableSchema schema, ColumnChange... changes) {
    return new ColumnChanges(List.of(changes)).applyTo(schema, true, 2);
  }

  private static List<String> path(String dotted) {
    return List.of(dotted.split("\\."));
  }

  private static Add add(String path, String type) {
    return add(path, type, Position.LAST);
  }

  private static Add add(String path, String type, Position position) {
    return new Add(path(path), DataType.fromDDL(type), true, null, position);
  }

  private static Drop drop(String path) {
    return new Drop(path(path));
  }

  private static Rename rename(String path, String name) {
    return new Rename(path(path), name);
  }

  private static Retype retype(String path, String type) {
    return new Retype(path(path), StructType.fromDDL("c " + type).apply(0).dataType());
  }

  private static Column column(TableSchema schema, String name) {
    return schema.rowType().column(schema.rowType().indexOf(name));
  }

  private static String type(TableSchema schema, String name) {
    return ColumnTypes.print(column(schema, name).type());
  }

  @Test
  void the_next_schema_has_the_columns_changed_and_all_else_kept() {
    TableSchema next = change(add("c", "DATE"));
    assertThat(next.id()).isEqualTo(1);
    assertThat(next.timeMillis()).isEqualTo(2);
    assertThat(next.comment()).isEqualTo("a table");
    assertThat(next.options()).isEqualTo(TABLE.options());
    assertThat(next.primaryKeys()).isEqualTo(TABLE.primaryKeys());
    assertThat(next.partitionKeys()).isEqualTo(TABLE.partitionKeys());
    assertThat(next.rowType().columns().subList(0, 8)).isEqualTo(TABLE.rowType().columns());
  }

  @Test
  void a_new_column_gets_ids_that_none_ever_had() {
    assertThat(TABLE.highestFieldId()).isEqualTo(12);
    TableSchema next = change(add("c", "STRUCT<i: INT, j: STRUCT<h: INT>>"));
    assertThat(column(next, "c").id()).isEqualTo(13);
    assertThat(next.highestFieldId()).isEqualTo(16);
    TableSchema dropped = change(next, drop("c"));
    assertThat(dropped.highestFieldId()).isEqualTo(16);
    TableSchema again = change(dropped, add("c", "INT"));
    assertThat(column(again, "c").id()).isEqualTo(17);
    assertThat(again.highestFieldId()).isEqualTo(17);
    assertThat(again.rowType().highestId()).isEqualTo(17);
  }

  @Test
  void columns_stand_where_they_are_told_to() {
    assertThat(change(add("c", "INT", Position.FIRST)).rowType().names()).startsWith("c", "k");
    assertThat(change(add("c", "INT", Position.after("a"))).rowType().names())
        .containsSubsequence("a", "c", "b");
    assertThat(
            change(
                    new Move(path("k"), Position.after("a")),
                    new Move(path("b"), Position.FIRST),
                    new Move(path("p"), Position.LAST))
                .rowType()
                .names())
        .containsExactly("b", "q", "a", "k", "s", "l", "m", "p");
    assertThat(change(new Move(path("k"), Position.FIRST))).isSameAs(TABLE);
  }

  @Test
  void fields_change_inside_of_structs_lists_and_maps() {
    TableSchema next =
        change(
            add("s.c", "INT", Position.FIRST),
            rename("s.x", "xx"),
            retype("s.y", "VARCHAR(9)"),
            drop("l.element.n"),
            add("l.element.c", "STRING"),
            rename("m.value.w", "ww"),
            new Move(path("s.y"), Position.FIRST));
    assertThat(next.rowType().toSpark().simpleString())
        .contains(
            "s:struct<y:string,c:int,xx:int>",
            "l:array<struct<z:int,c:string>>",
            "m:map<string,struct<ww:int>>");
    assertThat(type(next, "s")).contains("`y` VARCHAR(9)");
    assertThat(next.highestFieldId()).isEqualTo(14);
  }

  @Test
  void comments_come_and_go_and_null_becomes_possible() {
    TableSchema next =
        change(
            new Comment(path("a"), "number"),
            new Comment(path("s.x"), "inside"),
            new Comment(path("b"), null),
            new Nullability(path("b"), true));
    assertThat(column(next, "a").comment()).isEqualTo("number");
    assertThat(column(next, "b").comment()).isNull();
    assertThat(type(next, "b")).isEqualTo("STRING");
    assertThat(next.rowType().toSpark().json()).contains("inside");
  }

  @Test
  void options_follow_a_renamed_column() {
    TableSchema next =
        change(rename("a", "aa"), rename("b", "bb"), rename("q", "qq"), rename("s", "ss"));
    assertThat(next.options())
        .containsEntry("sequence.field", "qq")
        .containsEntry("file-index.bitmap.columns", "aa,bb")
        .containsEntry("file-index.bitmap.bb.version", "2")
        .containsEntry("fields.aa.stats-mode", "none")
        .containsEntry("parquet.bloom.filter.enabled#ss.x", "true")
        .hasSize(TABLE.options().size());
    assertThat(column(next, "aa").id()).isEqualTo(column(TABLE, "a").id());
  }

  @Test
  void a_renamed_key_column_stays_the_key() {
    TableSchema next = change(rename("k", "id"));
    assertThat(next.primaryKeys()).containsExactly("id", "p");
    assertThat(next.trimmedPrimaryKeys()).containsExactly("id");
  }

  @Test
  void options_of_map_keys_follow_their_map() {
    Map<String, String> options =
        Map.of("file-index.bitmap.columns", "m[a],a", "file-index.bitmap.m[a].version", "1");
    assertThat(ColumnsInOptions.renamed(options, "m", "n"))
        .isEqualTo(
            Map.of("file-index.bitmap.columns", "n[a],a", "file-index.bitmap.n[a].version", "1"));
    assertThat(ColumnsInOptions.naming("m", options))
        .containsExactly("file-index.bitmap.columns", "file-index.bitmap.m[a].version");
    assertThat(ColumnsInOptions.naming("b", options)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INT | BIGINT | BIGINT",
        "TINYINT | SMALLINT | SMALLINT",
        "SMALLINT | INT | INT",
        "INT | DOUBLE | DOUBLE",
        "INT | DECIMAL(12, 2) | DECIMAL(12, 2)",
        "FLOAT | DOUBLE | DOUBLE",
        "DECIMAL(5, 2) | DECIMAL(9, 4) | DECIMAL(9, 4)",
        "VARCHAR(5) | VARCHAR(9) | VARCHAR(9)",
        "VARCHAR(5) | STRING | STRING",
        "CHAR(5) | VARCHAR(5) | VARCHAR(5)",
        "INT NOT NULL | BIGINT | BIGINT NOT NULL"
      })
  void a_column_becomes_wider(String from, String to, String stored) {
    assertThat(type(change(of(from), retype("v", to)), "v")).isEqualTo(stored);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BIGINT | INT",
        "INT | FLOAT",
        "BIGINT | DOUBLE",
        "DOUBLE | FLOAT",
        "INT | STRING",
        "STRING | INT",
        "DECIMAL(5, 2) | DECIMAL(5, 1)",
        "DECIMAL(5, 2) | DECIMAL(5, 3)",
        "INT | DECIMAL(9, 0)",
        "VARCHAR(5) | VARCHAR(4)",
        "VARCHAR(5) | CHAR(5)",
        "DATE | TIMESTAMP",
        "INT | STRUCT<a: INT>"
      })
  void no_other_type_can_be_had(String from, String to) {
    assertThatThrownBy(() -> change(of(from), retype("v", to)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("column 'v' cannot change from " + from + " to ")
        .hasMessageEndingWith(
            "a column can only become an integer, decimal or floating point number that holds all"
                + " its values, or a longer text");
  }

  private static TableSchema of(String type) {
    return NewTable.of(StructType.fromDDL("w INT, v " + type), List.of(), Map.of(), null).schema(1);
  }

  private static void refused(String message, ColumnChange... changes) {
    assertThatThrownBy(() -> change(changes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void what_cannot_change_is_refused_by_name() {
    refused(
        "column 'c' cannot be added as NOT NULL: rows that are there have no value for it",
        new Add(path("c"), DataType.fromDDL("INT"), false, null, Position.LAST));
    refused("column 'a' is there already", add("a", "INT"));
    refused("column 's.x' is there already", add("s.x", "INT"));
    refused("column '_KEY_c' has a name that data files need", add("_KEY_c", "INT"));
    refused(
        "column 'c' cannot stand after 'd', which is not there",
        add("c", "INT", Position.after("d")));
    refused("column 'c' is not there; there are [k, p, q, a, b, s, l, m]", drop("c"));
    refused("column 's.c' is not there; there are [x, y]", drop("s.c"));
    refused("column 'a.c' cannot be changed: 'a' is no struct but INT", drop("a.c"));
    refused(
        "column 'm.key' cannot be changed: it is in the key of a map", retype("m.key", "STRING"));
    refused("column 'k' cannot be dropped: it is part of the primary key", drop("k"));
    refused("column 'p' cannot be dropped: it is part of the primary key", drop("p"));
    refused("column 'p' cannot be renamed: it is a partition column", rename("p", "pp"));
    refused("column 'q' cannot be dropped: option 'sequence.field' names it", drop("q"));
    refused(
        "column 'b' cannot be dropped: option 'file-index.bitmap.b.version' names it", drop("b"));
    refused("column 's' cannot be dropped: option 'parquet.bloom", drop("s"));
    refused(
        "column 'm.value.w' cannot be dropped: it is the only field of 'm.value'",
        drop("m.value.w"));
    refused("column 'a' cannot be renamed to 'b': that is there already", rename("a", "b"));
    refused("column '_LEVEL' has a name that data files need", rename("a", "_LEVEL"));
    refused(
        "column 'k' cannot be given another type: it is part of the primary key",
        retype("k", "BIGINT"));
    refused(
        "column 'q' cannot be given another type: rows of one key are ordered by it",
        retype("q", "DECIMAL(20, 0)"));
    refused(
        "column 's.x' cannot change from INT to BIGINT: values inside of other types cannot be"
            + " widened when older files are read",
        retype("s.x", "BIGINT"));
    refused(
        "column 'a' cannot become NOT NULL: rows that are there",
        new Nullability(path("a"), false));
    refused(
        "column 'k' cannot become nullable: it is part of the primary key",
        new Nullability(path("k"), true));
  }

  @Test
  void a_column_that_an_index_cannot_hold_any_more_keeps_its_type() {
    TableSchema indexed =
        new OptionChange(Map.of("file-index.bsi.columns", "a"), java.util.Set.of())
            .applyTo(TABLE, true, 2);
    assertThatThrownBy(() -> change(indexed, retype("a", "DOUBLE")))
        .hasMessageContaining("option 'file-index.bsi.columns' names column 'a' of type DOUBLE");
  }

  @Test
  void a_table_keeps_a_column_and_a_bucket_key_of_an_append_table_is_fixed() {
    TableSchema append =
        NewTable.of(
                StructType.fromDDL("a INT, b INT"),
                List.of(),
                Map.of("bucket", "2", "bucket-key", "a"),
                null)
            .schema(1);
    assertThatThrownBy(() -> change(append, drop("a")))
        .hasMessage(
            "column 'a' cannot be dropped: it is part of the bucket key, by which rows are spread");
    assertThatThrownBy(() -> change(append, retype("a", "BIGINT")))
        .hasMessageStartingWith(
            "column 'a' cannot be given another type: it is part of the bucket");
    assertThat(change(append, rename("a", "c")).options()).containsEntry("bucket-key", "c");
    assertThatThrownBy(() -> change(of("INT"), drop("v"), drop("w")))
        .hasMessage("columns [w, v] cannot be dropped: no column would be left");
    assertThat(change(of("INT"), drop("v"), drop("w"), add("w", "INT")).rowType().highestId())
        .isEqualTo(2);
  }

  @Test
  void a_name_that_options_wait_for_cannot_be_taken_by_a_rename() {
    TableSchema waiting =
        new OptionChange(Map.of("fields.c.stats-mode", "none"), java.util.Set.of())
            .applyTo(TABLE, true, 2);
    assertThatThrownBy(() -> change(waiting, rename("b", "c")))
        .hasMessage(
            "column 'b' cannot be renamed to 'c': option 'fields.c.stats-mode' names such a column"
                + " already; unset it first");
  }

  @Test
  void the_comment_of_the_table_changes_alone() {
    TableSchema next = new CommentChange("other").applyTo(TABLE, true, 2);
    assertThat(next.comment()).isEqualTo("other");
    assertThat(next.id()).isEqualTo(1);
    assertThat(SparkTypes.toSpark(next.rowType())).isEqualTo(SparkTypes.toSpark(TABLE.rowType()));
    assertThat(new CommentChange("a table").applyTo(TABLE, true, 2)).isSameAs(TABLE);
  }
}
