package io.obelus.core.file.index.rangebitmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.index.key.KeyedIndexes;
import io.obelus.core.file.index.key.PaimonIndexes;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.testing.GoldenIndexes;
import io.obelus.testing.GoldenIndexes.GoldenIndex;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RangeBitmapIndexTest {

  private static final RangeBitmapIndex KIND = new RangeBitmapIndex();

  private static final String[] TYPES = {
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INT",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "DECIMAL(18, 3)",
    "STRING",
    "VARCHAR(30)",
    "DATE",
    "TIME(3)",
    "TIMESTAMP(3)",
    "TIMESTAMP(6)",
    "TIMESTAMP(6) WITH LOCAL TIME ZONE"
  };

  static List<GoldenIndex> goldens() {
    return GoldenIndexes.of("range-bitmap");
  }

  private static IndexReader reader(ColumnType type, byte[] bytes, long rowCount)
      throws IOException {
    return KIND.reader(type, KeyedIndexes.payload(bytes), rowCount);
  }

  private static Column column(String type) {
    return new Column(0, "c", ColumnTypes.parse(type));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void every_condition_on_an_index_of_paimon_is_answered_right(GoldenIndex golden)
      throws IOException {
    KeyedIndexes.checkQueries(golden, reader(golden.type(), golden.payload(), golden.rowCount()));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void an_index_of_paimon_holds_the_values_of_its_column(GoldenIndex golden) throws IOException {
    IndexReader reader = reader(golden.type(), golden.payload(), golden.rowCount());
    for (Object value : new HashSet<>(golden.values())) {
      Predicate leaf =
          value == null
              ? new Predicate.IsNull(golden.column())
              : new Compare(golden.column(), Comparison.EQUAL, value);
      assertThat(reader.evaluate(leaf, false).positions())
          .isEqualTo(KeyedIndexes.matching(golden.column(), golden.values(), leaf, false));
    }
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void our_index_has_the_bytes_of_paimons(GoldenIndex golden) {
    assertThat(KeyedIndexes.write(KIND, golden.type(), golden.options(), golden.values()))
        .isEqualTo(golden.payload());
  }

  @Test
  void what_we_write_we_answer_exactly_as_a_look_at_every_row_does() {
    Seeds.each(
        60,
        random -> {
          Column column = column(TYPES[random.nextInt(TYPES.length)]);
          List<Object> values =
              KeyedIndexes.values(random, column.type(), KeyedIndexes.rowCount(random));
          byte[] bytes = KeyedIndexes.write(KIND, column.type(), randomOptions(random), values);
          IndexReader reader = reader(column.type(), bytes, values.size());
          for (int i = values.size() > 10_000 ? 8 : 40; i > 0; i--) {
            Predicate leaf = KeyedIndexes.leaf(random, column, values);
            boolean negated = random.nextBoolean();
            Candidates answer = reader.evaluate(leaf, negated);
            assertThat(answer.isExact()).as("%s", leaf).isTrue();
            KeyedIndexes.checkAgainstRows(answer, column, values, leaf, negated);
          }
        });
  }

  private static Map<String, String> randomOptions(Random random) {
    return random.nextInt(3) == 0
        ? Map.of()
        : Map.of("chunk-size", random.nextInt(random.nextBoolean() ? 30 : 1000) + "b");
  }

  @Test
  void our_bytes_are_those_of_paimon_and_read_by_it() {
    Seeds.each(
        40,
        random -> {
          Column column = column(TYPES[random.nextInt(TYPES.length)]);
          List<Object> values =
              KeyedIndexes.values(random, column.type(), KeyedIndexes.rowCount(random));
          values.replaceAll(RangeBitmapIndexTest::oneNan);
          Map<String, String> options = randomOptions(random);
          byte[] ours = KeyedIndexes.write(KIND, column.type(), options, values);
          assertThat(ours)
              .as("%s %s", column, options)
              .isEqualTo(PaimonIndexes.write("range-bitmap", column.type(), options, values));
          IndexReader reader = reader(column.type(), ours, values.size());
          for (int i = 0; i < 10; i++) {
            Predicate leaf = KeyedIndexes.leaf(random, column, values);
            if (isTheSame(column, leaf, values)) {
              assertThat(PaimonIndexes.rows("range-bitmap", column, ours, leaf))
                  .as("%s", leaf)
                  .isIn(reader.evaluate(leaf, false).positions(), null);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT", "DOUBLE"})
  void any_nan_of_paimons_is_found_as_nan(String type) {
    Seeds.each(
        random -> {
          Column column = column(type);
          List<Object> values = KeyedIndexes.values(random, column.type(), 1 + random.nextInt(300));
          for (int i = random.nextInt(5); i > 0; i--) { // the sign and the last bits do not matter
            int bits = random.nextInt(1 << 22);
            Object nan =
                type.equals("FLOAT")
                    ? (Object) Float.intBitsToFloat(0xffc00000 | bits)
                    : (Object) Double.longBitsToDouble(0xfff8000000000000L | bits);
            values.set(random.nextInt(values.size()), nan);
          }
          byte[] theirs = PaimonIndexes.write("range-bitmap", column.type(), Map.of(), values);
          IndexReader reader = reader(column.type(), theirs, values.size());
          Object nan = type.equals("FLOAT") ? (Object) Float.NaN : (Object) Double.NaN;
          for (Comparison comparison : Comparison.values()) {
            Predicate leaf = new Compare(column, comparison, nan);
            KeyedIndexes.checkAgainstRows(
                reader.evaluate(leaf, false), column, values, leaf, false);
          }
        });
  }

  /** Paimon keeps the bits of a NaN, where we write the one that Spark takes all for. */
  private static Object oneNan(Object value) {
    if (value instanceof Float number && number.isNaN()) {
      return Float.NaN;
    }
    return value instanceof Double number && number.isNaN() ? (Object) Double.NaN : value;
  }

  /** Paimon knows two zeros, and loses rows of a column that is all null. */
  private static boolean isTheSame(Column column, Predicate leaf, List<Object> values) {
    String type = ColumnTypes.print(column.type());
    boolean allNull = values.stream().noneMatch(value -> value != null);
    return !type.equals("FLOAT")
        && !type.equals("DOUBLE")
        && !(leaf instanceof Predicate.IsNull && allNull);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BIGINT", "STRING"})
  void more_values_than_two_bytes_count_have_the_bytes_of_paimons(String type) throws IOException {
    Column column = column(type);
    List<Object> values = KeyedIndexes.manyDistinct(column.type(), 100_000);
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    assertThat(bytes)
        .isEqualTo(PaimonIndexes.write("range-bitmap", column.type(), Map.of(), values));
    IndexReader reader = reader(column.type(), bytes, values.size());
    Predicate leaf = new Compare(column, Comparison.LESS, values.get(70_001));
    KeyedIndexes.checkAgainstRows(reader.evaluate(leaf, false), column, values, leaf, false);
  }

  @Test
  void zero_has_one_value() throws IOException {
    Column column = column("FLOAT");
    List<Object> values = Arrays.asList(0.0f, -0.0f, 1.0f, null, Float.NaN, -1.0f);
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    IndexReader reader = reader(column.type(), bytes, 6);
    String[] expected = {"{0,1}", "{2,4,5}", "{5}", "{0,1,5}", "{2,4}", "{0,1,2,4}"};
    for (float zero : new float[] {0.0f, -0.0f}) {
      for (Comparison comparison : Comparison.values()) {
        Predicate leaf = new Compare(column, comparison, zero);
        assertThat(reader.evaluate(leaf, false))
            .as(leaf.toString())
            .hasToString("exactly " + expected[comparison.ordinal()]);
      }
    }
  }

  @Test
  void a_literal_between_two_milliseconds_is_equal_to_none() throws IOException {
    Column column = column("TIMESTAMP(3)");
    List<Object> values = Arrays.asList(-2000L, -1000L, 0L, null);
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    IndexReader reader = reader(column.type(), bytes, 4);
    String[] expected = {"{}", "{0,1,2}", "{0,1}", "{0,1}", "{2}", "{2}"};
    for (Comparison comparison : Comparison.values()) {
      Predicate leaf = new Compare(column, comparison, -1L);
      assertThat(reader.evaluate(leaf, false))
          .as(leaf.toString())
          .hasToString("exactly " + expected[comparison.ordinal()]);
    }
  }

  @Test
  void a_column_of_nulls_loses_none_of_them() throws IOException {
    Column column = column("STRING");
    byte[] bytes =
        KeyedIndexes.write(
            KIND, column.type(), Map.of(), Collections.nCopies(70_001, (Object) null));
    IndexReader reader = reader(column.type(), bytes, 70_001);
    Predicate isNull = new Predicate.IsNull(column);
    assertThat(reader.evaluate(isNull, false).positions().cardinality()).isEqualTo(70_001);
    assertThat(reader.evaluate(isNull, true)).isEqualTo(Candidates.none());
    Predicate starts = new Predicate.StartsWith(column, UTF8String.EMPTY_UTF8);
    assertThat(reader.evaluate(starts, false)).isEqualTo(Candidates.none());
    assertThat(reader.evaluate(starts, true)).isEqualTo(Candidates.none());
  }

  @Test
  void a_prefix_selects_the_texts_up_to_the_next_prefix() throws IOException {
    Column column = column("STRING");
    List<Object> values = new ArrayList<>();
    byte[][] texts = {{'a'}, {'a', -1}, {'a', -1, -1, 7}, {'b'}, {-1}, {-1, -1, 0}, {}};
    for (byte[] text : texts) {
      values.add(UTF8String.fromBytes(text));
    }
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    IndexReader reader = reader(column.type(), bytes, 7);
    String[] expected = {"{0,1,2}", "{1,2}", "{2}", "{3}", "{4,5}", "{5}", "{0,1,2,3,4,5,6}"};
    for (int i = 0; i < texts.length; i++) {
      Predicate leaf = new Predicate.StartsWith(column, (UTF8String) values.get(i));
      assertThat(reader.evaluate(leaf, false)).hasToString("exactly " + expected[i]);
    }
  }

  @Test
  void a_condition_reads_one_chunk_and_the_slices_that_it_needs() throws IOException {
    Column column = column("BIGINT");
    Random random = new Random(7);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      values.add((long) random.nextInt(1 << 14));
    }
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    List<Integer> reads = new ArrayList<>();
    IndexReader reader = KIND.reader(column.type(), KeyedIndexes.recording(bytes, reads), 200_000);
    reader.evaluate(new Compare(column, Comparison.LESS, -5L), false);
    assertThat(reads).as("only the head").hasSize(1);
    Predicate half = new Compare(column, Comparison.GREATER_OR_EQUAL, 1L << 13);
    assertThat(reader.evaluate(half, false).positions())
        .isEqualTo(KeyedIndexes.matching(column, values, half, false));
    // chunks' heads, one chunk, table and existence bitmap, the highest slice
    assertThat(reads.stream().mapToInt(Integer::intValue).sum()).isLessThan(4 * 25_000);
    assertThat(bytes.length).isGreaterThan(14 * 25_000);
    int before = reads.size();
    reader.evaluate(half, true);
    assertThat(reads).hasSize(before);
  }

  @Test
  void damage_ends_in_an_error_with_a_place_or_in_an_answer() {
    Seeds.each(
        2,
        random -> {
          for (String type : new String[] {"BOOLEAN", "INT", "DOUBLE", "STRING"}) {
            Column column = column(type);
            List<Object> values = KeyedIndexes.values(random, column.type(), 50);
            List<Predicate> leaves = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
              leaves.add(KeyedIndexes.leaf(random, column, values));
            }
            byte[] bytes =
                KeyedIndexes.write(KIND, column.type(), Map.of("chunk-size", "40b"), values);
            KeyedIndexes.checkDamaged(
                bytes,
                payload -> {
                  IndexReader reader = KIND.reader(column.type(), payload, 50);
                  for (Predicate leaf : leaves) {
                    Candidates answer = reader.evaluate(leaf, random.nextBoolean());
                    assertThat(answer.isNone() || answer.positions().max() < 50).isTrue();
                  }
                });
          }
        });
  }

  @Test
  void errors_say_where_and_what() {
    ColumnType type = column("BIGINT").type();
    byte[] good = GoldenIndexes.named("range-bitmap-one-value").payload();
    assertThatThrownBy(() -> reader(type, good, 51))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "data-1.parquet.index at byte 105: row count of the index should be 51 but is 50.");
    byte[] newer = good.clone();
    newer[4] = 2;
    assertThatThrownBy(() -> reader(type, newer, 50))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessageStartingWith(
            "data-1.parquet.index at byte 104: range bitmap index has version 2, but this release"
                + " reads 1.");
    byte[] keys = good.clone();
    keys[12] = 9;
    assertThatThrownBy(() -> reader(type, keys, 50))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("least and greatest of 9 keys should differ in this order");
  }

  @Test
  void a_wrong_option_is_refused_by_its_key() {
    IndexOptions options =
        new IndexOptions("file-index.range-bitmap.c.", Map.of("chunk-size", "3 gb"));
    assertThatThrownBy(() -> KIND.writer(column("INT").type(), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "option 'file-index.range-bitmap.c.chunk-size' should be a size below 2 gb such as"
                + " 16kb but is '3 gb'");
  }

  @Test
  void types_without_keys_are_not_supported() {
    for (String type : TYPES) {
      assertThat(KIND.supports(ColumnTypes.parse(type))).as(type).isTrue();
    }
    for (String type : new String[] {"DECIMAL(19, 2)", "BYTES", "TIMESTAMP(7)", "VARIANT"}) {
      assertThat(KIND.supports(ColumnTypes.parse(type))).as(type).isFalse();
    }
  }
}
