package io.obelus.core.file.index.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.Positions;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.fileindex.FileIndexReader;
import org.apache.paimon.fileindex.FileIndexResult;
import org.apache.paimon.fileindex.FileIndexWriter;
import org.apache.paimon.fileindex.FileIndexer;
import org.apache.paimon.fileindex.bitmap.BitmapIndexResult;
import org.apache.paimon.fs.ByteArraySeekableStream;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Indexes as Paimon 1.3.1 writes and reads them. */
public final class PaimonIndexes {

  private PaimonIndexes() {}

  private static DataType type(ColumnType type) {
    return DataTypeJsonParser.parseAtomicTypeSQLString(ColumnTypes.print(type));
  }

  private static FileIndexer indexer(String kind, ColumnType type, Map<String, String> options) {
    return FileIndexer.create(kind, type(type), Options.fromMap(options));
  }

  /** The index of these values, which are Spark's. */
  public static byte[] write(
      String kind, ColumnType type, Map<String, String> options, List<Object> values) {
    FileIndexWriter writer = indexer(kind, type, options).createWriter();
    values.forEach(value -> writer.write(internal(value, type)));
    return writer.serializedBytes();
  }

  private static Object internal(Object value, ColumnType type) {
    if (value instanceof UTF8String text) {
      return BinaryString.fromBytes(text.getBytes());
    } else if (value instanceof Decimal decimal) {
      return org.apache.paimon.data.Decimal.fromBigDecimal(
          decimal.toJavaBigDecimal(), decimal.precision(), decimal.scale());
    } else if (value instanceof Long micros && isTime((ColumnType.Scalar) type)) {
      return Timestamp.fromMicros(micros);
    }
    return value;
  }

  private static boolean isTime(ColumnType.Scalar type) {
    return switch (type.kind()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> true;
      default -> false;
    };
  }

  /** The rows that Paimon finds for a leaf in an index; null if it cannot tell. */
  public static Positions rows(String kind, Column column, byte[] index, Predicate leaf) {
    FileIndexReader reader =
        indexer(kind, column.type(), Map.of())
            .createReader(new ByteArraySeekableStream(index), 0, index.length);
    FieldRef field = new FieldRef(0, column.name(), type(column.type()));
    FileIndexResult result = result(reader, field, leaf);
    if (result == FileIndexResult.REMAIN) {
      return null;
    }
    Positions rows = new Positions();
    if (result != FileIndexResult.SKIP) {
      assertThat(result).isInstanceOf(BitmapIndexResult.class);
      ((BitmapIndexResult) result).get().iterator().forEachRemaining(rows::add);
    }
    return rows;
  }

  private static FileIndexResult result(FileIndexReader reader, FieldRef field, Predicate leaf) {
    if (leaf instanceof IsNull isNull) {
      return reader.visitIsNull(field);
    } else if (leaf instanceof In in) {
      List<Object> literals = new ArrayList<>();
      in.literals().forEach(value -> literals.add(internal(value, in.column().type())));
      return literals.isEmpty() ? FileIndexResult.SKIP : reader.visitIn(field, literals);
    } else if (leaf instanceof Compare compare) {
      Object literal = internal(compare.literal(), compare.column().type());
      return switch (compare.comparison()) {
        case EQUAL -> reader.visitEqual(field, literal);
        case NOT_EQUAL -> reader.visitNotEqual(field, literal);
        case LESS -> reader.visitLessThan(field, literal);
        case LESS_OR_EQUAL -> reader.visitLessOrEqual(field, literal);
        case GREATER -> reader.visitGreaterThan(field, literal);
        case GREATER_OR_EQUAL -> reader.visitGreaterOrEqual(field, literal);
      };
    }
    return FileIndexResult.REMAIN;
  }
}
