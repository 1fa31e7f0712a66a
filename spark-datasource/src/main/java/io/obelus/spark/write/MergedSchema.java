package io.obelus.spark.write;

import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.schema.SchemaMerge;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.SchemaMergeOption;
import io.obelus.spark.option.StatementOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What a write with option {@code write.merge-schema} makes of the table's schema. Planned without
 * being stored: Spark plans more than once, and plans what it never runs.
 */
final class MergedSchema {

  private final Table table;
  private final Map<String, String> statement;
  private final StructType rows;
  private final boolean hasFunctionCatalog;
  private final SchemaMerge change;

  /**
   * @param info options of the statement, and columns of the rows to be written
   * @param hasFunctionCatalog see {@link Clustering#of}
   */
  MergedSchema(
      Table table, LogicalWriteInfo info, SchemaMergeOption option, boolean hasFunctionCatalog) {
    this.table = table;
    this.statement = info.options().asCaseSensitiveMap();
    this.rows = info.schema();
    this.hasFunctionCatalog = hasFunctionCatalog;
    this.change =
        new SchemaMerge(
            rows,
            option.explicitCast(),
            SQLConf.get().caseSensitiveAnalysis(),
            SchemaMerge.places(table.schema()));
  }

  /** The table as it will be; IllegalArgumentException names a column that cannot be merged. */
  Table planned() {
    return withOptions(
        new Table(
            table.name(),
            table.storage(),
            table.directory(),
            change.applyTo(table.schema(), true, table.schema().timeMillis()),
            table.schemas()));
  }

  /**
   * Stores the schema, on top of what others changed meanwhile.
   *
   * @param planned how rows were distributed
   */
  Table stored(Clustering planned) {
    try {
      FileSystemCatalog tables = new FileSystemCatalog(table.storage(), table.directory().root());
      Table stored = withOptions(tables.alter(table, change));
      checkLayout(stored, planned);
      return stored;
    } catch (IOException e) {
      throw new UncheckedIOException("the schema of " + table.name() + " could not be stored", e);
    }
  }

  /** The way of the rows into the columns of {@code at}, which is planned or stored. */
  RowAlignment alignment(Table at) {
    return RowAlignment.of(at, rows);
  }

  /**
   * How rows are distributed. Spark does it before they are turned into rows of the table, so that
   * columns it goes by must have their values already; else one task takes all rows. Texts of a
   * fixed or greatest length may get blanks, or lose them.
   */
  Clustering clustering(Table at) {
    TableSchema schema = at.schema();
    TableOptions options = at.options();
    List<String> places = SchemaMerge.places(schema);
    for (String name : places) {
      if (given(name) == null) {
        throw new IllegalArgumentException(
            "%s: column '%s' says where a row belongs and has to be among the columns of the rows to be written, which are %s"
                .formatted(table.name(), name, List.of(rows.fieldNames())));
      }
    }
    List<String> ordering = new ArrayList<>(places);
    ordering.addAll(schema.keyed() ? options.sequenceFields() : List.of());
    boolean alike = ordering.stream().allMatch(name -> isAlike(schema, name));
    boolean asStored = alike && ordering.stream().noneMatch(name -> hasLength(schema, name));
    Clustering clustering = Clustering.of(at, hasFunctionCatalog && asStored);
    if (clustering.slots() == null && !alike) {
      throw new IllegalArgumentException(
          "%s: the partition columns %s of the rows to be written should have the types of the table; cast them"
              .formatted(table.name(), schema.partitionKeys()));
    }
    return clustering;
  }

  private static boolean hasLength(TableSchema schema, String name) {
    RowType type = schema.rowType();
    return type.column(type.indexOf(name)).type() instanceof Scalar text
        && (text.kind() == Kind.CHAR
            || (text.kind() == Kind.VARCHAR && text.precision() < ColumnType.MAX_LENGTH));
  }

  private boolean isAlike(TableSchema schema, String name) {
    RowType type = schema.rowType();
    StructField given = given(name);
    return given != null
        && DataTypeUtils.equalsIgnoreNullability(
            given.dataType(), SparkTypes.toSpark(type.column(type.indexOf(name)).type()));
  }

  private StructField given(String name) {
    return Arrays.stream(rows.fields())
        .filter(field -> (boolean) SQLConf.get().resolver().apply(field.name(), name))
        .findFirst()
        .orElse(null);
  }

  private void checkLayout(Table stored, Clustering planned) {
    if (!Objects.equals(planned.slots(), clustering(stored).slots())) {
      throw new CommitConflictException(
          "%s: its buckets were changed while rows were distributed to them; no row is written, try again"
              .formatted(table.name()));
    }
  }

  private Table withOptions(Table plain) {
    return StatementOptions.ofWrite(plain.schema(), statement).applyTo(plain);
  }
}
