package io.obelus.procedure;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Something that {@code CALL} can do. Stateless, thread-safe. */
public interface Procedure {

  /**
   * One argument.
   *
   * @param required whether a call must give it
   */
  record Parameter(String name, DataType type, boolean required) {
    @Override
    public String toString() {
      String text = name + " " + type.sql();
      return required ? text : "[" + text + "]";
    }
  }

  /** The name, without the namespace {@code sys}. */
  String name();

  /** The arguments, in the order in which they stand if they are not named. */
  List<Parameter> parameters();

  /** The columns of the rows that come back. */
  StructType output();

  /**
   * Does it, and returns when it is done.
   *
   * @param catalog the one that the procedure was called in
   * @param arguments checked against {@link #parameters}
   * @throws IllegalArgumentException if an argument asks for what cannot be done
   */
  List<Row> call(SparkSession session, TableCatalog catalog, Arguments arguments);
}
