package io.obelus.core.table.schema;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import java.util.List;
import java.util.Map;

/**
 * What must hold between columns, keys and options before a schema is stored.
 * IllegalArgumentException names what does not.
 */
final class TableRules {

  private final TableSchema schema;
  private final TableOptions options;
  private final OptionValues values;

  TableRules(TableSchema schema) {
    this.schema = schema;
    this.options = new TableOptions(schema);
    this.values = new OptionValues(schema.options());
  }

  void check() {
    options.checkWritable();
    checkBucketKey();
    checkSequence();
    checkRowKind();
    checkMergeFunctions();
    checkPartitionNames();
  }

  private static void refuse(boolean wrong, String message, Object... arguments) {
    if (wrong) {
      throw new IllegalArgumentException(message.formatted(arguments));
    }
  }

  private void checkBucketKey() {
    List<String> given = values.list(TableOptions.BUCKET_KEY);
    if (options.bucket() < 0) {
      refuse(
          !given.isEmpty(),
          "option 'bucket-key' needs a number of buckets; set option 'bucket' to one above 0");
      return;
    }
    refuse(
        !schema.keyed() && given.isEmpty(),
        "option 'bucket' is %d, but a table without primary key needs option "
            + "'bucket-key' to go with it",
        options.bucket());
    for (String name : given) {
      refuse(
          schema.keyed() && !schema.primaryKeys().contains(name),
          "option 'bucket-key' has '%s', which is not in the primary key %s",
          name,
          schema.primaryKeys());
      refuse(
          schema.partitionKeys().contains(name),
          "option 'bucket-key' has '%s', which is a partition column",
          name);
      refuse(
          !(column(name).type() instanceof Scalar),
          "option 'bucket-key' has '%s', whose type %s cannot be hashed",
          name,
          ColumnTypes.print(column(name).type()));
    }
    checkMod();
  }

  private void checkMod() {
    if (!"mod".equals(values.text(TableOptions.BUCKET_FUNCTION, "default").strip())) {
      return;
    }
    List<String> keys = options.bucketKeys();
    boolean whole =
        keys.size() == 1
            && column(keys.get(0)).type() instanceof Scalar type
            && (type.kind() == Kind.INT || type.kind() == Kind.BIGINT);
    refuse(
        !whole,
        "option 'bucket-function.type' = 'mod' needs one bucket key of type INT or BIGINT, not %s",
        keys);
  }

  private void checkSequence() {
    List<String> fields = options.sequenceFields();
    refuse(
        !fields.isEmpty() && !schema.keyed(),
        "option 'sequence.field' orders rows of one key, but the table has no primary key");
    for (String name : fields) {
      refuse(
          !(column(name).type() instanceof Scalar type) || type.kind() == Kind.VARIANT,
          "option 'sequence.field' has '%s', whose type %s has no order",
          name,
          ColumnTypes.print(column(name).type()));
    }
  }

  private void checkRowKind() {
    options
        .rowKindField()
        .ifPresent(
            name ->
                refuse(
                    !(column(name).type() instanceof Scalar type)
                        || (type.kind() != Kind.VARCHAR && type.kind() != Kind.CHAR),
                    "option 'rowkind.field' is '%s', whose type is %s; it holds +I, -U, +U or "
                        + "-D as text",
                    name,
                    ColumnTypes.print(column(name).type())));
  }

  private void checkMergeFunctions() {
    for (Map.Entry<String, String> option : schema.options().entrySet()) {
      refuse(
          option.getKey().matches("fields\\..*\\.(aggregate-function|sequence-group)")
              || option.getKey().equals("fields.default-aggregate-function"),
          "option '%s' = '%s' is not supported by this release: rows of one key replace each other",
          option.getKey(),
          option.getValue());
    }
  }

  private void checkPartitionNames() {
    for (String name : schema.partitionKeys()) {
      Column column = column(name);
      PartitionPath.check(column, options.partitionLegacyName());
    }
  }

  private Column column(String name) {
    return schema.rowType().column(schema.rowType().indexOf(name));
  }
}
