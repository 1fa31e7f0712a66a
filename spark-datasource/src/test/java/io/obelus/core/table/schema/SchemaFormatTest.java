package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import io.obelus.testing.GoldenTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaFormatTest {

  @TempDir private Path directory;

  private static final String SMALLEST =
      """
      {
        "version" : 3,
        "id" : 7,
        "fields" : [ {
          "id" : 0,
          "name" : "k",
          "type" : "INT NOT NULL"
        } ],
        "highestFieldId" : 0,
        "partitionKeys" : [ ],
        "primaryKeys" : [ "k" ],
        "options" : { },
        "timeMillis" : 5
      }""";

  private static TableSchema read(String json) {
    return SchemaFormat.read("t/schema/schema-7", 7, json.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(TableSchema schema) {
    return new String(SchemaFormat.write(schema), StandardCharsets.UTF_8);
  }

  @Test
  void what_another_writer_wrote_comes_out_byte_for_byte() throws IOException {
    int files = 0;
    for (String name : GoldenTables.names()) {
      Path table = GoldenTables.unpack(name, directory.resolve(name));
      try (Stream<Path> all = Files.walk(table)) {
        for (Path file :
            all.filter(f -> f.getFileName().toString().matches("schema-\\d+")).toList()) {
          String found = Files.readString(file);
          long id = Long.parseLong(file.getFileName().toString().substring("schema-".length()));
          TableSchema schema = SchemaFormat.read(file.toString(), id, Files.readAllBytes(file));
          assertThat(text(schema)).as(file.toString()).isEqualTo(found);
          files++;
        }
      }
    }
    assertThat(files).isEqualTo(29);
  }

  @Test
  void the_smallest_schema_is_written_as_it_was_read() {
    TableSchema schema = read(SMALLEST);
    assertThat(schema.primaryKeys()).containsExactly("k");
    assertThat(schema.timeMillis()).isEqualTo(5);
    assertThat(text(schema)).isEqualTo(SMALLEST);
  }

  @Test
  void every_type_and_text_survives() {
    Column inner = new Column(2, "x", new Scalar(Kind.DECIMAL, 20, 2, false), "é \"q\"", "1.5");
    ColumnType row = new ColumnType.Row(List.of(inner), false);
    RowType type =
        new RowType(
            List.of(
                new Column(0, "数据", new ColumnType.Array(row, false)),
                new Column(
                    3,
                    "m",
                    new ColumnType.Map(
                        ColumnType.string().withNullable(false),
                        new ColumnType.Multiset(new Scalar(Kind.DATE), true),
                        true))));
    TableSchema schema =
        new TableSchema(
            3, 7, type, 9, List.of(), List.of(), Map.of("a", "b\n"), "about\tit", 1234L);
    assertThat(read(text(schema))).isEqualTo(schema);
    assertThat(text(schema))
        .contains("\"type\" : \"ARRAY NOT NULL\"")
        .contains("\"comment\" : \"about\\tit\"");
  }

  @Test
  void older_versions_mean_other_defaults() {
    assertThat(read(SMALLEST.replace("\"version\" : 3,", "")).options())
        .containsExactlyInAnyOrderEntriesOf(Map.of("bucket", "1", "file.format", "orc"));
    assertThat(read(SMALLEST.replace("\"version\" : 3", "\"version\" : 2")).options())
        .containsExactlyInAnyOrderEntriesOf(Map.of("file.format", "orc"));
    assertThat(read(SMALLEST).options()).isEmpty();
  }

  @Test
  void unknown_keys_are_passed_over_and_unknown_versions_are_not() {
    assertThat(read(SMALLEST.replace("\"id\" : 7", "\"id\" : 7, \"new\" : [ 1 ]")).id())
        .isEqualTo(7);
    assertThatThrownBy(() -> read(SMALLEST.replace("\"version\" : 3", "\"version\" : 4")))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessage(
            "t/schema/schema-7 at byte 0: table schema has version 4, but this release reads 1, 2, 3."
                + " Use a newer release to read it.");
  }

  @Test
  void an_unknown_type_is_refused_by_name() {
    assertThatThrownBy(() -> read(SMALLEST.replace("INT NOT NULL", "BLOB")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "t/schema/schema-7: column 'k' has type 'BLOB', which this release");
    assertThatThrownBy(
            () ->
                read(
                    SMALLEST.replace(
                        "\"INT NOT NULL\"",
                        "{\"type\":\"VECTOR\",\"element\":\"FLOAT\",\"length\":3}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column 'k' has type 'VECTOR'");
  }

  @Test
  void damage_is_reported_with_file_and_key() {
    assertDamage(SMALLEST.substring(0, 60), "t/schema/schema-7 at byte 60: this is no JSON: ");
    assertDamage("", "t/schema/schema-7 at byte 0: the content should be a JSON object but is");
    assertDamage(SMALLEST + "}", "this is no JSON: ");
    assertDamage(SMALLEST.replace("\"id\" : 7", "\"id\" : 8"), "key 'id' should be 7, as the file");
    assertDamage(
        SMALLEST.replace("\"id\" : 0", "\"id\" : \"0\""),
        "key 'fields[0].id' should be a whole number but is \"0\"");
    assertDamage(
        SMALLEST.replace("\"name\" : \"k\",", ""),
        "key 'fields[0].name' should be a text but is missing");
    assertDamage(
        SMALLEST.replace("[ \"k\" ]", "[ \"l\" ]"),
        "key 'primaryKeys' should be among the columns [k] but is 'l'");
    assertDamage(
        SMALLEST.replace("{ }", "{ \"a\" : 1 }"), "key 'options.a' should be a text but is 1");
    assertDamage(
        SMALLEST.replace("\"timeMillis\" : 5", "\"timeMillis\" : 5, \"id\" : 7"),
        "this is no JSON: Duplicate field 'id'");
  }

  private static void assertDamage(String json, String message) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(message);
  }
}
