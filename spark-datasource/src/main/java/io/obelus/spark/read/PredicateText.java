package io.obelus.spark.read;

import io.obelus.core.row.Predicate;
import java.util.List;
import java.util.stream.Collectors;

/** A condition in words for EXPLAIN: {@code id = 5 AND NOT c IS NULL}. Long lists are cut. */
final class PredicateText {

  private static final int MOST_LITERALS = 5;

  private PredicateText() {}

  static String of(Predicate predicate) {
    if (predicate instanceof Predicate.Constant constant) {
      return constant.value() ? "TRUE" : "FALSE";
    } else if (predicate instanceof Predicate.Compare compare) {
      return compare.column().name() + sign(compare.comparison()) + literal(compare.literal());
    } else if (predicate instanceof Predicate.In in) {
      return in.column().name() + " IN " + literals(in.literals());
    } else if (predicate instanceof Predicate.IsNull isNull) {
      return isNull.column().name() + " IS NULL";
    } else if (predicate instanceof Predicate.StartsWith starts) {
      return starts.column().name() + " STARTS WITH " + starts.prefix();
    } else if (predicate instanceof Predicate.And and) {
      return joined(and.parts(), " AND ");
    } else if (predicate instanceof Predicate.Or or) {
      return joined(or.parts(), " OR ");
    } else if (predicate instanceof Predicate.Not not) {
      return "NOT " + of(not.part());
    }
    throw new IllegalStateException("a predicate of an unknown kind: " + predicate);
  }

  private static String joined(List<Predicate> parts, String word) {
    String text = parts.stream().map(PredicateText::of).collect(Collectors.joining(word));
    return parts.size() == 1 ? text : "(" + text + ")";
  }

  private static String sign(Predicate.Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> " = ";
      case NOT_EQUAL -> " <> ";
      case LESS -> " < ";
      case LESS_OR_EQUAL -> " <= ";
      case GREATER -> " > ";
      case GREATER_OR_EQUAL -> " >= ";
    };
  }

  private static String literals(List<Object> literals) {
    String some =
        literals.stream()
            .limit(MOST_LITERALS)
            .map(PredicateText::literal)
            .collect(Collectors.joining(", "));
    return literals.size() <= MOST_LITERALS
        ? "(" + some + ")"
        : "(" + some + ", … " + literals.size() + " values)";
  }

  private static String literal(Object value) {
    return value instanceof byte[] bytes ? bytes.length + " bytes" : value.toString();
  }
}
