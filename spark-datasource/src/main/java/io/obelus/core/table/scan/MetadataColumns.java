package io.obelus.core.table.scan;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import java.util.List;

/** Columns that a scan can return beside the table's own: where a row is. Their ids are below 0. */
public final class MetadataColumns {

  /** Path of the data file. */
  public static final Column FILE =
      new Column(-1, "_file", ColumnType.string().withNullable(false));

  /** Position of the row in its data file, deleted rows counted. */
  public static final Column POSITION =
      new Column(-2, "_pos", new ColumnType.Scalar(Kind.BIGINT, 0, 0, false));

  /** Number of the bucket. */
  public static final Column BUCKET =
      new Column(-3, "_bucket", new ColumnType.Scalar(Kind.INT, 0, 0, false));

  /** Path of the partition, {@code pt=1/dt=2}; empty in an unpartitioned table. */
  public static final Column PARTITION =
      new Column(-4, "_partition", ColumnType.string().withNullable(false));

  public static final List<Column> ALL = List.of(FILE, POSITION, BUCKET, PARTITION);

  private MetadataColumns() {}
}
