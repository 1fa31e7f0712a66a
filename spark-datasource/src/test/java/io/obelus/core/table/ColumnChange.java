package io.obelus.core.table;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.schema.ColumnChange.Add;
import io.obelus.core.table.schema.ColumnChange.Drop;
import io.obelus.core.table.schema.ColumnChange.Move;
import io.obelus.core.table.schema.ColumnChange.Position;
import io.obelus.core.table.schema.ColumnChange.Rename;
import io.obelus.core.table.schema.ColumnChange.Retype;
import io.obelus.testing.PaimonRows;
import io.obelus.testing.RandomRows;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.apache.paimon.schema.SchemaChange;

/**
 * A change of one column, as Paimon and we call it, and what becomes of the values that are there.
 *
 * @param oldName null if the column is new
 * @param newName null if it is dropped
 */
record ColumnChange(
    SchemaChange theirs,
    io.obelus.core.table.schema.ColumnChange ours,
    String oldName,
    String newName) {

  /** Draws one for a column that is free to change; {@code fresh} is a name never used before. */
  static ColumnChange draw(Random random, RowType columns, List<String> fixed, String fresh) {
    if (random.nextInt(6) == 0) {
      List<String> names = columns.names().stream().filter(n -> !n.startsWith("p")).toList();
      return rename(names.get(random.nextInt(names.size())), fresh);
    }
    List<Column> free = columns.columns().stream().filter(c -> !fixed.contains(c.name())).toList();
    if (free.isEmpty() || random.nextInt(3) == 0) {
      return add(random, columns, fresh);
    }
    Column column = free.get(random.nextInt(free.size()));
    String name = column.name();
    return switch (random.nextInt(5)) {
      case 0 ->
          new ColumnChange(SchemaChange.dropColumn(name), new Drop(List.of(name)), name, null);
      case 1 -> rename(name, fresh);
      case 2 ->
          column == columns.column(0)
              ? add(random, columns, fresh)
              : new ColumnChange(
                  SchemaChange.updateColumnPosition(SchemaChange.Move.first(name)),
                  new Move(List.of(name), Position.FIRST),
                  name,
                  name);
      default -> {
        ColumnType wider = wider(random, column.type());
        yield wider == null
            ? add(random, columns, fresh)
            : new ColumnChange(
                SchemaChange.updateColumnType(name, PaimonRows.type(wider)),
                new Retype(List.of(name), SparkTypes.toSpark(wider)),
                name,
                name);
      }
    };
  }

  private static ColumnChange rename(String name, String fresh) {
    return new ColumnChange(
        SchemaChange.renameColumn(name, fresh), new Rename(List.of(name), fresh), name, fresh);
  }

  private static ColumnChange add(Random random, RowType columns, String name) {
    ColumnType type = RandomRows.anyType(random).withNullable(true);
    String after = columns.column(random.nextInt(columns.size())).name();
    boolean first = random.nextBoolean();
    SchemaChange.Move move =
        first ? SchemaChange.Move.first(name) : SchemaChange.Move.after(name, after);
    return new ColumnChange(
        SchemaChange.addColumn(name, PaimonRows.type(type), null, move),
        new Add(
            List.of(name),
            SparkTypes.toSpark(type),
            true,
            null,
            first ? Position.FIRST : Position.after(after)),
        null,
        name);
  }

  /** A type that holds the same values and more; null if there is none. */
  private static ColumnType wider(Random random, ColumnType type) {
    if (!(type instanceof Scalar scalar)) {
      return null;
    }
    Scalar wider =
        switch (scalar.kind()) {
          case TINYINT -> any(random, Kind.SMALLINT, Kind.INT, Kind.DOUBLE, Kind.FLOAT);
          case SMALLINT -> any(random, Kind.INT, Kind.BIGINT, Kind.DOUBLE);
          case INT ->
              random.nextBoolean()
                  ? new Scalar(Kind.DECIMAL, 14, random.nextInt(4), true)
                  : any(random, Kind.BIGINT, Kind.DOUBLE);
          case FLOAT -> new Scalar(Kind.DOUBLE);
          case VARCHAR, VARBINARY -> new Scalar(scalar.kind(), ColumnType.MAX_LENGTH, 0, true);
          case DECIMAL ->
              scalar.precision() > 35
                  ? null
                  : new Scalar(
                      Kind.DECIMAL,
                      scalar.precision() + 3,
                      scalar.scale() + random.nextInt(3),
                      true);
          default -> null;
        };
    return wider == null || wider.equals(scalar) ? null : wider.withNullable(type.nullable());
  }

  private static Scalar any(Random random, Kind... kinds) {
    return new Scalar(kinds[random.nextInt(kinds.length)]);
  }

  /** The values of a row after the change. */
  Object[] values(Object[] old, RowType before, RowType after) {
    Object[] values = new Object[after.size()];
    for (int i = 0; i < values.length; i++) {
      Column column = after.column(i);
      String oldColumn = column.name().equals(newName) ? oldName : column.name();
      if (oldColumn != null) {
        values[i] = as(column.type(), old[before.indexOf(oldColumn)]);
      }
    }
    return values;
  }

  private static Object as(ColumnType type, Object value) {
    if (!(type instanceof Scalar scalar)) {
      return value;
    } else if (scalar.kind() == Kind.DECIMAL && value instanceof BigDecimal decimal) {
      return decimal.setScale(scalar.scale());
    }
    return value instanceof Number number ? number(number, scalar) : value;
  }

  private static Object number(Number number, Scalar scalar) {
    return switch (scalar.kind()) {
      case SMALLINT -> number.shortValue();
      case INT -> number.intValue();
      case BIGINT -> number.longValue();
      case FLOAT -> number.floatValue();
      case DOUBLE -> number.doubleValue();
      case DECIMAL -> BigDecimal.valueOf(number.longValue()).setScale(scalar.scale());
      default -> number;
    };
  }

  @Override
  public String toString() {
    return ours.toString();
  }
}
