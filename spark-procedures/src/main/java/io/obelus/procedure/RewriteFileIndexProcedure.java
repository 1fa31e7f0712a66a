package io.obelus.procedure;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.IndexRewrite;
import io.obelus.core.table.maintenance.RewriteFileIndex;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.rewrite_file_index(table => 'db.t')}: the data files that are there get the
 * indexes that the table's options ask for now, and lose others. No data file is written.
 *
 * <p>Buckets are spread over the tasks of one job; all of them become visible in one snapshot. A
 * commit that changes one of the buckets meanwhile makes the call fail, and the table stays as that
 * commit left it.
 */
final class RewriteFileIndexProcedure implements TableProcedure {

  private static final String WHERE = "where";
  private static final String DRY_RUN = "dry_run";
  private static final String ANEW = "anew";
  private static final ArrayType TEXTS = DataTypes.createArrayType(DataTypes.StringType, false);

  @Override
  public String name() {
    return "rewrite_file_index";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(WHERE, DataTypes.StringType, false),
        new Parameter(DRY_RUN, DataTypes.BooleanType, false),
        new Parameter(ANEW, DataTypes.BooleanType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("partition", DataTypes.StringType, false)
        .add("bucket", DataTypes.IntegerType, false)
        .add("files", DataTypes.LongType, false)
        .add("files_rewritten", DataTypes.LongType, false)
        .add("index_bytes_before", DataTypes.LongType, false)
        .add("index_bytes_after", DataTypes.LongType)
        .add("added", TEXTS, false)
        .add("removed", TEXTS, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    PartitionFilter wanted =
        PartitionFilter.of(session, table, Optional.empty(), arguments.text(WHERE));
    boolean dryRun = arguments.flag(DRY_RUN, false);
    RewriteFileIndex rewrite = RewriteFileIndex.of(table, arguments.flag(ANEW, false));
    List<BucketState> buckets = wanted.keep(rewrite.buckets(id -> true));
    List<IndexRewrite.Result> results =
        BucketJob.run(
            session,
            "rewrite file indexes of " + table.name(),
            buckets,
            IndexRewrite.Result.class,
            bucket -> rewrite.run(bucket, dryRun));
    rewrite.commit(results.stream().map(IndexRewrite.Result::change).toList());
    PartitionPath partitions = new PartitionPath(table.schema());
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      rows.add(row(partitions, buckets.get(i), results.get(i)));
    }
    return rows;
  }

  private static Row row(PartitionPath partitions, BucketState bucket, IndexRewrite.Result result) {
    return RowFactory.create(
        partitions.of(bucket.id().partition()),
        bucket.id().bucket(),
        (long) bucket.files().size(),
        result.files(),
        result.bytesBefore(),
        result.bytesAfter(),
        result.added().toArray(new String[0]),
        result.removed().toArray(new String[0]));
  }
}
