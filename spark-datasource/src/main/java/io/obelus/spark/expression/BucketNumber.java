package io.obelus.spark.expression;

import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.SparkTypes;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * The function from a bucket key of one column to the number of the bucket, by which Spark tells
 * that rows of two tables that match are in buckets of one number. Spark compares names: all that
 * the number depends on is in the name, so that functions of one name agree.
 *
 * <pre>
 *   obelus_bucket[DEFAULT,4;TIMESTAMP.3.0]
 *                 |       | |
 *                 |       | type of the bucket key: kind, precision, scale
 *                 |       number of buckets
 *                 bucket function
 * </pre>
 *
 * @param key a type of {@link #isComparable}
 */
public record BucketNumber(BucketFunction.Type function, int buckets, Scalar key)
    implements UnboundFunction, Serializable {

  private static final long serialVersionUID = 1;

  private static final Pattern NAME =
      Pattern.compile("obelus_bucket\\[(\\w+),(\\d+);(\\w+)\\.(\\d+)\\.(\\d+)]");

  private static final Set<Kind> COMPARABLE =
      Set.of(
          Kind.TINYINT,
          Kind.SMALLINT,
          Kind.INT,
          Kind.BIGINT,
          Kind.DECIMAL,
          Kind.VARCHAR,
          Kind.DATE,
          Kind.TIMESTAMP,
          Kind.TIMESTAMP_LTZ);

  private static final int SPARK_TIMESTAMP_PRECISION = 6;

  /** A text's bucket does not depend on how long it may be. */
  public BucketNumber {
    int precision = key.kind() == Kind.VARCHAR ? ColumnType.MAX_LENGTH : key.precision();
    key = new Scalar(key.kind(), precision, key.scale(), true);
  }

  /**
   * Whether values that are equal for Spark are stored as equal bytes: not those of floating point,
   * with two zeros, of CHAR, which Spark pads, or of time stamps that it cuts off.
   */
  public static boolean isComparable(ColumnType type) {
    return type instanceof Scalar scalar
        && COMPARABLE.contains(scalar.kind())
        && (scalar.kind() == Kind.DECIMAL
            || scalar.kind() == Kind.VARCHAR
            || scalar.precision() <= SPARK_TIMESTAMP_PRECISION);
  }

  /** The function of that {@link #name}; empty if the name is another one. */
  public static Optional<UnboundFunction> named(String name) {
    Matcher parts = NAME.matcher(name);
    return parts.matches()
        ? Optional.of(
            new BucketNumber(
                BucketFunction.Type.valueOf(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                new Scalar(
                    Kind.valueOf(parts.group(3)),
                    Integer.parseInt(parts.group(4)),
                    Integer.parseInt(parts.group(5)),
                    true)))
        : Optional.empty();
  }

  @Override
  public String name() {
    return "obelus_bucket[%s,%d;%s.%d.%d]"
        .formatted(function, buckets, key.kind(), key.precision(), key.scale());
  }

  @Override
  public String description() {
    return "the bucket of a row of a table of " + buckets + " buckets";
  }

  /** The function of a column. */
  public Transform of(String column) {
    return Expressions.apply(name(), Expressions.column("`" + column.replace("`", "``") + "`"));
  }

  @Override
  public BoundFunction bind(StructType inputType) {
    DataType type = SparkTypes.toSpark(key);
    if (inputType.length() != 1 || !inputType.apply(0).dataType().equals(type)) {
      throw new UnsupportedOperationException(
          "%s takes one value of %s, not %s"
              .formatted(name(), type.sql(), inputType.simpleString()));
    }
    return new Bound(this, type);
  }

  private static final class Bound extends NumberFunction {

    private static final long serialVersionUID = 1;

    private final BucketFunction bucket;

    Bound(BucketNumber number, DataType type) {
      super(number.name(), type);
      this.bucket = BucketFunction.ofKey(number.function, List.of(number.key), number.buckets);
    }

    @Override
    public Integer produceResult(InternalRow input) {
      return bucket.bucket(input);
    }
  }
}
