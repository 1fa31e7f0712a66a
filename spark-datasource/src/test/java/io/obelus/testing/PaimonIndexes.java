package io.obelus.testing;

import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import java.util.List;
import java.util.Map;
import org.apache.paimon.fileindex.FileIndexReader;
import org.apache.paimon.fileindex.FileIndexResult;
import org.apache.paimon.fileindex.FileIndexWriter;
import org.apache.paimon.fileindex.FileIndexer;
import org.apache.paimon.fileindex.bitmap.BitmapIndexResult;
import org.apache.paimon.fs.ByteArraySeekableStream;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.types.DataType;

/**
 * File indexes of one column written and asked by Paimon's own classes, in our terms: values and
 * literals are Spark's.
 */
public final class PaimonIndexes {

  private PaimonIndexes() {}

  /**
   * The payload that Paimon writes.
   *
   * @param kind of index, such as {@code bloom-filter}
   * @param values one a row, null or Spark's value of the type
   */
  public static byte[] write(
      String kind, ColumnType type, Map<String, String> options, List<Object> values) {
    FileIndexWriter writer = indexer(kind, type, options).createWriter();
    values.forEach(value -> writer.writeRecord(paimon(value, type)));
    return writer.serializedBytes();
  }

  /**
   * What Paimon says of a leaf or, if negated, of its opposite; rows are never said to be exact.
   */
  public static Candidates ask(String kind, byte[] payload, Predicate leaf, boolean negated) {
    Column column = Predicates.column(leaf);
    FieldRef field = new FieldRef(0, column.name(), dataType(column.type()));
    FileIndexReader reader =
        indexer(kind, column.type(), Map.of())
            .createReader(new ByteArraySeekableStream(payload), 0, payload.length);
    return candidates(ask(reader, field, leaf, negated));
  }

  private static FileIndexResult ask(
      FileIndexReader reader, FieldRef field, Predicate leaf, boolean negated) {
    if (leaf instanceof Predicate.IsNull) {
      return negated ? reader.visitIsNotNull(field) : reader.visitIsNull(field);
    } else if (leaf instanceof Predicate.In in) {
      List<Object> literals =
          in.literals().stream().map(value -> paimon(value, in.column().type())).toList();
      return negated ? reader.visitNotIn(field, literals) : reader.visitIn(field, literals);
    } else if (leaf instanceof Predicate.StartsWith startsWith && !negated) {
      return reader.visitStartsWith(field, paimon(startsWith.prefix(), startsWith.column().type()));
    } else if (leaf instanceof Predicate.Compare compare) {
      Object literal = paimon(compare.literal(), compare.column().type());
      return switch (compare.comparison()) {
        case EQUAL ->
            negated ? reader.visitNotEqual(field, literal) : reader.visitEqual(field, literal);
        case NOT_EQUAL ->
            negated ? reader.visitEqual(field, literal) : reader.visitNotEqual(field, literal);
        case LESS ->
            negated
                ? reader.visitGreaterOrEqual(field, literal)
                : reader.visitLessThan(field, literal);
        case LESS_OR_EQUAL ->
            negated
                ? reader.visitGreaterThan(field, literal)
                : reader.visitLessOrEqual(field, literal);
        case GREATER ->
            negated
                ? reader.visitLessOrEqual(field, literal)
                : reader.visitGreaterThan(field, literal);
        case GREATER_OR_EQUAL ->
            negated
                ? reader.visitLessThan(field, literal)
                : reader.visitGreaterOrEqual(field, literal);
      };
    }
    return FileIndexResult.REMAIN;
  }

  private static Candidates candidates(FileIndexResult result) {
    if (result instanceof BitmapIndexResult bitmap) {
      Positions positions = new Positions();
      bitmap.get().iterator().forEachRemaining(positions::add);
      return Candidates.atMost(positions);
    }
    return result.remain() ? Candidates.any() : Candidates.none();
  }

  private static FileIndexer indexer(String kind, ColumnType type, Map<String, String> options) {
    return FileIndexer.create(kind, dataType(type), new Options(options));
  }

  private static Object paimon(Object value, ColumnType type) {
    return PaimonValues.internal(PlainValues.of(value, type), dataType(type));
  }

  private static DataType dataType(ColumnType type) {
    return PaimonRows.type(type);
  }
}
