package io.obelus.spark.read;

import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.expression.SparkPredicates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Divides the conditions of a scan: those that Spark need not check again, and the others. A count
 * needs no data page then.
 *
 * <p>What is about partition columns alone is settled by the plan. The reader answers equality and
 * IN on columns with a bitmap index. Ranges and {@code <>} are left to Spark, although bitmaps
 * answer them too: they are true of many rows, and dropping a row from a batch costs more than
 * Spark's test.
 */
record RequiredConditions(
    Predicate required, org.apache.spark.sql.connector.expressions.filter.Predicate[] others) {

  static RequiredConditions of(
      Table table, org.apache.spark.sql.connector.expressions.filter.Predicate[] predicates) {
    Set<String> indexed = indexed(table);
    List<Predicate> required = new ArrayList<>();
    List<org.apache.spark.sql.connector.expressions.filter.Predicate> others = new ArrayList<>();
    List<org.apache.spark.sql.connector.expressions.filter.Predicate> notNulls = new ArrayList<>();
    for (var predicate : predicates) {
      Optional<Predicate> exact = SparkPredicates.exact(predicate, table.schema().rowType());
      if (exact.isPresent() && isOfPartition(exact.get(), table.schema())) {
        continue; // the plan has the partitions in which it is true of all rows
      } else if (exact.isPresent() && isEquality(exact.get(), indexed)) {
        required.add(exact.get());
      } else if (exact.isPresent() && isNotNull(exact.get())) {
        notNulls.add(predicate);
      } else {
        others.add(predicate);
      }
    }
    Set<Column> asked = Predicates.columns(Predicates.and(required));
    for (var predicate : notNulls) {
      Predicate exact = SparkPredicates.exact(predicate, table.schema().rowType()).orElseThrow();
      if (asked.containsAll(Predicates.columns(exact))) {
        required.add(exact); // Spark adds it to each equality
      } else {
        others.add(predicate);
      }
    }
    return new RequiredConditions(
        Predicates.and(required),
        others.toArray(org.apache.spark.sql.connector.expressions.filter.Predicate[]::new));
  }

  private static boolean isOfPartition(Predicate predicate, TableSchema schema) {
    Set<Column> asked = Predicates.columns(predicate);
    return !asked.isEmpty()
        && asked.stream().allMatch(column -> schema.partitionKeys().contains(column.name()));
  }

  /** Names of columns with a bitmap index; partition values are not those of the files. */
  private static Set<String> indexed(Table table) {
    TableSchema schema = table.schema();
    Set<String> names = new HashSet<>();
    if (table.options().readsFileIndexes()) {
      names.addAll(table.options().indexedColumns("bitmap"));
      names.removeAll(schema.partitionKeys());
    }
    return names;
  }

  private static boolean isEquality(Predicate predicate, Set<String> indexed) {
    if (predicate instanceof Predicate.And and) {
      return and.parts().stream().allMatch(part -> isEquality(part, indexed));
    } else if (predicate instanceof Predicate.Or or) {
      return or.parts().stream().allMatch(part -> isEquality(part, indexed));
    } else if (predicate instanceof Predicate.Compare compare) {
      return compare.comparison() == Predicate.Comparison.EQUAL
          && indexed.contains(compare.column().name());
    }
    return predicate instanceof Predicate.In in && indexed.contains(in.column().name());
  }

  private static boolean isNotNull(Predicate predicate) {
    return predicate instanceof Predicate.Not not && not.part() instanceof Predicate.IsNull;
  }
}
