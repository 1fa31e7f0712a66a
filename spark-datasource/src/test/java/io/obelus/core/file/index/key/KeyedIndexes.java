package io.obelus.core.file.index.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.testing.GoldenIndexes.GoldenIndex;
import io.obelus.testing.GoldenIndexes.Query;
import io.obelus.testing.GoldenIndexes.Result;
import io.obelus.testing.RandomPredicates;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Columns, conditions and plain answers for the tests of indexes that have keys. */
public final class KeyedIndexes {

  public static final Place START = new Place("data-1.parquet.index", 100);

  private KeyedIndexes() {}

  /** The index of these values. */
  public static byte[] write(
      IndexKind kind, ColumnType type, Map<String, String> options, List<Object> values) {
    IndexWriter writer = kind.writer(type, new IndexOptions("file-index.x.c.", options));
    for (Object value : values) {
      if (value == null && values.size() % 2 == 0) {
        writer.addNull();
      } else {
        writer.add(new GenericInternalRow(new Object[] {value}), 0);
      }
    }
    assertThat(writer.memory()).isPositive();
    return writer.finish();
  }

  public static Payload payload(byte[] bytes) {
    return Payload.of(ByteBuffer.wrap(bytes), START);
  }

  /** The payload that notes how many bytes each read asks for; of a remote file. */
  public static Payload recording(byte[] bytes, List<Integer> reads) {
    return recording(bytes, reads, SeekableInput.REMOTE_GAP);
  }

  /** As the other form, of a file on a storage with this gap. */
  public static Payload recording(byte[] bytes, List<Integer> reads, int gap) {
    Payload payload = payload(bytes);
    return new Payload() {
      @Override
      public int length() {
        return payload.length();
      }

      @Override
      public int gap() {
        return gap;
      }

      @Override
      public Place place(int at) {
        return payload.place(at);
      }

      @Override
      public ByteBuffer read(int from, int length) throws IOException {
        reads.add(length);
        return payload.read(from, length);
      }
    };
  }

  /** Checks all answers that Paimon's own index of the vector gives, with ours. */
  public static void checkQueries(GoldenIndex golden, IndexReader reader) throws IOException {
    for (Query query : golden.queries()) {
      if (query.leaf() == null) {
        continue;
      }
      Candidates answer = reader.evaluate(query.leaf(), query.negated());
      String what = golden + ": " + query.op() + " " + query.leaf();
      if (query.sqlRows() == null) { // the reference says nothing, we may
        assertThat(query.result()).isEqualTo(Result.REMAIN);
        checkAgainstRows(answer, golden.column(), golden.values(), query.leaf(), query.negated());
      } else if (answer.isAny()) {
        assertThat(golden.name()).as(what).isEqualTo("bitmap-v2-timestamp9");
        assertThat(query.lossy()).as(what).isTrue();
      } else if (answer.isExact()) {
        assertThat(answer.positions()).as(what).isEqualTo(query.sqlRows());
      } else {
        assertThat(golden.name()).as(what).isEqualTo("bitmap-v2-timestamp9");
        assertThat(isWithin(query.sqlRows(), answer.positions())).as(what).isTrue();
        assertThat(isWithin(answer.positions(), query.rows())).as(what).isTrue();
      }
    }
  }

  private static boolean isWithin(Positions some, Positions all) {
    Positions either = all.copy();
    either.addAll(some);
    return either.equals(all);
  }

  /** Checks that an answer loses no row, and that it is right if it says that it is exact. */
  public static void checkAgainstRows(
      Candidates answer, Column column, List<Object> values, Predicate leaf, boolean negated) {
    if (answer.isAny()) {
      return;
    }
    String what = (negated ? "not " : "") + leaf;
    Positions expected = matching(column, values, leaf, negated);
    if (answer.isExact()) {
      assertThat(answer.positions()).as(what).isEqualTo(expected);
    } else {
      assertThat(isWithin(expected, answer.positions())).as(what).isTrue();
    }
  }

  /** The rows of which the condition is true, by a look at each. */
  public static Positions matching(
      Column column, List<Object> values, Predicate leaf, boolean negated) {
    Predicate condition = negated ? Predicates.not(leaf) : leaf;
    RowType type = new RowType(List.of(column));
    Positions matching = new Positions();
    for (int row = 0; row < values.size(); row++) {
      GenericInternalRow one = new GenericInternalRow(new Object[] {values.get(row)});
      if (Predicates.test(condition, one, type) == Truth.TRUE) {
        matching.add(row);
      }
    }
    return matching;
  }

  /** A number of rows, often at the edges of a Roaring container. */
  public static int rowCount(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(3);
      case 1 -> 65_535 + random.nextInt(3);
      case 2 -> 65_536 + random.nextInt(70_000);
      default -> random.nextInt(3000);
    };
  }

  /** A column in which values come more or less often, in runs or not, with nulls or not. */
  public static List<Object> values(Random random, ColumnType type, int rowCount) {
    List<Object> pool = new ArrayList<>();
    for (int i = 1 + random.nextInt(random.nextBoolean() ? 8 : 3000); i > 0; i--) {
      pool.add(value(random, type));
    }
    int nullEvery = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(20);
    int longest = 1 + random.nextInt(random.nextBoolean() ? 1 : 500);
    List<Object> values = new ArrayList<>();
    while (values.size() < rowCount) {
      boolean isNull = random.nextInt(nullEvery) == 0;
      Object value = isNull ? null : pool.get(random.nextInt(pool.size()));
      for (int i = 1 + random.nextInt(longest); i > 0 && values.size() < rowCount; i--) {
        values.add(value);
      }
    }
    return values;
  }

  /** As many BIGINTs or STRINGs that differ, in no order. */
  public static List<Object> manyDistinct(ColumnType type, int count) {
    boolean text = type.equals(ColumnType.string());
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long number = i * 0x9E3779B97F4A7C15L; // odd: differs for every i
      values.add(text ? UTF8String.fromString(Long.toString(number, 36)) : (Object) number);
    }
    return values;
  }

  /** A value, one of few or any. */
  public static Object value(Random random, ColumnType type) {
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    if (random.nextInt(3) == 0) {
      return RandomPredicates.value(random, type);
    }
    return switch (scalar.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case INT -> random.nextInt();
      case DATE -> random.nextInt(40_000) - 20_000;
      case TIME -> random.nextInt(86_400_000);
      case BIGINT -> random.nextLong();
      case FLOAT -> Float.intBitsToFloat(random.nextInt());
      case DOUBLE -> Double.longBitsToDouble(random.nextLong());
      case DECIMAL ->
          Decimal.apply(
              BigDecimal.valueOf(random.nextInt(), scalar.scale()),
              scalar.precision(),
              scalar.scale());
      case CHAR, VARCHAR -> UTF8String.fromString(text(random));
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = random.nextLong() % 4_000_000_000_000_000L;
        yield scalar.precision() <= 3 ? Math.floorDiv(micros, 1000L) * 1000 : micros;
      }
      default -> throw new IllegalArgumentException("no keys: " + type);
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(
          switch (random.nextInt(5)) {
            case 0 -> 0x80 + random.nextInt(0x700);
            case 1 -> 0x10000 + random.nextInt(0x10000);
            case 2 -> 0xE000 + random.nextInt(0x1000);
            default -> random.nextInt(128);
          });
    }
    return text.toString();
  }

  /** A condition, often on values that are there. */
  public static Predicate leaf(Random random, Column column, List<Object> values) {
    Comparison[] comparisons = Comparison.values();
    switch (random.nextInt(8)) {
      case 0:
        return new Predicate.IsNull(column);
      case 1, 2:
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(random.nextBoolean() ? 4 : 40); i > 0; i--) {
          list.add(literal(random, column, values));
        }
        return new Predicate.In(column, list);
      case 3:
        if (literal(random, column, values) instanceof UTF8String text) {
          int end = text.numChars() == 0 ? 0 : random.nextInt(text.numChars());
          return new Predicate.StartsWith(column, text.substring(0, end));
        }
      // fall through: no text
      default:
        return new Compare(
            column,
            comparisons[random.nextInt(comparisons.length)],
            literal(random, column, values));
    }
  }

  private static Object literal(Random random, Column column, List<Object> values) {
    Object there = values.isEmpty() ? null : values.get(random.nextInt(values.size()));
    if (there == null || random.nextInt(4) == 0) {
      return value(random, column.type());
    }
    return there;
  }

  /** Opens an index and asks it things. */
  @FunctionalInterface
  public interface Reading {
    void read(Payload payload) throws IOException;
  }

  /** Checks that damaged bytes are read or refused, whichever bit is flipped or byte missing. */
  public static void checkDamaged(byte[] bytes, Reading reading) throws IOException {
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      tryReading(damaged, "bit " + bit + " flipped", reading);
    }
    for (int length = 0; length < bytes.length; length++) {
      tryReading(Arrays.copyOf(bytes, length), "cut to " + length, reading);
    }
  }

  private static void tryReading(byte[] damaged, String what, Reading reading) throws IOException {
    try {
      reading.read(payload(damaged));
    } catch (CorruptFileException | UnknownVersionException refused) {
      assertThat(refused).as(what).hasMessageStartingWith("data-1.parquet.index at byte ");
    } catch (RuntimeException | OutOfMemoryError other) {
      throw new AssertionError(what + ": " + other, other);
    }
  }
}
