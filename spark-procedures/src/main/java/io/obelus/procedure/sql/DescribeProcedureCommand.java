package io.obelus.procedure.sql;

import io.obelus.procedure.Procedure;
import io.obelus.procedure.Procedures;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** {@code DESCRIBE PROCEDURE}: what it takes and what comes back, in order. */
public final class DescribeProcedureCommand extends ProcedureCommand {

  private static final long serialVersionUID = 1;

  static final StructType OUTPUT =
      new StructType()
          .add("part", DataTypes.StringType, false)
          .add("name", DataTypes.StringType, false)
          .add("data_type", DataTypes.StringType, false)
          .add("required", DataTypes.BooleanType, true);

  private final String procedure;

  /**
   * @param procedure its name, without the namespace
   */
  public DescribeProcedureCommand(String procedure, Seq<Attribute> output) {
    super(output, procedure, output);
    this.procedure = procedure;
  }

  @Override
  public Seq<Row> run(SparkSession session) {
    Procedure described = Procedures.find(procedure).orElseThrow();
    List<Row> rows = new ArrayList<>();
    for (Procedure.Parameter parameter : described.parameters()) {
      rows.add(
          RowFactory.create(
              "argument", parameter.name(), parameter.type().sql(), parameter.required()));
    }
    for (StructField column : described.output().fields()) {
      rows.add(RowFactory.create("result", column.name(), column.dataType().sql(), null));
    }
    return JavaConverters.asScalaBuffer(rows).toList();
  }
}
