package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.predicate.PredicateBuilder;

/** Our conditions in the terms of Apache Paimon. */
public final class PaimonPredicates {

  private PaimonPredicates() {}

  /**
   * The same condition over a row of {@code type}; empty if Paimon has no words for it: constants,
   * empty lists, NOT of a prefix.
   */
  public static Optional<org.apache.paimon.predicate.Predicate> of(
      Predicate condition, RowType type) {
    return Optional.ofNullable(
        of(condition, false, type, new PredicateBuilder(PaimonRows.type(type))));
  }

  private static org.apache.paimon.predicate.Predicate of(
      Predicate condition, boolean negated, RowType type, PredicateBuilder builder) {
    if (condition instanceof Predicate.Not not) {
      return of(not.part(), !negated, type, builder);
    } else if (condition instanceof Predicate.And and) {
      return joined(and.parts(), !negated, negated, type, builder);
    } else if (condition instanceof Predicate.Or or) {
      return joined(or.parts(), negated, negated, type, builder);
    } else if (condition instanceof Predicate.Constant) {
      return null;
    }
    return leaf(condition, negated, type, builder);
  }

  private static org.apache.paimon.predicate.Predicate joined(
      List<Predicate> parts, boolean all, boolean negated, RowType type, PredicateBuilder builder) {
    var joined = parts.stream().map(part -> of(part, negated, type, builder)).toList();
    if (joined.isEmpty() || joined.contains(null)) {
      return null;
    }
    return all ? PredicateBuilder.and(joined) : PredicateBuilder.or(joined);
  }

  private static org.apache.paimon.predicate.Predicate leaf(
      Predicate leaf, boolean negated, RowType type, PredicateBuilder builder) {
    Column column = Predicates.column(leaf);
    int index = type.indexOf(column.name());
    if (leaf instanceof Predicate.IsNull) {
      return negated ? builder.isNotNull(index) : builder.isNull(index);
    } else if (leaf instanceof Predicate.StartsWith startsWith) {
      Object prefix = PaimonRows.value(startsWith.prefix(), column.type());
      return negated ? null : builder.startsWith(index, prefix);
    } else if (leaf instanceof Predicate.In in) {
      List<Object> literals =
          in.literals().stream().map(value -> PaimonRows.value(value, column.type())).toList();
      return literals.isEmpty()
          ? null
          : negated ? builder.notIn(index, literals) : builder.in(index, literals);
    }
    Predicate.Compare compare = (Predicate.Compare) leaf;
    Object literal = PaimonRows.value(compare.literal(), column.type());
    return switch (negated ? opposite(compare.comparison()) : compare.comparison()) {
      case EQUAL -> builder.equal(index, literal);
      case NOT_EQUAL -> builder.notEqual(index, literal);
      case LESS -> builder.lessThan(index, literal);
      case LESS_OR_EQUAL -> builder.lessOrEqual(index, literal);
      case GREATER -> builder.greaterThan(index, literal);
      case GREATER_OR_EQUAL -> builder.greaterOrEqual(index, literal);
    };
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
}
