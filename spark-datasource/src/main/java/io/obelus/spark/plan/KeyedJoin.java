package io.obelus.spark.plan;

import io.obelus.spark.read.KeyLookupGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.objects.AssertNotNull;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * A join of a source with a scan of ours whose condition says what each column of the primary key
 * is equal to. A key has one row at most, so that each row of the source meets one or none, and
 * that row can be looked up:
 *
 * <pre>
 *   Join t.id = s.id          Project    columns as the join had them
 *     t               →         Generate lookup by key(s.id)
 *     s                           Sort s.id
 *                                   s
 * </pre>
 *
 * <p>Of the joins it takes those in which each row that comes out has one of the source, as MERGE
 * makes them: rows that match ({@code Inner}), all of the source ({@code RightOuter}), or those
 * that match none ({@code LeftAnti}).
 */
final class KeyedJoin {

  private final JoinType type;
  private final LogicalPlan source;
  private final List<Attribute> targetOutput;
  private final ScannedColumns target;
  private final List<String> keyColumns;
  private final Expression[] keys; // of the source, in the order of keyColumns
  private final List<Expression> conditions = new ArrayList<>(); // besides equal keys

  private KeyedJoin(Join join, LogicalPlan source, LogicalPlan target, ScannedColumns columns) {
    this.type = join.joinType();
    this.source = source;
    this.targetOutput = isAnti(join) ? List.of() : list(target.output());
    this.target = columns;
    keyColumns = List.of(columns.scan().primaryKey().fieldNames());
    keys = new Expression[keyColumns.size()];
    conditions.addAll(columns.conditions());
    addConditions(join.condition().get());
  }

  /** Empty if there is no scan of ours where it would have to be, or keys do not tell its rows. */
  static Optional<KeyedJoin> of(Join join) {
    JoinType type = join.joinType();
    boolean bySource =
        type.equals(Inner$.MODULE$) || type.equals(RightOuter$.MODULE$) || isAnti(join);
    if (!bySource || join.condition().isEmpty()) {
      return Optional.empty();
    }
    LogicalPlan source = isAnti(join) ? join.left() : join.right();
    LogicalPlan target = isAnti(join) ? join.right() : join.left();
    return ScannedColumns.of(target)
        .map(columns -> new KeyedJoin(join, source, target, columns))
        .filter(KeyedJoin::isKeyed);
  }

  /** Whether a join leaves the rows of the source that match none. */
  static boolean isAnti(Join join) {
    return join.joinType().equals(LeftAnti$.MODULE$);
  }

  private void addConditions(Expression condition) {
    if (condition instanceof And and) {
      addConditions(and.left());
      addConditions(and.right());
    } else if (!(condition instanceof EqualTo equality)
        || !(takes(equality.left(), equality.right())
            || takes(equality.right(), equality.left()))) {
      conditions.add(target.meaning(condition));
    }
  }

  /** Takes what a column of the key is said to be equal to, the first time that it is. */
  private boolean takes(Expression column, Expression value) {
    int key = keyColumn(column);
    if (key < 0
        || keys[key] != null
        || !value.references().subsetOf(source.outputSet())
        || !value.dataType().equals(column.dataType())) {
      return false;
    }
    keys[key] = value;
    return true;
  }

  private int keyColumn(Expression expression) {
    return target.meaning(expression) instanceof Attribute column
            && target.columns().contains(column)
        ? keyColumns.indexOf(column.name())
        : -1;
  }

  private boolean isKeyed() {
    return keys.length > 0
        && Stream.concat(Arrays.stream(keys), conditions.stream())
            .allMatch(part -> part != null && part.deterministic());
  }

  /** What is looked up as a column of the primary key; empty if the column is none. */
  Optional<Expression> key(String column) {
    int key = keyColumns.indexOf(column);
    return key < 0 ? Optional.empty() : Optional.of(keys[key]);
  }

  /** Whether an expression over the join's columns is that column of the key looked up. */
  boolean isKey(Expression value, String column) {
    int key = keyColumns.indexOf(column);
    Expression plain = value instanceof AssertNotNull sure ? sure.child() : value;
    return keyColumn(plain) == key
        || plain.semanticEquals(keys[key])
        || (plain instanceof Cast one && keys[key] instanceof Cast other && isSame(one, other));
  }

  /** Casts to a wider type give the same in each of Spark's modes. */
  private static boolean isSame(Cast one, Cast other) {
    return one.dataType().equals(other.dataType())
        && Cast.canUpCast(one.child().dataType(), one.dataType())
        && one.child().semanticEquals(other.child());
  }

  /**
   * The rows and columns of the join, by lookup; empty if keys do not lead to places.
   *
   * @param spread what becomes of the source before it is sorted
   */
  Optional<LogicalPlan> lookedUp(Function<LogicalPlan, RepartitionByExpression> spread) {
    return target
        .scan()
        .lookup(seq(Arrays.asList(keys)))
        .map(lookup -> joined(found(lookup, spread.apply(source))));
  }

  private LogicalPlan found(KeyLookupGenerator lookup, RepartitionByExpression rows) {
    List<NamedExpression> order =
        list(lookup.bestOrder(rows.numPartitions())).stream().map(KeyedJoin::named).toList();
    List<NamedExpression> added = order.stream().filter(Alias.class::isInstance).toList();
    List<NamedExpression> columns = new ArrayList<>(list(source.output()));
    columns.addAll(added);
    List<Attribute> found = new ArrayList<>(target.columns());
    found.add(target.number());
    boolean keepsOthers = !type.equals(Inner$.MODULE$);
    return new Generate(
        lookup,
        seq(IntStream.range(source.output().size(), columns.size()).boxed().toList()),
        keepsOthers,
        Option.empty(),
        seq(found),
        new Sort(
            seq(order.stream().map(KeyedJoin::ascending).toList()),
            false,
            added.isEmpty() ? rows : new Project(seq(columns), rows)));
  }

  /** A column to sort by; sorting would work an expression out at each comparison. */
  private static NamedExpression named(Expression by) {
    return by instanceof Attribute column
        ? column
        : alias(by, "order", NamedExpression.newExprId());
  }

  private static SortOrder ascending(NamedExpression key) {
    return new SortOrder(
        key.toAttribute(),
        Ascending$.MODULE$,
        Ascending$.MODULE$.defaultNullOrdering(),
        seq(List.of()));
  }

  private LogicalPlan joined(LogicalPlan found) {
    Expression isMatched = conditions.stream().reduce(new IsNotNull(target.number()), And::new);
    List<NamedExpression> columns = new ArrayList<>();
    for (Attribute column : targetOutput) {
      columns.add(named(column, isMatched));
    }
    columns.addAll(list(source.output()));
    return new Project(seq(columns), filtered(found, isMatched));
  }

  private LogicalPlan filtered(LogicalPlan found, Expression isMatched) {
    if (type.equals(RightOuter$.MODULE$)) {
      return found;
    }
    return new Filter(
        type.equals(Inner$.MODULE$)
            ? isMatched
            : new Not(new EqualNullSafe(isMatched, Literal.TrueLiteral())),
        found);
  }

  /** A column of the target, which is NULL in rows that the join fills up. */
  private Alias named(Attribute column, Expression isMatched) {
    Expression value = target.meaning(column);
    boolean isNull =
        type.equals(RightOuter$.MODULE$)
            && !(conditions.isEmpty() && value instanceof Attribute); // NULL as it comes
    return alias(
        isNull ? new If(isMatched, value, new Literal(null, value.dataType())) : value,
        column.name(),
        column.exprId());
  }

  private static Alias alias(Expression value, String name, ExprId id) {
    return new Alias(value, name, id, seq(List.of()), Option.empty(), seq(List.of()));
  }

  private static <T> List<T> list(Seq<T> elements) {
    return JavaConverters.seqAsJavaList(elements);
  }

  private static <T> Seq<T> seq(List<? extends T> elements) {
    return JavaConverters.<T>asScalaBuffer(new ArrayList<>(elements)).toList();
  }
}
