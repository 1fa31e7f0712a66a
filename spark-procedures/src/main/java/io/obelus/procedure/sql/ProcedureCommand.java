package io.obelus.procedure.sql;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.execution.command.LeafRunnableCommand;
import scala.Enumeration;
import scala.Function1;
import scala.collection.IndexedSeq;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * What a command written in Java has to say for itself that the Scala compiler would say for it.
 *
 * <p>A subclass needs a public constructor whose parameters are its product elements, in order:
 * Spark copies plans through it. Expressions have to stand in one of them as a Scala {@code Seq}:
 * only there does the analyzer see and bind them.
 */
abstract class ProcedureCommand extends LogicalPlan implements LeafRunnableCommand {

  private static final long serialVersionUID = 1;

  private final Seq<Attribute> output;
  private final Object[] elements;
  private Seq<Enumeration.Value> nodePatterns = list(TreePattern.COMMAND());

  ProcedureCommand(Seq<Attribute> output, Object... elements) {
    this.output = output;
    this.elements = elements;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  /** Its columns are made here, though they stand among the elements like what is asked for. */
  @Override
  public AttributeSet producedAttributes() {
    return outputSet();
  }

  @Override
  public int productArity() {
    return elements.length;
  }

  @Override
  public Object productElement(int n) {
    return elements[n];
  }

  @Override
  public boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }

  @Override
  public Seq<LogicalPlan> children() {
    return list();
  }

  @Override
  public LogicalPlan mapChildren(Function1<LogicalPlan, LogicalPlan> function) {
    return this;
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> children) {
    return this;
  }

  @Override
  public Seq<Enumeration.Value> nodePatterns() {
    return nodePatterns;
  }

  @Override
  public void org$apache$spark$sql$catalyst$plans$logical$Command$_setter_$nodePatterns_$eq(
      Seq<Enumeration.Value> patterns) {
    nodePatterns = patterns;
  }

  @SafeVarargs
  static <T> Seq<T> list(T... elements) {
    return JavaConverters.asScalaBuffer(java.util.Arrays.asList(elements)).toList();
  }
}
