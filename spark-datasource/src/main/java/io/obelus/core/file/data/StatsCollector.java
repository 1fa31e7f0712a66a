package io.obelus.core.file.data;

import io.obelus.core.file.data.DataFileSettings.StatsSettings;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Makes the statistics that manifests keep of a file's columns from those in its Parquet footer
 * (spec chapter 04, stats collection). A minimum or maximum that cannot be told exactly, or within
 * the mode's truncation, is unknown: unknown is always right, a wrong bound loses rows.
 */
final class StatsCollector {

  /** Statistics of some columns, and which they are: null = all of the row. */
  record Collected(ColumnStats stats, List<String> columns) {}

  private static final String KEY_MODE = "truncate(128)";

  private final RowType row;
  private final int[] key;
  private final StatsMode[] modes;
  private final boolean dense;

  StatsCollector(DataFileColumns columns, DataFileSettings settings) {
    this.row = columns.row();
    this.key = columns.key();
    this.dense = settings.stats().dense();
    this.modes = modes(settings.stats());
    if (!settings.keyColumns()) {
      // Thin files have no _KEY_ columns: what is known of the key is what is known of its values.
      for (int index : key) {
        modes[index] = StatsMode.parse(row.column(index).name(), KEY_MODE);
      }
    }
  }

  private StatsMode[] modes(StatsSettings settings) {
    StatsMode[] result = new StatsMode[row.size()];
    for (int i = 0; i < result.length; i++) {
      Column column = row.column(i);
      String own = settings.columns().get(column.name());
      boolean left = settings.keepFirst() >= 0 && i >= settings.keepFirst();
      result[i] =
          StatsMode.parse(column.name(), left ? "none" : own != null ? own : settings.mode());
      if (!(column.type() instanceof ColumnType.Scalar)) {
        result[i] = StatsMode.NONE;
      }
    }
    return result;
  }

  /** Over the trimmed key, always in full width; {@link ColumnStats#NONE} in an append file. */
  ColumnStats key(List<BlockMetaData> blocks) {
    if (key.length == 0) {
      return ColumnStats.NONE;
    }
    Map<String, Statistics<?>> footer = merged(blocks);
    List<Column> columns = new ArrayList<>();
    List<Bounds> bounds = new ArrayList<>();
    for (int index : key) {
      Column column = row.column(index);
      columns.add(column);
      bounds.add(bounds(column, StatsMode.parse(column.name(), KEY_MODE), footer));
    }
    return stats(columns, bounds);
  }

  /** Over the table's columns. */
  Collected values(List<BlockMetaData> blocks) {
    Map<String, Statistics<?>> footer = merged(blocks);
    List<Column> columns = new ArrayList<>();
    List<Bounds> bounds = new ArrayList<>();
    for (int i = 0; i < modes.length; i++) {
      Column column = row.column(i);
      if (modes[i] == StatsMode.NONE) {
        if (!dense) {
          columns.add(column);
          bounds.add(new Bounds(null, null, null));
        }
      } else {
        columns.add(column);
        bounds.add(bounds(column, modes[i], footer));
      }
    }
    List<String> names =
        columns.size() == row.size() ? null : columns.stream().map(Column::name).toList();
    return new Collected(columns.isEmpty() ? ColumnStats.NONE : stats(columns, bounds), names);
  }

  private record Bounds(Object min, Object max, Long nulls) {}

  private static ColumnStats stats(List<Column> columns, List<Bounds> bounds) {
    RowType type =
        new RowType(
            columns.stream()
                .map(column -> column.typed(column.type().withNullable(true)))
                .toList());
    BinaryRows rows = new BinaryRows(type);
    Object[] mins = bounds.stream().map(Bounds::min).toArray();
    Object[] maxs = bounds.stream().map(Bounds::max).toArray();
    return new ColumnStats(
        new RowBytes(rows.write(new GenericInternalRow(mins))),
        new RowBytes(rows.write(new GenericInternalRow(maxs))),
        bounds.stream().map(Bounds::nulls).toArray(Long[]::new));
  }

  /** Footer statistics by name of the (top-level) column, over all row groups. */
  private static Map<String, Statistics<?>> merged(List<BlockMetaData> blocks) {
    Map<String, Statistics<?>> merged = new HashMap<>();
    for (BlockMetaData block : blocks) {
      for (ColumnChunkMetaData chunk : block.getColumns()) {
        if (chunk.getPath().size() > 1) {
          continue;
        }
        String name = chunk.getPath().toArray()[0];
        Statistics<?> before = merged.get(name);
        if (before == null) {
          merged.put(name, chunk.getStatistics().copy());
        } else {
          before.mergeStatistics(chunk.getStatistics());
        }
      }
    }
    return merged;
  }

  private static Bounds bounds(Column column, StatsMode mode, Map<String, Statistics<?>> footer) {
    Statistics<?> found = footer.get(column.name());
    if (found == null) {
      return new Bounds(null, null, null);
    }
    ColumnType.Scalar type = (ColumnType.Scalar) column.type();
    Long nulls = found.isNumNullsSet() ? found.getNumNulls() : null;
    if (mode == StatsMode.COUNTS || !found.hasNonNullValue() || !hasBounds(type)) {
      return new Bounds(null, null, nulls);
    }
    Object min = value(type, found.genericGetMin(), true);
    Object max = value(type, found.genericGetMax(), false);
    if (min instanceof UTF8String text) {
      min = mode.min(text);
      max = mode.max((UTF8String) max);
    }
    return min == null || max == null ? new Bounds(null, null, nulls) : new Bounds(min, max, nulls);
  }

  private static boolean hasBounds(ColumnType.Scalar type) {
    return switch (type.kind()) {
      case BINARY, VARBINARY, VARIANT -> false;
      case TIMESTAMP, TIMESTAMP_LTZ -> !ParquetSchemas.isInt96(type);
      default -> true;
    };
  }

  /** A bound in Spark's terms; null = unknown. */
  private static Object value(ColumnType.Scalar type, Object bound, boolean isMin) {
    return switch (type.kind()) {
      case BOOLEAN -> bound;
      case TINYINT -> ((Integer) bound).byteValue();
      case SMALLINT -> ((Integer) bound).shortValue();
      case INT, DATE, TIME, BIGINT -> bound;
      case FLOAT -> bound(((Float) bound), isMin);
      case DOUBLE -> bound(((Double) bound), isMin);
      case DECIMAL -> decimal(type, bound);
      case CHAR, VARCHAR -> UTF8String.fromBytes(((Binary) bound).getBytes());
      case TIMESTAMP, TIMESTAMP_LTZ ->
          ParquetSchemas.isMillis(type) ? Long.valueOf((Long) bound * 1000) : bound;
      case BINARY, VARBINARY, VARIANT -> null;
    };
  }

  /** Zero has two forms that are equal: the bound is the outer one. NaN bounds nothing. */
  private static Float bound(float value, boolean isMin) {
    if (Float.isNaN(value)) {
      return null;
    }
    return value == 0 ? (isMin ? -0.0f : 0.0f) : value;
  }

  private static Double bound(double value, boolean isMin) {
    if (Double.isNaN(value)) {
      return null;
    }
    return value == 0 ? (isMin ? -0.0d : 0.0d) : value;
  }

  private static Decimal decimal(ColumnType.Scalar type, Object bound) {
    if (bound instanceof Binary bytes) {
      BigDecimal exact = new BigDecimal(new BigInteger(bytes.getBytes()), type.scale());
      return Decimal.apply(exact, type.precision(), type.scale());
    }
    return Decimal.createUnsafe(((Number) bound).longValue(), type.precision(), type.scale());
  }
}
