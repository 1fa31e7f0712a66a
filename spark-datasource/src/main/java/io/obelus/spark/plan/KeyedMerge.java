package io.obelus.spark.plan;

import io.obelus.spark.read.KeyLookupGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.objects.AssertNotNull;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeRows;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.runtime.AbstractPartialFunction;

/**
 * A MERGE whose ON says what each column of the primary key is equal to, so that the row of the
 * target can be looked up.
 *
 * <pre>
 *   RepartitionByExpression id → task         MergeRows
 *     MergeRows                                 Project    columns as the join had them
 *       Join t.id = s.id              →           Generate lookup by key(s.id)
 *         t                                         Sort s.id
 *         s                                           RepartitionByExpression s.id → task
 *                                                       s
 * </pre>
 *
 * <p>A key has one row at most, so that each row of the source meets one or none. The rows that
 * come out have the keys that went into the lookup: spread by these, they are where the write wants
 * them. Where that is not plain to see, as where rows are inserted under another key, and where
 * rows that the source does not match are asked for, Spark's join stays.
 */
final class KeyedMerge {

  private final RepartitionByExpression spread;
  private final MergeRows merge;
  private final Join join;
  private final ScannedColumns target;
  private final List<String> keyColumns;
  private final Expression[] keys; // of the source, in the order of keyColumns
  private final List<Expression> conditions = new ArrayList<>(); // besides equal keys

  private KeyedMerge(
      RepartitionByExpression spread, MergeRows merge, Join join, ScannedColumns target) {
    this.spread = spread;
    this.merge = merge;
    this.join = join;
    this.target = target;
    keyColumns = List.of(target.scan().primaryKey().fieldNames());
    keys = new Expression[keyColumns.size()];
    conditions.addAll(target.conditions());
    addConditions(join.condition().get());
  }

  /** Empty if the target is no scan of ours, or keys do not tell its rows. */
  static Optional<KeyedMerge> of(RepartitionByExpression spread, MergeRows merge) {
    LogicalPlan below = merge.child() instanceof Project some ? some.child() : merge.child();
    if (!(below instanceof Join join) || !isBySource(join) || join.condition().isEmpty()) {
      return Optional.empty();
    }
    return ScannedColumns.of(join.left())
        .map(target -> new KeyedMerge(spread, merge, join, target))
        .filter(KeyedMerge::isKeyed);
  }

  /** Whether each row that comes out has a row of the source. */
  private static boolean isBySource(Join join) {
    return join.joinType().equals(Inner$.MODULE$) || join.joinType().equals(RightOuter$.MODULE$);
  }

  private void addConditions(Expression condition) {
    if (condition instanceof And and) {
      addConditions(and.left());
      addConditions(and.right());
    } else if (!(condition instanceof EqualTo equality)
        || !(isKey(equality.left(), equality.right())
            || isKey(equality.right(), equality.left()))) {
      conditions.add(target.meaning(condition));
    }
  }

  /** Takes what a column of the key is said to be equal to, the first time that it is. */
  private boolean isKey(Expression column, Expression value) {
    int index = keyColumn(column);
    if (index < 0
        || keys[index] != null
        || !value.references().subsetOf(join.right().outputSet())
        || !value.dataType().equals(column.dataType())) {
      return false;
    }
    keys[index] = value;
    return true;
  }

  /** Which column of the primary key a column of the join is; -1 if it is none. */
  private int keyColumn(Expression expression) {
    return target.meaning(expression) instanceof Attribute column
            && target.columns().contains(column)
        ? keyColumns.indexOf(column.name())
        : -1;
  }

  private boolean isKeyed() {
    return keys.length > 0
        && Stream.concat(Arrays.stream(keys), conditions.stream())
            .allMatch(part -> part != null && part.deterministic())
        && merge.notMatchedBySourceInstructions().isEmpty();
  }

  /** The plan with a lookup in it; empty if it would not be the same. */
  Optional<LogicalPlan> lookedUp() {
    Optional<List<Expression>> bySource = spreadBySource();
    Optional<KeyLookupGenerator> lookup = target.scan().lookup(seq(Arrays.asList(keys)));
    if (bySource.isEmpty() || lookup.isEmpty()) {
      return Optional.empty();
    }
    LogicalPlan source =
        spread.copy(
            seq(bySource.get()),
            join.right(),
            spread.optNumPartitions(),
            spread.optAdvisoryPartitionSize());
    List<SortOrder> order =
        JavaConverters.seqAsJavaList(lookup.get().bestOrder()).stream()
            .map(KeyedMerge::ascending)
            .toList();
    List<Attribute> found = new ArrayList<>(target.columns());
    found.add(target.number());
    LogicalPlan rows =
        new Generate(
            lookup.get(),
            seq(List.of()),
            isOuter(),
            Option.empty(),
            seq(found),
            new Sort(seq(order), false, source));
    return Optional.of(
        onto(merge, merge.child() == join ? joined(rows) : onto(merge.child(), joined(rows))));
  }

  private static LogicalPlan onto(LogicalPlan plan, LogicalPlan child) {
    return (LogicalPlan) plan.withNewChildren(seq(List.of(child)));
  }

  private boolean isOuter() {
    return join.joinType().equals(RightOuter$.MODULE$);
  }

  private static SortOrder ascending(Expression key) {
    return new SortOrder(
        key, Ascending$.MODULE$, Ascending$.MODULE$.defaultNullOrdering(), seq(List.of()));
  }

  /** The columns that the join had. */
  private LogicalPlan joined(LogicalPlan rows) {
    Expression isMatched = conditions.stream().reduce(new IsNotNull(target.number()), And::new);
    LogicalPlan matched = isOuter() || conditions.isEmpty() ? rows : new Filter(isMatched, rows);
    List<NamedExpression> columns = new ArrayList<>();
    for (Attribute column : JavaConverters.seqAsJavaList(join.left().output())) {
      Expression value = target.meaning(column);
      boolean isNull = isOuter() && !(conditions.isEmpty() && value instanceof Attribute);
      columns.add(
          named(
              column,
              isNull ? new If(isMatched, value, new Literal(null, value.dataType())) : value));
    }
    columns.addAll(JavaConverters.seqAsJavaList(join.right().output()));
    return new Project(seq(columns), matched);
  }

  private static Alias named(Attribute column, Expression value) {
    return new Alias(
        value, column.name(), column.exprId(), column.qualifier(), Option.empty(), seq(List.of()));
  }

  /** What the rows are to be spread by, in terms of the source; empty if it is not plain to see. */
  private Optional<List<Expression>> spreadBySource() {
    List<Attribute> outputs = JavaConverters.seqAsJavaList(merge.output());
    List<Expression> bySource = new ArrayList<>();
    for (Expression part : JavaConverters.seqAsJavaList(spread.partitionExpressions())) {
      for (Attribute column : JavaConverters.seqAsJavaList(part.references().toSeq())) {
        if (!keepsKey(outputs.indexOf(column), keyColumns.indexOf(column.name()))) {
          return Optional.empty();
        }
      }
      bySource.add(ofKeys(part));
    }
    return Optional.of(bySource);
  }

  private Expression ofKeys(Expression part) {
    return (Expression)
        part.transformUp(
            new AbstractPartialFunction<Expression, Expression>() {
              @Override
              public boolean isDefinedAt(Expression column) {
                return column instanceof Attribute;
              }

              @Override
              public Expression apply(Expression column) {
                return keys[keyColumns.indexOf(((Attribute) column).name())];
              }
            });
  }

  /** Whether in all rows that come out this column is that column of the key sought. */
  private boolean keepsKey(int output, int key) {
    return output >= 0
        && key >= 0
        && outputs(merge.matchedInstructions())
            .allMatch(row -> keyColumn(row.get(output)) == key || isSame(row.get(output), key))
        && outputs(merge.notMatchedInstructions()).allMatch(row -> isSame(row.get(output), key));
  }

  private static Stream<List<Expression>> outputs(Seq<MergeRows.Instruction> instructions) {
    return JavaConverters.seqAsJavaList(instructions).stream()
        .flatMap(instruction -> JavaConverters.seqAsJavaList(instruction.outputs()).stream())
        .map(JavaConverters::seqAsJavaList);
  }

  private boolean isSame(Expression value, int key) {
    Expression plain = value instanceof AssertNotNull sure ? sure.child() : value;
    return plain.semanticEquals(keys[key])
        || (plain instanceof Cast one
            && keys[key] instanceof Cast other
            && one.dataType().equals(other.dataType())
            && Cast.canUpCast(one.child().dataType(), one.dataType())
            && one.child().semanticEquals(other.child()));
  }

  private static <T> Seq<T> seq(List<? extends T> elements) {
    return JavaConverters.<T>asScalaBuffer(new ArrayList<>(elements)).toList();
  }
}
