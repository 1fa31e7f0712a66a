package io.obelus.core.row;

import io.obelus.core.row.Predicate.And;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.Constant;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.Not;
import io.obelus.core.row.Predicate.Or;
import io.obelus.core.row.Predicate.StartsWith;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/** What conditions say about rows, about bounds, and about each other. */
public final class Predicates {

  private static final Predicate NEVER = new Constant(false);

  private Predicates() {}

  /** True where all parts are. */
  public static Predicate and(Predicate... parts) {
    return and(Arrays.asList(parts));
  }

  /** True where all parts are; {@link Predicate#ALWAYS} without parts. */
  public static Predicate and(List<Predicate> parts) {
    List<Predicate> kept = new ArrayList<>();
    for (Predicate part : parts) {
      if (part.equals(NEVER)) {
        return NEVER;
      } else if (part instanceof And and) {
        kept.addAll(and.parts());
      } else if (!part.equals(Predicate.ALWAYS)) {
        kept.add(part);
      }
    }
    return switch (kept.size()) {
      case 0 -> Predicate.ALWAYS;
      case 1 -> kept.get(0);
      default -> new And(kept);
    };
  }

  /** True where one of the parts is. */
  public static Predicate or(Predicate... parts) {
    return or(Arrays.asList(parts));
  }

  /** True where one of the parts is; never without parts. */
  public static Predicate or(List<Predicate> parts) {
    List<Predicate> kept = new ArrayList<>();
    for (Predicate part : parts) {
      if (part.equals(Predicate.ALWAYS)) {
        return Predicate.ALWAYS;
      } else if (part instanceof Or or) {
        kept.addAll(or.parts());
      } else if (!part.equals(NEVER)) {
        kept.add(part);
      }
    }
    return switch (kept.size()) {
      case 0 -> NEVER;
      case 1 -> kept.get(0);
      default -> new Or(kept);
    };
  }

  /** True where the part is false; unknown stays unknown. */
  public static Predicate not(Predicate part) {
    if (part instanceof Not not) {
      return not.part();
    } else if (part instanceof Constant constant) {
      return new Constant(!constant.value());
    }
    return new Not(part);
  }

  /** The conditions that must all be true for this one to be, as many as can be split off. */
  public static List<Predicate> conjuncts(Predicate predicate) {
    Predicate pushed = negationsToLeaves(predicate);
    return pushed instanceof And and ? and.parts() : List.of(pushed);
  }

  /** The columns that the condition asks for. */
  public static Set<Column> columns(Predicate predicate) {
    Set<Column> columns = new LinkedHashSet<>();
    addColumns(predicate, columns);
    return columns;
  }

  private static void addColumns(Predicate predicate, Set<Column> columns) {
    if (predicate instanceof And and) {
      and.parts().forEach(part -> addColumns(part, columns));
    } else if (predicate instanceof Or or) {
      or.parts().forEach(part -> addColumns(part, columns));
    } else if (predicate instanceof Not not) {
      addColumns(not.part(), columns);
    } else if (!(predicate instanceof Constant)) {
      columns.add(column(predicate));
    }
  }

  /** The column of a leaf; IllegalArgumentException if it is none. */
  public static Column column(Predicate leaf) {
    if (leaf instanceof Compare compare) {
      return compare.column();
    } else if (leaf instanceof In in) {
      return in.column();
    } else if (leaf instanceof IsNull isNull) {
      return isNull.column();
    } else if (leaf instanceof StartsWith startsWith) {
      return startsWith.column();
    }
    throw new IllegalArgumentException("no leaf: " + leaf);
  }

  /**
   * What can be said with some of the columns alone: true wherever {@code predicate} is, and as
   * seldom elsewhere as can be. Columns are told apart by their field ids.
   */
  public static Predicate onlyOver(RowType columns, Predicate predicate) {
    return weaken(
        predicate,
        (leaf, negated) -> {
          if (columns.indexOfId(column(leaf).id()) < 0) {
            return Predicate.ALWAYS;
          }
          return negated ? new Not(leaf) : leaf;
        });
  }

  /**
   * The condition in terms of a file with other columns (spec chapter 13): true wherever {@code
   * predicate} is true of the row that is made out of the file's row. Columns are found by field id
   * and have the file's name and type, literals too. A column that the file lacks is null; one
   * whose values are cast when they are read is asked for null at most, unless the cast widens
   * integers or the length of texts or bytes.
   *
   * @param file columns of the file, as of the schema it was written with
   */
  public static Predicate inFile(RowType file, Predicate predicate) {
    return weaken(predicate, new FileLeaves(file));
  }

  /**
   * Whether {@link #inFile} says just what {@code predicate} says: the file has each column with
   * the same type, or lacks it.
   */
  public static boolean isSameInFile(RowType file, Predicate predicate) {
    return columns(predicate).stream()
        .allMatch(
            column -> {
              int index = file.indexOfId(column.id());
              return index < 0
                  || file.column(index)
                      .type()
                      .withNullable(true)
                      .equals(column.type().withNullable(true));
            });
  }

  /** Says the same with NOT at leaves only, so that whatever is left out makes it weaker. */
  private static Predicate negationsToLeaves(Predicate predicate) {
    return weaken(predicate, (leaf, negated) -> negated ? new Not(leaf) : leaf);
  }

  /** What shall stand for a leaf. */
  @FunctionalInterface
  interface LeafMapping {
    /** A condition that is true wherever the leaf is or, if negated, wherever the leaf is false. */
    Predicate map(Predicate leaf, boolean negated);
  }

  private static Predicate weaken(Predicate predicate, LeafMapping leaves) {
    return weaken(predicate, false, leaves);
  }

  private static Predicate weaken(Predicate predicate, boolean negated, LeafMapping leaves) {
    if (predicate instanceof Constant constant) {
      return new Constant(constant.value() != negated);
    } else if (predicate instanceof Not not) {
      return weaken(not.part(), !negated, leaves);
    } else if (predicate instanceof And and) {
      List<Predicate> parts = weaken(and.parts(), negated, leaves);
      return negated ? or(parts) : and(parts);
    } else if (predicate instanceof Or or) {
      List<Predicate> parts = weaken(or.parts(), negated, leaves);
      return negated ? and(parts) : or(parts);
    }
    return leaves.map(predicate, negated);
  }

  private static List<Predicate> weaken(
      List<Predicate> parts, boolean negated, LeafMapping leaves) {
    return parts.stream().map(part -> weaken(part, negated, leaves)).toList();
  }

  /**
   * Whether rows with these bounds may fulfil the condition: false only if none does. Where bounds
   * are of an older file, take {@link #inFile} first.
   */
  public static boolean mayMatch(Predicate predicate, Bounds bounds) {
    return bounds.rowCount() != 0 && new BoundsCheck(bounds).mayBeTrue(predicate);
  }

  /**
   * What the condition says of a row; IllegalArgumentException names a column that is not there.
   *
   * @param type of the row; columns are found by their field ids
   */
  public static Truth test(Predicate predicate, InternalRow row, RowType type) {
    if (predicate instanceof Constant constant) {
      return Truth.of(constant.value());
    } else if (predicate instanceof Not not) {
      return test(not.part(), row, type).not();
    } else if (predicate instanceof And and) {
      return first(Truth.FALSE, and.parts(), row, type);
    } else if (predicate instanceof Or or) {
      return first(Truth.TRUE, or.parts(), row, type);
    }
    return testLeaf(predicate, row, type);
  }

  /** The deciding truth if a part has it, else unknown if a part is, else the opposite. */
  private static Truth first(Truth deciding, List<Predicate> parts, InternalRow row, RowType type) {
    Truth truth = deciding.not();
    for (Predicate part : parts) {
      Truth one = test(part, row, type);
      if (one == deciding) {
        return deciding;
      } else if (one == Truth.UNKNOWN) {
        truth = Truth.UNKNOWN;
      }
    }
    return truth;
  }

  private static Truth testLeaf(Predicate leaf, InternalRow row, RowType type) {
    Column column = column(leaf);
    int index = type.indexOfId(column.id());
    if (index < 0) {
      throw new IllegalArgumentException(
          "column '" + column.name() + "' is not there; the columns are " + type.names());
    }
    boolean isNull = row.isNullAt(index);
    if (leaf instanceof IsNull) {
      return Truth.of(isNull);
    } else if (isNull) {
      return Truth.UNKNOWN;
    } else if (leaf instanceof StartsWith startsWith) {
      return Truth.of(row.getUTF8String(index).startsWith(startsWith.prefix()));
    }
    ValueOrder order = ValueOrder.of(column.type());
    Object value = order.get(row, index);
    if (leaf instanceof Compare compare) {
      return Truth.of(holds(compare.comparison(), order.compare(value, compare.literal())));
    }
    return Truth.of(isOneOf(value, (In) leaf, order));
  }

  static boolean isOneOf(Object value, In in, ValueOrder order) {
    for (Object literal : in.literals()) {
      if (order.compare(value, literal) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether a comparison holds of a value that compares to the literal in this way. */
  public static boolean holds(Comparison comparison, int order) {
    return switch (comparison) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }
}
