package io.obelus.spark.read;

import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.KeyLookup;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Table;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** The function from a primary key of a table to the number of its bucket within the partition. */
final class BucketOfKey implements ScalarFunction<Integer>, Serializable {

  private static final long serialVersionUID = 1;

  private final RowType key;
  private final BucketFunction function;

  BucketOfKey(Table table) {
    TableOptions options = table.options();
    key = KeyLookup.primaryKey(table.schema());
    function =
        new BucketFunction(
            options.bucketFunction(), key, key.indexesOf(options.bucketKeys()), options.bucket());
  }

  @Override
  public DataType[] inputTypes() {
    return Arrays.stream(key.toSpark().fields())
        .map(StructField::dataType)
        .toArray(DataType[]::new);
  }

  @Override
  public DataType resultType() {
    return DataTypes.IntegerType;
  }

  @Override
  public boolean isResultNullable() {
    return false;
  }

  @Override
  public String name() {
    return "bucket";
  }

  @Override
  public Integer produceResult(InternalRow sought) {
    return function.bucket(sought);
  }
}
