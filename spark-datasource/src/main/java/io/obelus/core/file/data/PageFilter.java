package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexFilter;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Tells row groups and pages of a file in which no row can fulfil a condition, by the statistics
 * that the file keeps of them.
 *
 * <p>The condition is translated in parts. What cannot be told for sure is left out, which keeps
 * more rows and never fewer: floating point numbers (writers differ on NaN), large decimals and
 * INT96 (writers differ on their order), {@code <>}, columns whose type has changed, and names with
 * dots.
 */
final class PageFilter {

  /** With more literals the condition is not used: each is looked up in each page index. */
  private static final int MOST_LITERALS = 10_000;

  private final FilterPredicate filter;
  private final Set<ColumnPath> paths = new HashSet<>();

  private PageFilter(FilterPredicate filter, Set<String> names) {
    this.filter = filter;
    for (String name : names) {
      paths.add(ColumnPath.get(name));
    }
  }

  /** A filter for the files with these columns; null if nothing of the condition can be used. */
  static PageFilter of(Predicate condition, RowType fileColumns, MessageType file) {
    Translator translator = new Translator(fileColumns, file);
    FilterPredicate filter = translator.translate(condition, false);
    return filter == null ? null : new PageFilter(filter, translator.names);
  }

  /** Whether no row of the row group can fulfil the condition. */
  boolean drops(BlockMetaData block) {
    return StatisticsFilter.canDrop(filter, block.getColumns());
  }

  /** Rows of the pages in which a row may fulfil the condition. */
  RowRanges ranges(OpenFile file, BlockMetaData block) throws IOException {
    Indexes indexes = new Indexes(file, block);
    try {
      return file.near(
          NearRanges.ofIndexes(block, paths),
          () ->
              ColumnIndexFilter.calculateRowRanges(
                  FilterCompat.get(filter), indexes, paths, block.getRowCount()));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * The page indexes of one row group. Parquet's own store knows only the columns that are decoded,
   * and a condition may be about others.
   */
  private static final class Indexes implements ColumnIndexStore {
    private final OpenFile file;
    private final Map<ColumnPath, ColumnChunkMetaData> chunks = new HashMap<>();

    // Each literal of a list asks again: 1000 keys read them 1000 times.
    private final Map<ColumnPath, ColumnIndex> columnIndexes = new HashMap<>();
    private final Map<ColumnPath, OffsetIndex> offsetIndexes = new HashMap<>();

    Indexes(OpenFile file, BlockMetaData block) {
      this.file = file;
      for (ColumnChunkMetaData chunk : block.getColumns()) {
        chunks.put(chunk.getPath(), chunk);
      }
    }

    @Override
    public ColumnIndex getColumnIndex(ColumnPath path) {
      return columnIndexes.computeIfAbsent(
          path, p -> read(() -> file.pages().readColumnIndex(chunk(p))));
    }

    @Override
    public OffsetIndex getOffsetIndex(ColumnPath path) {
      OffsetIndex index =
          offsetIndexes.computeIfAbsent(path, p -> read(() -> file.offsetIndex(chunk(p))));
      if (index == null) {
        throw new MissingOffsetIndexException(path);
      }
      return index;
    }

    private ColumnChunkMetaData chunk(ColumnPath path) {
      return chunks.get(path);
    }

    private static <T> T read(OpenFile.Work<T> work) {
      try {
        return work.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Translator {
    private final RowType fileColumns;
    private final MessageType file;
    private final Set<String> names = new HashSet<>();

    Translator(RowType fileColumns, MessageType file) {
      this.fileColumns = fileColumns;
      this.file = file;
    }

    /**
     * Null = cannot be used. NOT is carried down to the leaves, where it is exact in three-valued
     * logic; the leaves' translations may be wider than they are, so nothing may be inverted later.
     */
    FilterPredicate translate(Predicate condition, boolean negated) {
      if (condition instanceof Predicate.Not not) {
        return translate(not.part(), !negated);
      } else if (condition instanceof Predicate.And and) {
        return negated ? any(and.parts(), true) : all(and.parts(), false);
      } else if (condition instanceof Predicate.Or or) {
        return negated ? all(or.parts(), true) : any(or.parts(), false);
      } else if (condition instanceof Predicate.Compare compare) {
        Comparison comparison = negated ? opposite(compare.comparison()) : compare.comparison();
        Leaf<?> leaf = leaf(compare.column());
        return leaf == null ? null : leaf.compare(comparison, compare.literal());
      } else if (condition instanceof Predicate.In in && !negated) {
        return in(in);
      } else if (condition instanceof Predicate.IsNull isNull) {
        Leaf<?> leaf = leaf(isNull.column());
        return leaf == null ? null : leaf.isNull(!negated);
      } else if (condition instanceof Predicate.StartsWith starts && !negated) {
        return startsWith(starts);
      }
      return null;
    }

    private static Comparison opposite(Comparison comparison) {
      return switch (comparison) {
        case EQUAL -> Comparison.NOT_EQUAL;
        case NOT_EQUAL -> Comparison.EQUAL;
        case LESS -> Comparison.GREATER_OR_EQUAL;
        case LESS_OR_EQUAL -> Comparison.GREATER;
        case GREATER -> Comparison.LESS_OR_EQUAL;
        case GREATER_OR_EQUAL -> Comparison.LESS;
      };
    }

    private FilterPredicate all(List<Predicate> parts, boolean negated) {
      FilterPredicate all = null;
      for (Predicate part : parts) {
        FilterPredicate usable = translate(part, negated);
        if (usable != null) {
          all = all == null ? usable : FilterApi.and(all, usable);
        }
      }
      return all;
    }

    private FilterPredicate any(List<Predicate> parts, boolean negated) {
      List<FilterPredicate> usable = new ArrayList<>();
      for (Predicate part : parts) {
        FilterPredicate one = translate(part, negated);
        if (one == null) {
          return null;
        }
        usable.add(one);
      }
      return any(usable);
    }

    /** Halved and not chained: Parquet walks it by recursion. */
    private static FilterPredicate any(List<FilterPredicate> parts) {
      if (parts.size() < 2) {
        return parts.isEmpty() ? null : parts.get(0);
      }
      int middle = parts.size() / 2;
      return FilterApi.or(any(parts.subList(0, middle)), any(parts.subList(middle, parts.size())));
    }

    private FilterPredicate in(Predicate.In in) {
      Leaf<?> leaf = leaf(in.column());
      if (leaf == null || in.literals().size() > MOST_LITERALS) {
        return null;
      }
      List<FilterPredicate> parts = new ArrayList<>();
      for (Object literal : in.literals()) {
        FilterPredicate one = leaf.compare(Comparison.EQUAL, literal);
        if (one == null) {
          return null;
        }
        parts.add(one);
      }
      return any(parts);
    }

    private FilterPredicate startsWith(Predicate.StartsWith starts) {
      Leaf<?> leaf = leaf(starts.column());
      if (leaf == null || starts.prefix().numBytes() == 0) {
        return null;
      }
      FilterPredicate from = leaf.compare(Comparison.GREATER_OR_EQUAL, starts.prefix());
      byte[] above = above(starts.prefix().getBytes());
      if (from == null || above == null) {
        return from;
      }
      return FilterApi.and(from, leaf.compare(Comparison.LESS, UTF8String.fromBytes(above)));
    }

    /** The smallest bytes above all that begin with {@code prefix}; null if there are none. */
    private static byte[] above(byte[] prefix) {
      for (int i = prefix.length - 1; i >= 0; i--) {
        if (prefix[i] != (byte) 0xff) {
          byte[] above = Arrays.copyOf(prefix, i + 1);
          above[i]++;
          return above;
        }
      }
      return null;
    }

    /** Parquet would take the column for a field of a struct, and its values for NULL. */
    private static boolean hasDot(String name) {
      return name.indexOf('.') >= 0;
    }

    /** The column in the file, if its values and the literals can be compared; else null. */
    private Leaf<?> leaf(Column column) {
      Column stored = ReadColumns.stored(fileColumns, column);
      if (stored == null
          || hasDot(stored.name())
          || !file.containsField(stored.name())
          || !file.getType(stored.name()).isPrimitive()
          || !(stored.type() instanceof ColumnType.Scalar from)
          || !(column.type() instanceof ColumnType.Scalar to)) {
        return null;
      }
      boolean integers =
          Widening.INTEGERS.contains(from.kind()) && Widening.INTEGERS.contains(to.kind());
      if (from.kind() != to.kind() && !integers
          || from.kind() == Kind.DECIMAL
              && !from.withNullable(true).equals(to.withNullable(true))) {
        return null;
      }
      Leaf<?> leaf = Leaf.of(stored.name(), from);
      if (leaf != null) {
        names.add(stored.name());
      }
      return leaf;
    }
  }

  /**
   * A column of the file and how its literals are spelled there.
   *
   * @param <T> Parquet's class for its values
   */
  private abstract static class Leaf<T extends Comparable<T>> {

    /** Of a column that holds no decimals. */
    static final int NO_SCALE = -1;

    /** Null if the kind of column cannot be used. */
    static Leaf<?> of(String name, ColumnType.Scalar type) {
      return switch (type.kind()) {
        case TINYINT -> new IntLeaf(name, Byte.MIN_VALUE, Byte.MAX_VALUE, NO_SCALE);
        case SMALLINT -> new IntLeaf(name, Short.MIN_VALUE, Short.MAX_VALUE, NO_SCALE);
        case INT, DATE, TIME -> new IntLeaf(name, Integer.MIN_VALUE, Integer.MAX_VALUE, NO_SCALE);
        case BIGINT -> new LongLeaf(name, 1, NO_SCALE);
        case TIMESTAMP, TIMESTAMP_LTZ ->
            ParquetSchemas.isInt96(type)
                ? null
                : new LongLeaf(name, ParquetSchemas.isMillis(type) ? 1000 : 1, NO_SCALE);
        case DECIMAL ->
            type.precision() <= Decimal.MAX_INT_DIGITS()
                ? new IntLeaf(name, Integer.MIN_VALUE, Integer.MAX_VALUE, type.scale())
                : type.precision() <= Decimal.MAX_LONG_DIGITS()
                    ? new LongLeaf(name, 1, type.scale())
                    : null;
        case CHAR, VARCHAR -> new TextLeaf(name);
        case BOOLEAN, FLOAT, DOUBLE, BINARY, VARBINARY, VARIANT -> null;
      };
    }

    /** Null if the literal cannot be spelled, or the comparison cannot be used. */
    abstract FilterPredicate compare(Comparison comparison, Object literal);

    abstract FilterPredicate isNull(boolean isNull);

    static <T extends Comparable<T>, C extends Operators.Column<T> & Operators.SupportsLtGt>
        FilterPredicate compare(C column, Comparison comparison, T literal) {
      return switch (comparison) {
        case EQUAL -> FilterApi.eq(column, literal);
        case LESS -> FilterApi.lt(column, literal);
        case LESS_OR_EQUAL -> FilterApi.ltEq(column, literal);
        case GREATER -> FilterApi.gt(column, literal);
        case GREATER_OR_EQUAL -> FilterApi.gtEq(column, literal);
        case NOT_EQUAL -> null;
      };
    }

    /**
     * A literal as a whole number; null if it is none.
     *
     * @param scale of the column's decimals, which the literal must have too; or NO_SCALE
     */
    static Long whole(Object literal, int scale) {
      if (scale != NO_SCALE) {
        return literal instanceof Decimal decimal
                && decimal.scale() == scale
                && decimal.precision() <= Decimal.MAX_LONG_DIGITS()
            ? Long.valueOf(decimal.toUnscaledLong())
            : null;
      }
      return literal instanceof Byte
              || literal instanceof Short
              || literal instanceof Integer
              || literal instanceof Long
          ? Long.valueOf(((Number) literal).longValue())
          : null;
    }
  }

  private static final class IntLeaf extends Leaf<Integer> {
    private final Operators.IntColumn column;
    private final int min;
    private final int max;
    private final int scale;

    IntLeaf(String name, int min, int max, int scale) {
      this.column = FilterApi.intColumn(name);
      this.min = min;
      this.max = max;
      this.scale = scale;
    }

    @Override
    FilterPredicate compare(Comparison comparison, Object literal) {
      Long whole = whole(literal, scale);
      return whole == null || whole < min || whole > max
          ? null
          : compare(column, comparison, whole.intValue());
    }

    @Override
    FilterPredicate isNull(boolean isNull) {
      return isNull ? FilterApi.eq(column, null) : FilterApi.notEq(column, null);
    }
  }

  private static final class LongLeaf extends Leaf<Long> {
    private final Operators.LongColumn column;
    private final long unit;
    private final int scale;

    /**
     * @param unit what one of the file's values is in the literals' measure
     */
    LongLeaf(String name, long unit, int scale) {
      this.column = FilterApi.longColumn(name);
      this.unit = unit;
      this.scale = scale;
    }

    @Override
    FilterPredicate compare(Comparison comparison, Object literal) {
      Long whole = whole(literal, scale);
      if (whole == null) {
        return null;
      } else if (unit == 1) {
        return compare(column, comparison, whole);
      }
      long below = Math.floorDiv(whole, unit);
      if (below * unit == whole) {
        return compare(column, comparison, below);
      }
      return switch (comparison) {
        case LESS, LESS_OR_EQUAL -> FilterApi.ltEq(column, below);
        case GREATER, GREATER_OR_EQUAL -> FilterApi.gt(column, below);
        case EQUAL, NOT_EQUAL -> null;
      };
    }

    @Override
    FilterPredicate isNull(boolean isNull) {
      return isNull ? FilterApi.eq(column, null) : FilterApi.notEq(column, null);
    }
  }

  private static final class TextLeaf extends Leaf<Binary> {
    private final Operators.BinaryColumn column;

    TextLeaf(String name) {
      this.column = FilterApi.binaryColumn(name);
    }

    @Override
    FilterPredicate compare(Comparison comparison, Object literal) {
      return literal instanceof UTF8String text
          ? compare(column, comparison, Binary.fromConstantByteArray(text.getBytes()))
          : null;
    }

    @Override
    FilterPredicate isNull(boolean isNull) {
      return isNull ? FilterApi.eq(column, null) : FilterApi.notEq(column, null);
    }
  }
}
