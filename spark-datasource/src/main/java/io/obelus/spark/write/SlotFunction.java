package io.obelus.spark.write;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowBytes;
import io.obelus.spark.expression.NumberFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The function that rows of a write are clustered by: from partition columns and bucket key to the
 * mark of the row's slot.
 */
record SlotFunction(Slots slots) implements UnboundFunction {

  @Override
  public BoundFunction bind(StructType inputType) {
    DataType[] types = new DataType[inputType.length()];
    for (int i = 0; i < types.length; i++) {
      types[i] = inputType.apply(i).dataType();
    }
    if (!slots.partition().isEmpty() || slots.key().size() != 1) {
      return new OfRow(slots, types);
    }
    Kind kind = slots.key().get(0).kind();
    return switch (kind) {
      case BIGINT -> new OfLong(slots, types);
      case INT -> new OfInt(slots, types);
      case CHAR, VARCHAR -> new OfText(slots, types);
      default -> new OfRow(slots, types);
    };
  }

  @Override
  public String name() {
    return slots.name();
  }

  @Override
  public String description() {
    return "the task that writes the bucket of a row of " + slots.buckets() + " buckets";
  }

  /**
   * What the bound forms share. Each task works with its own copy, as Spark sends them in the
   * task's closure; so a buffer may be reused from row to row.
   */
  abstract static class Bound extends NumberFunction {

    private static final long serialVersionUID = 1;

    final Slots slots;
    private final int[] marks;
    final BucketFunction buckets;

    Bound(Slots slots, DataType[] types) {
      super(slots.name(), types);
      this.slots = slots;
      this.marks = slots.marks();
      this.buckets = slots.bucketFunction();
    }

    final int mark(int partitionHash, InternalRow row) {
      return marks[slots.slot(partitionHash, buckets.bucket(row))];
    }

    static SpecificInternalRow rowOf(DataType type) {
      return new SpecificInternalRow(new StructType().add("key", type));
    }
  }

  /** Any partition columns and any bucket key, through a row of boxes that Spark fills. */
  static final class OfRow extends Bound {

    private static final long serialVersionUID = 1;

    private transient BinaryRows partitionRows;

    OfRow(Slots slots, DataType[] types) {
      super(slots, types);
    }

    @Override
    public Integer produceResult(InternalRow row) {
      if (partitionRows == null) {
        partitionRows = slots.partitionRows();
      }
      return mark(slots.partitionHash(new RowBytes(partitionRows.write(row))), row);
    }
  }

  // Spark finds invoke by the exact class of its argument and calls it from generated code, so that
  // a key of one column is neither boxed nor put into a row that is made anew.

  /** A bucket key of one BIGINT. Public for generated code. */
  public static final class OfLong extends Bound {

    private static final long serialVersionUID = 1;

    private final SpecificInternalRow row = rowOf(DataTypes.LongType);

    OfLong(Slots slots, DataType[] types) {
      super(slots, types);
    }

    public int invoke(long key) {
      row.setLong(0, key);
      return mark(0, row);
    }
  }

  /** A bucket key of one INT. Public for generated code. */
  public static final class OfInt extends Bound {

    private static final long serialVersionUID = 1;

    private final SpecificInternalRow row = rowOf(DataTypes.IntegerType);

    OfInt(Slots slots, DataType[] types) {
      super(slots, types);
    }

    public int invoke(int key) {
      row.setInt(0, key);
      return mark(0, row);
    }
  }

  /** A bucket key of one text. Public for generated code. */
  public static final class OfText extends Bound {

    private static final long serialVersionUID = 1;

    private final SpecificInternalRow row = rowOf(DataTypes.StringType);

    OfText(Slots slots, DataType[] types) {
      super(slots, types);
    }

    public int invoke(UTF8String key) {
      row.update(0, key);
      return mark(0, row);
    }
  }
}
