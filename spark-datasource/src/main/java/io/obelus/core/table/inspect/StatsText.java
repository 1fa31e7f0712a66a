package io.obelus.core.table.inspect;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Statistics of data files as {@code {dt=19782, id=7}}, sorted by the names that the table's
 * columns have now and in their present types; null where something is unknown.
 */
final class StatsText {

  private static final Set<Kind> INTEGERS =
      Set.of(Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT);
  private static final Set<Kind> TEXTS = Set.of(Kind.CHAR, Kind.VARCHAR);

  private final Table table;

  StatsText(Table table) {
    this.table = table;
  }

  /** The three texts about one file. */
  record OfFile(String nullCounts, String min, String max) {}

  OfFile of(DataFile file) {
    RowType inFile = table.schemas().get(file.schemaId()).rowType();
    RowType covered = covered(file, inFile);
    InternalRow min = decode(covered, file.valueStats().min());
    InternalRow max = decode(covered, file.valueStats().max());
    Map<String, Object> nullCounts = new TreeMap<>();
    Map<String, Object> minima = new TreeMap<>();
    Map<String, Object> maxima = new TreeMap<>();
    for (Column column : table.schema().rowType().columns()) {
      int index = covered.indexOfId(column.id());
      boolean isNew = inFile.indexOfId(column.id()) < 0;
      nullCounts.put(column.name(), isNew ? (Long) file.rowCount() : nullCount(file, index));
      minima.put(column.name(), value(covered, min, index, column));
      maxima.put(column.name(), value(covered, max, index, column));
    }
    return new OfFile(nullCounts.toString(), minima.toString(), maxima.toString());
  }

  private static Long nullCount(DataFile file, int index) {
    Long[] counts = file.valueStats().nullCounts();
    return index < 0 || index >= counts.length ? null : counts[index];
  }

  /** The columns that the file's statistics are about, by the names of its own schema. */
  private static RowType covered(DataFile file, RowType inFile) {
    if (file.valueStats().min().equals(RowBytes.EMPTY)) {
      return RowType.EMPTY;
    }
    RowType covered =
        file.valueStatsColumns() == null ? inFile : inFile.project(file.valueStatsColumns());
    return new RowType(
        covered.columns().stream()
            .map(column -> column.typed(column.type().withNullable(true)))
            .toList());
  }

  private static InternalRow decode(RowType covered, RowBytes bytes) {
    return new BinaryRows(covered).read(bytes.bytes());
  }

  /** Null if unknown, or if the bound of the old type is none of the new. */
  private static String value(RowType covered, InternalRow bounds, int index, Column now) {
    if (index < 0
        || bounds.isNullAt(index)
        || !(covered.column(index).type() instanceof Scalar from)
        || !(now.type() instanceof Scalar to)) {
      return null;
    }
    return widened(ValueText.object(from, bounds, index), from, to);
  }

  private static String widened(String text, Scalar from, Scalar to) {
    boolean bothTexts = TEXTS.contains(from.kind()) && TEXTS.contains(to.kind());
    boolean isNumber = INTEGERS.contains(from.kind()) || from.kind() == Kind.DECIMAL;
    if (to.kind() == Kind.DECIMAL && isNumber) {
      return rescaled(new BigDecimal(text), to.scale());
    } else if (from.kind() == to.kind() || bothTexts) {
      return text;
    } else if (INTEGERS.contains(from.kind()) && INTEGERS.contains(to.kind())) {
      return from.kind().compareTo(to.kind()) < 0 ? text : null;
    } else if (to.kind() == Kind.FLOAT && INTEGERS.contains(from.kind())) {
      return Float.toString(Long.parseLong(text));
    } else if (to.kind() == Kind.DOUBLE && INTEGERS.contains(from.kind())) {
      return Double.toString(Long.parseLong(text));
    } else if (to.kind() == Kind.DOUBLE && from.kind() == Kind.FLOAT) {
      return Double.toString(Float.parseFloat(text));
    }
    return null;
  }

  private static String rescaled(BigDecimal value, int scale) {
    return value.stripTrailingZeros().scale() <= scale
        ? value.setScale(scale, RoundingMode.UNNECESSARY).toPlainString()
        : null;
  }
}
