package io.obelus.spark.read;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.KeyLookup;
import io.obelus.core.table.scan.KeyedFiles;
import io.obelus.core.table.schema.TableSchema;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Enumeration;
import scala.collection.IndexedSeq;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.collection.TraversableOnce;

/**
 * From a primary key to the row of a scan that has it: that row with its number behind it, or none.
 * To Spark it is a function like {@code explode}, so that it can stand where a join would; it reads
 * what the keys ask for instead of the table.
 *
 * <p>Keys in any order give the same rows; in ascending order they give them fastest. Each task has
 * its own copy.
 */
public final class KeyLookupGenerator extends Expression implements Generator, Serializable {

  private static final long serialVersionUID = 1;

  private final KeyedFiles files;
  private final RowType columns;
  private final BatchSettings batches;
  private final String description;
  private final Seq<Expression> keys;

  private transient Lookup lookup;

  /**
   * @param columns of the table, to return
   * @param description of the scan that it stands for
   * @param keys an expression for each column of the primary key, of its type
   */
  KeyLookupGenerator(
      KeyedFiles files,
      RowType columns,
      BatchSettings batches,
      String description,
      Seq<Expression> keys) {
    this.files = files;
    this.columns = columns;
    this.batches = batches;
    this.description = description;
    this.keys = keys;
  }

  /** What a task has of it. */
  private final class Lookup {
    private final UnsafeProjection key = UnsafeProjection.create(keys);
    private final KeyLookup rows = new KeyLookup(files, columns, batches);
    private final SpecificInternalRow number =
        new SpecificInternalRow(new StructType().add("number", DataTypes.LongType));
    private final JoinedRow row = new JoinedRow(rows.row(), number);
    private final Seq<InternalRow> found = list(List.of(row));
    private final Seq<InternalRow> none = list(List.of());

    Lookup() {
      TaskContext.get()
          .addTaskCompletionListener(
              task -> {
                try {
                  rows.close();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }

    Seq<InternalRow> rowOf(InternalRow input) {
      UnsafeRow sought = key.apply(input);
      try {
        if (sought.anyNull() || !rows.find(sought)) {
          return none;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      number.setLong(0, rows.number());
      return found;
    }
  }

  /**
   * What the keys are to be sorted by, so that they are found fastest: bucket by bucket, ascending.
   *
   * @param tasks that rows of an unpartitioned table are spread over by their buckets
   */
  public Seq<Expression> bestOrder(int tasks) {
    TableSchema schema = files.table().schema();
    List<Expression> order = new ArrayList<>();
    schema.partitionKeys().forEach(name -> order.add(key(name)));
    if (!schema.partitionKeys().isEmpty() || tasks < files.table().options().bucket()) {
      order.add(new ApplyFunctionExpression(new BucketOfKey(files.table()), keys));
    }
    schema.trimmedPrimaryKeys().forEach(name -> order.add(key(name)));
    return list(order);
  }

  private Expression key(String name) {
    return JavaConverters.seqAsJavaList(keys)
        .get(files.table().schema().primaryKeys().indexOf(name));
  }

  @Override
  public StructType elementSchema() {
    return columns.toSpark().add("number", DataTypes.LongType, false);
  }

  @Override
  public TraversableOnce<InternalRow> eval(InternalRow input) {
    if (lookup == null) {
      lookup = new Lookup();
    }
    return lookup.rowOf(input);
  }

  /** It reads files, so that there is nothing to gain from code made for it. */
  @Override
  public boolean supportCodegen() {
    return false;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new UnsupportedOperationException("a lookup by key has no code of its own");
  }

  @Override
  public String toString() {
    return "lookup by key" + keys.mkString("(", ", ", ")") + " in " + description;
  }

  @Override
  public DataType dataType() {
    return DataTypes.createArrayType(elementSchema());
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public Seq<Expression> children() {
    return keys;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new KeyLookupGenerator(files, columns, batches, description, children);
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int n) {
    return keys;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof KeyLookupGenerator;
  }

  @Override
  public Seq<Enumeration.Value> nodePatterns() {
    return list(List.of(TreePattern.GENERATOR()));
  }

  // A Scala class would be given this by its trait.
  @Override
  @SuppressWarnings("checkstyle:MethodName")
  public void org$apache$spark$sql$catalyst$expressions$Generator$_setter_$nodePatterns_$eq(
      Seq<Enumeration.Value> patterns) {}

  private static <T> Seq<T> list(List<T> elements) {
    return JavaConverters.asScalaBuffer(elements).toList();
  }
}
