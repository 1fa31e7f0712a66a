package io.obelus.procedure;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TimeTravel;
import io.obelus.core.table.verify.Finding;
import io.obelus.core.table.verify.Report;
import io.obelus.core.table.verify.Verify;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.verify(table => 'db.t')}: finds out whether a table is whole, and says of each
 * fault which statement mends it. Nothing is changed.
 *
 * <p>Data files are read in one job, with a task for each bucket.
 */
final class VerifyProcedure implements TableProcedure {

  private static final String LEVEL = "level";
  private static final String SAMPLE = "sample";
  private static final String VERSION = "version";
  private static final String WHERE = "where";

  @Override
  public String name() {
    return "verify";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(LEVEL, DataTypes.StringType, false),
        new Parameter(SAMPLE, DataTypes.DoubleType, false),
        new Parameter(VERSION, DataTypes.StringType, false),
        new Parameter(WHERE, DataTypes.StringType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("severity", DataTypes.StringType, false)
        .add("check", DataTypes.StringType, false)
        .add("partition", DataTypes.StringType)
        .add("bucket", DataTypes.IntegerType)
        .add("file", DataTypes.StringType)
        .add("position", DataTypes.LongType)
        .add("message", DataTypes.StringType, false)
        .add("remedy", DataTypes.StringType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    Verify.Level level = level(arguments);
    PartitionFilter wanted =
        PartitionFilter.of(session, table, Optional.empty(), arguments.text(WHERE));
    Snapshot snapshot = null;
    if (arguments.has(VERSION)) {
      snapshot = new TimeTravel(table).version(arguments.text(VERSION).orElseThrow());
    }
    Verify verify = Verify.of(table, snapshot, level, arguments.real(SAMPLE).orElse(1.0));
    List<BucketState> buckets = wanted.keep(verify.buckets());
    List<Report> reports =
        BucketJob.run(session, "verify " + table.name(), buckets, Report.class, verify::run);
    return verify.findings(reports).stream().map(VerifyProcedure::row).toList();
  }

  private static Verify.Level level(Arguments arguments) {
    String level = arguments.text(LEVEL).orElse("metadata");
    return switch (level.toLowerCase(Locale.ROOT)) {
      case "metadata" -> Verify.Level.METADATA;
      case "full" -> Verify.Level.FULL;
      default ->
          throw new IllegalArgumentException(
              "argument 'level' of sys.verify should be 'metadata' or 'full' but is '"
                  + level
                  + "'");
    };
  }

  private static Row row(Finding finding) {
    return RowFactory.create(
        finding.severity().name(),
        finding.check(),
        finding.partition(),
        finding.bucket(),
        finding.file(),
        finding.position(),
        finding.message(),
        finding.remedy());
  }
}
