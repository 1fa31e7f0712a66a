package io.obelus.spark.read;

import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.KeyLookup;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.expression.NumberFunction;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/** The function from a primary key of a table to the number of its bucket within the partition. */
final class BucketOfKey extends NumberFunction {

  private static final long serialVersionUID = 1;

  private final BucketFunction function;

  BucketOfKey(Table table) {
    super("bucket of " + table.name(), types(KeyLookup.primaryKey(table.schema())));
    TableOptions options = table.options();
    RowType key = KeyLookup.primaryKey(table.schema());
    function =
        new BucketFunction(
            options.bucketFunction(), key, key.indexesOf(options.bucketKeys()), options.bucket());
  }

  private static DataType[] types(RowType key) {
    return Arrays.stream(key.toSpark().fields())
        .map(StructField::dataType)
        .toArray(DataType[]::new);
  }

  @Override
  public Integer produceResult(InternalRow sought) {
    return function.bucket(sought);
  }
}
