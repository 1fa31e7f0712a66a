package io.obelus.procedure.sql;

import io.obelus.procedure.TableAnalysis;
import io.obelus.spark.ObelusTable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** {@code ANALYZE TABLE … COMPUTE STATISTICS} of a table of ours; returns no rows. */
public final class AnalyzeCommand extends ProcedureCommand {

  private static final long serialVersionUID = 1;

  private final transient ObelusTable table;
  private final Option<Seq<String>> columns;
  private final boolean allColumns;

  /**
   * @param columns by name; none = only the rows are counted, unless {@code allColumns}
   */
  public AnalyzeCommand(ObelusTable table, Option<Seq<String>> columns, boolean allColumns) {
    super(ProcedureCommand.<Attribute>list(), table, columns, allColumns);
    this.table = table;
    this.columns = columns;
    this.allColumns = allColumns;
  }

  @Override
  public Seq<Row> run(SparkSession session) {
    TableAnalysis analysis = new TableAnalysis(session, table);
    if (allColumns) {
      analysis.ofAllColumns();
    } else if (columns.isDefined()) {
      analysis.ofColumns(JavaConverters.seqAsJavaList(columns.get()));
    } else {
      analysis.ofTable();
    }
    return list();
  }

  @Override
  public String nodeName() {
    return "Analyze " + table.name();
  }
}
