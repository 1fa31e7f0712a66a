package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Constant;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.Not;
import io.obelus.core.row.Predicate.StartsWith;
import java.util.ArrayList;
import java.util.List;

/** Says leaves of a condition with the columns of a file (spec chapter 13). */
final class FileLeaves implements Predicates.LeafMapping {

  private static final Predicate NEVER = new Constant(false);

  private final RowType file;

  FileLeaves(RowType file) {
    this.file = file;
  }

  @Override
  public Predicate map(Predicate leaf, boolean negated) {
    Column column = Predicates.column(leaf);
    int index = file.indexOfId(column.id());
    if (index < 0) {
      // Null in every row: other leaves are unknown, which no NOT makes true.
      return new Constant(leaf instanceof IsNull && !negated);
    }
    Column found = file.column(index);
    if (leaf instanceof IsNull) {
      return isNull(column, found, negated);
    }
    Cast cast = Cast.of(found.type(), column.type());
    if (cast == Cast.CHANGES) {
      return hasValue(found); // a cast makes no value out of null
    } else if (cast == Cast.WIDENS_INTEGER) {
      return inRange(leaf, found, negated);
    }
    return signed(renamed(leaf, found), negated);
  }

  private static Predicate isNull(Column column, Column found, boolean negated) {
    if (negated) {
      return hasValue(found);
    }
    boolean castMakesNull = Cast.of(found.type(), column.type()) == Cast.CHANGES;
    return castMakesNull ? Predicate.ALWAYS : new IsNull(found);
  }

  private static Predicate hasValue(Column column) {
    return new Not(new IsNull(column));
  }

  private static Predicate signed(Predicate leaf, boolean negated) {
    return negated ? new Not(leaf) : leaf;
  }

  private static Predicate renamed(Predicate leaf, Column found) {
    if (leaf instanceof Compare compare) {
      return new Compare(found, compare.comparison(), compare.literal());
    } else if (leaf instanceof In in) {
      return new In(found, in.literals());
    }
    return new StartsWith(found, ((StartsWith) leaf).prefix());
  }

  /** The leaf with literals of the file's integer type; those beyond it decide by themselves. */
  private static Predicate inRange(Predicate leaf, Column found, boolean negated) {
    Kind kind = ((Scalar) found.type()).kind();
    if (leaf instanceof In in) {
      List<Object> narrow = new ArrayList<>();
      for (Object literal : in.literals()) {
        if (beyond(literal, kind) == 0) {
          narrow.add(narrow(literal, kind));
        }
      }
      return narrow.isEmpty()
          ? decided(false, found, negated)
          : signed(new In(found, narrow), negated);
    }
    Compare compare = (Compare) leaf;
    int beyond = beyond(compare.literal(), kind);
    if (beyond != 0) {
      // The literal is above all values if beyond is 1, so they compare to it as -1.
      return decided(Predicates.holds(compare.comparison(), -beyond), found, negated);
    }
    return signed(
        new Compare(found, compare.comparison(), narrow(compare.literal(), kind)), negated);
  }

  /** A leaf that has this truth for all values. */
  private static Predicate decided(boolean truth, Column found, boolean negated) {
    return truth != negated ? hasValue(found) : NEVER;
  }

  /** -1 if the number is below the range of the kind, 1 if above, 0 if in it. */
  private static int beyond(Object literal, Kind kind) {
    long value = ((Number) literal).longValue();
    long max =
        switch (kind) {
          case TINYINT -> Byte.MAX_VALUE;
          case SMALLINT -> Short.MAX_VALUE;
          default -> Integer.MAX_VALUE;
        };
    return value > max ? 1 : value < -max - 1 ? -1 : 0;
  }

  private static Object narrow(Object literal, Kind kind) {
    Number value = (Number) literal;
    return switch (kind) {
      case TINYINT -> value.byteValue();
      case SMALLINT -> value.shortValue();
      default -> value.intValue();
    };
  }

  /** What happens to a column's values between the file and the reader, as far as tests care. */
  private enum Cast {
    /** Nothing. */
    NONE,
    /** An integer gets a wider type. */
    WIDENS_INTEGER,
    /** They may become other values, or null. */
    CHANGES;

    static Cast of(ColumnType from, ColumnType to) {
      if (from.withNullable(true).equals(to.withNullable(true))) {
        return NONE;
      } else if (from instanceof Scalar fromScalar && to instanceof Scalar toScalar) {
        return of(fromScalar, toScalar);
      }
      // Fields of a nested row come and go, but the row itself stays null or not.
      return from.getClass() == to.getClass() ? NONE : CHANGES;
    }

    private static Cast of(Scalar from, Scalar to) {
      boolean varying = to.kind() == Kind.VARCHAR || to.kind() == Kind.VARBINARY;
      if (varying && from.kind() == to.kind() && from.precision() <= to.precision()) {
        return NONE; // other lengths are cut or filled up
      }
      int fromWidth = width(from.kind());
      int toWidth = width(to.kind());
      return fromWidth > 0 && fromWidth < toWidth ? WIDENS_INTEGER : CHANGES;
    }

    private static int width(Kind kind) {
      return switch (kind) {
        case TINYINT -> 1;
        case SMALLINT -> 2;
        case INT -> 4;
        case BIGINT -> 8;
        default -> 0;
      };
    }
  }
}
