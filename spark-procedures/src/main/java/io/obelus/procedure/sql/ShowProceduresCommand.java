package io.obelus.procedure.sql;

import io.obelus.procedure.Procedure;
import io.obelus.procedure.Procedures;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** {@code SHOW PROCEDURES}: the name and the arguments of each. */
public final class ShowProceduresCommand extends ProcedureCommand {

  private static final long serialVersionUID = 1;

  static final StructType OUTPUT =
      new StructType()
          .add("procedure", DataTypes.StringType, false)
          .add("arguments", DataTypes.StringType, false);

  public ShowProceduresCommand(Seq<Attribute> output) {
    super(output, output);
  }

  @Override
  public Seq<Row> run(SparkSession session) {
    List<Row> rows = Procedures.all().stream().map(ShowProceduresCommand::row).toList();
    return JavaConverters.asScalaBuffer(rows).toList();
  }

  private static Row row(Procedure procedure) {
    return RowFactory.create(
        Procedures.NAMESPACE + "." + procedure.name(),
        procedure.parameters().stream()
            .map(Procedure.Parameter::toString)
            .collect(Collectors.joining(", ")));
  }
}
