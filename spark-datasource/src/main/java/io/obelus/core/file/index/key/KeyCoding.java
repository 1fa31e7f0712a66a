package io.obelus.core.file.index.key;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.StartsWith;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * How the values of one type become the keys of a dictionary, and which keys a condition asks for
 * (spec chapter 21).
 *
 * <pre>
 *   text                      | int BE size | UTF-8 |
 *   BOOLEAN                   1 byte, 0 or 1
 *   TINYINT to BIGINT         1, 2, 4 or 8 bytes BE
 *   DATE                      int BE, days
 *   TIME                      int BE, milliseconds
 *   FLOAT, DOUBLE             IEEE bits, 4 or 8 bytes BE
 *   TIMESTAMP, TIMESTAMP_LTZ  long BE: milliseconds up to precision 3, else microseconds
 *   DECIMAL                   long BE, unscaled, up to precision 18
 * </pre>
 *
 * <p>Keys ascend by value, text by unsigned bytes; {@code -0.0} is a key of its own just below
 * {@code 0.0}, NaN is one key above all. Thread-safe, without state.
 *
 * @param <K> what a key is in memory; its natural order is that of the keys
 */
public abstract sealed class KeyCoding<K extends Comparable<K>> permits NumberKeys, TextKeys {

  private static final int MAX_LONG_DECIMAL = 18;

  /** Whether values of the type have keys. */
  public static boolean supports(ColumnType type) {
    return type instanceof Scalar scalar
        && switch (scalar.kind()) {
          case BOOLEAN,
              TINYINT,
              SMALLINT,
              INT,
              BIGINT,
              FLOAT,
              DOUBLE,
              CHAR,
              VARCHAR,
              DATE,
              TIME,
              TIMESTAMP,
              TIMESTAMP_LTZ ->
              true;
          case DECIMAL -> scalar.precision() <= MAX_LONG_DECIMAL;
          case BINARY, VARBINARY, VARIANT -> false;
        };
  }

  /** The keys of a type that has some. */
  public static KeyCoding<?> of(ColumnType type) {
    if (!supports(type)) {
      throw new IllegalArgumentException("values of type " + type + " have no keys");
    }
    Scalar scalar = (Scalar) type;
    return scalar.kind() == Kind.CHAR || scalar.kind() == Kind.VARCHAR
        ? new TextKeys()
        : new NumberKeys(scalar);
  }

  /** Bytes of every key; 0 if keys are texts, whose sizes differ. */
  public abstract int fixedSize();

  /** Bytes of the smallest key. */
  public final int leastSize() {
    return fixedSize() == 0 ? Integer.BYTES : fixedSize();
  }

  /**
   * Whether a key stands for one value; false where keys have lost digits, which is so for time
   * stamps with nanoseconds.
   */
  public abstract boolean isExact();

  /** Reads one key. */
  public abstract K read(KeyInput in, String what) throws IOException;

  /** The value of a key, as Spark keeps it; of {@code -0.0} that is {@code 0.0}. */
  public abstract Object value(K key);

  /** An empty set of keys. */
  abstract KeyTable newTable();

  /** Keys of the values that equal {@code literal}. */
  abstract Literal<K> literal(Object literal);

  /**
   * A literal among the keys: those from {@code low} to {@code high} have its value. If it is
   * {@code between}, no key has: it lies above {@code high} and below the next key that there may
   * be.
   */
  record Literal<K>(K low, K high, boolean between) {}

  /**
   * The keys of the values of which {@code leaf} is true, as intervals: of a comparison with
   * anything but NOT_EQUAL, an In, or a StartsWith on a text.
   */
  public final List<KeyInterval<K>> intervals(Predicate leaf) {
    List<KeyInterval<K>> intervals = new ArrayList<>();
    if (leaf instanceof In in) {
      in.literals().forEach(literal -> addEqual(literal(literal), intervals));
    } else if (leaf instanceof StartsWith startsWith) {
      intervals.add(startingWith(startsWith.prefix()));
    } else {
      Compare compare = (Compare) leaf;
      Literal<K> literal = literal(compare.literal());
      switch (compare.comparison()) {
        case EQUAL -> addEqual(literal, intervals);
        case LESS ->
            intervals.add(
                literal.between
                    ? KeyInterval.below(literal.high, true)
                    : KeyInterval.below(literal.low, false));
        case LESS_OR_EQUAL -> intervals.add(KeyInterval.below(literal.high, true));
        case GREATER -> intervals.add(KeyInterval.above(literal.high, false));
        case GREATER_OR_EQUAL ->
            intervals.add(
                literal.between
                    ? KeyInterval.above(literal.high, false)
                    : KeyInterval.above(literal.low, true));
        case NOT_EQUAL -> throw new IllegalArgumentException("not an interval: " + leaf);
      }
    }
    return intervals;
  }

  private void addEqual(Literal<K> literal, List<KeyInterval<K>> intervals) {
    if (!literal.between) {
      intervals.add(new KeyInterval<>(literal.low, true, literal.high, true));
    }
  }

  /** Keys with a prefix. */
  abstract KeyInterval<K> startingWith(UTF8String prefix);
}
