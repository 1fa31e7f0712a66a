package io.obelus.core.table.manifest;

import java.util.Arrays;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Words to spell a manifest's schema with. A nested record is named after its parent and its field,
 * and null comes first in a nullable field's union: other readers take branch 0 for null without
 * looking.
 */
final class AvroSchemas {

  static final String ROOT = "record";
  private static final String NAMESPACE = "org.apache.paimon.avro.generated";

  private AvroSchemas() {}

  static Schema record(String name, Schema.Field... fields) {
    return Schema.createRecord(name, null, NAMESPACE, false, Arrays.asList(fields));
  }

  static Schema.Field field(String name, Schema schema) {
    return schema.getType() == Schema.Type.UNION
        ? new Schema.Field(name, schema, null, JsonProperties.NULL_VALUE)
        : new Schema.Field(name, schema);
  }

  static Schema nullable(Schema schema) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), schema);
  }

  static Schema array(Schema element) {
    return Schema.createArray(element);
  }

  static Schema int32() {
    return Schema.create(Schema.Type.INT);
  }

  static Schema int64() {
    return Schema.create(Schema.Type.LONG);
  }

  static Schema string() {
    return Schema.create(Schema.Type.STRING);
  }

  static Schema bytes() {
    return Schema.create(Schema.Type.BYTES);
  }

  static Schema timestampMillis() {
    return LogicalTypes.timestampMillis().addToSchema(int64());
  }
}
