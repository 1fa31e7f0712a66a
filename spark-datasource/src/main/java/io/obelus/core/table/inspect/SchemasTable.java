package io.obelus.core.table.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$schemas}: all schemas, oldest first; lists and maps are JSON on one line. */
final class SchemasTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "schema_id BIGINT NOT NULL",
          "fields STRING NOT NULL",
          "partition_keys STRING NOT NULL",
          "primary_keys STRING NOT NULL",
          "options STRING NOT NULL",
          "comment STRING",
          "update_time TIMESTAMP(3) NOT NULL");

  @Override
  public String name() {
    return "schemas";
  }

  @Override
  public RowType rowType() {
    return TYPE;
  }

  @Override
  public boolean showsSnapshot() {
    return false;
  }

  @Override
  public List<InternalRow> rows(Inspected inspected) throws IOException {
    List<InternalRow> rows = new ArrayList<>();
    for (long id : inspected.table().schemas().ids()) {
      TableSchema schema = inspected.table().schemas().get(id);
      rows.add(
          Rows.of(
              schema.id(),
              schema.columnsJson(),
              json(schema.partitionKeys()),
              json(schema.primaryKeys()),
              json(schema.options()),
              schema.comment(),
              inspected.time(schema.timeMillis())));
    }
    return rows;
  }

  private static String json(List<String> texts) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    texts.forEach(array::add);
    return array.toString();
  }

  private static String json(Map<String, String> texts) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    texts.forEach(object::put);
    return object.toString();
  }
}
