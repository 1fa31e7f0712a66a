package io.obelus.spark.expression;

import java.io.Serializable;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** A function of Spark's from values to a number, which is never NULL: a bucket, a task. */
public abstract class NumberFunction implements ScalarFunction<Integer>, Serializable {

  private static final long serialVersionUID = 1;

  private final String name;
  private final DataType[] types;

  /**
   * @param name that says all that the number depends on but the values
   * @param types of the values
   */
  protected NumberFunction(String name, DataType... types) {
    this.name = name;
    this.types = types.clone();
  }

  @Override
  public final DataType[] inputTypes() {
    return types.clone();
  }

  @Override
  public final DataType resultType() {
    return DataTypes.IntegerType;
  }

  @Override
  public final boolean isResultNullable() {
    return false;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String canonicalName() {
    return "io.obelus." + name;
  }
}
