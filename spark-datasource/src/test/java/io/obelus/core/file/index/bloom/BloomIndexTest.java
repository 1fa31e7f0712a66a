package io.obelus.core.file.index.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.testing.GoldenIndexes;
import io.obelus.testing.GoldenIndexes.GoldenIndex;
import io.obelus.testing.GoldenIndexes.Query;
import io.obelus.testing.GoldenIndexes.Result;
import io.obelus.testing.PaimonIndexes;
import io.obelus.testing.RandomRows;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BloomIndexTest {

  private static final BloomIndex KIND = new BloomIndex();

  static List<GoldenIndex> golden() {
    return GoldenIndexes.of("bloom-filter");
  }

  @ParameterizedTest
  @MethodSource("golden")
  void conditions_on_indexes_of_paimon_are_answered(GoldenIndex golden) throws IOException {
    IndexReader reader = reader(golden.type(), golden.payload());
    assertThat(golden.queries()).isNotEmpty();
    for (Query query : golden.queries()) {
      if (query.leaf() != null) {
        boolean none = query.result() == Result.SKIP && !matches(query);
        assertThat(reader.evaluate(query.leaf(), query.negated()))
            .as(query.toString())
            .isEqualTo(none ? Candidates.none() : Candidates.any());
      }
    }
  }

  /** Whether rows match: Paimon skips a file of -0.0 that is asked for 0.0. */
  private static boolean matches(Query query) {
    return query.sqlRows() != null && !query.sqlRows().isEmpty();
  }

  @ParameterizedTest
  @MethodSource("golden")
  void the_same_values_give_the_same_bytes_as_paimon_writes(GoldenIndex golden) {
    assertThat(golden.options()).containsKey("items");
    assertThat(write(golden.type(), golden.options(), golden.values())).isEqualTo(golden.payload());
  }

  @Test
  void paimon_writes_the_same_and_finds_the_same() {
    Seeds.each(
        random -> {
          Scalar type = supported(random);
          List<Object> values = values(random, type, random.nextInt(3000));
          Map<String, String> options = options(random);
          byte[] payload = write(type, options, values);
          assertThat(payload).isEqualTo(PaimonIndexes.write("bloom-filter", type, options, values));
          assertPaimonAgrees(random, type, payload);
          assertPaimonAgrees(random, type, write(type, Map.of(), values));
        });
  }

  private static void assertPaimonAgrees(Random random, Scalar type, byte[] payload)
      throws IOException {
    IndexReader reader = reader(type, payload);
    for (int i = 0; i < 50; i++) {
      Object literal = RandomRows.value(random, type);
      Predicate leaf = new Compare(column(type), Comparison.EQUAL, literal);
      boolean zero = literal instanceof Number number && number.doubleValue() == 0; // or -0.0
      if (!zero) {
        assertThat(reader.evaluate(leaf, false).isAny())
            .as(leaf.toString())
            .isEqualTo(PaimonIndexes.ask("bloom-filter", payload, leaf, false).isAny());
      }
    }
  }

  @Test
  void no_value_is_ever_missed() {
    Seeds.each(
        random -> {
          Scalar type = supported(random);
          int rows = random.nextInt(4) == 0 ? 65_536 + random.nextInt(100_000) : 2000;
          List<Object> values = values(random, type, rows);
          Map<String, String> options =
              random.nextBoolean() ? options(random) : Map.of("fpp", "0.01");
          IndexReader reader = reader(type, write(type, options, values));
          for (Object value : values) {
            if (value != null) {
              Predicate leaf = new Compare(column(type), Comparison.EQUAL, value);
              assertThat(reader.evaluate(leaf, false).isAny()).as(leaf.toString()).isTrue();
            }
          }
        });
  }

  @Test
  void a_filter_without_items_fits_the_different_values_of_its_file() throws IOException {
    Scalar type = scalar("INT");
    assertThat(write(type, Map.of(), List.of())).isEqualTo(new byte[] {0, 0, 0, 6, 0});
    byte[] one = write(type, Map.of(), Collections.nCopies(100_000, 7));
    assertThat(one).hasSize(5);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      values.add(i);
    }
    byte[] many = write(type, Map.of(), values);
    assertThat(many.length).isBetween(59_000, 61_000); // 4.8 bits each at 0.1
    IndexReader reader = reader(type, many);
    int found = 0;
    for (int i = 100_000; i < 200_000; i++) {
      found += reader.evaluate(equal(type, i), false).isAny() ? 1 : 0;
    }
    assertThat(found).isBetween(8_000, 12_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1000, 20_000, 90_000})
  void repeated_values_need_no_room_in_whatever_order_they_come(int different) throws IOException {
    Scalar type = scalar("INT");
    Random random = new Random(different);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      values.add(i < different ? i : random.nextInt(different));
    }
    byte[] payload = write(type, Map.of(), values);
    double needed = different * -Math.log(0.1) / (Math.log(2) * Math.log(2)) / 8;
    assertThat((double) payload.length).isBetween(0.9 * needed, 1.35 * needed + 10);
    IndexReader reader = reader(type, payload);
    int found = 0;
    for (int i = 0; i < 100_000; i++) {
      assertThat(i >= different || reader.evaluate(equal(type, i), false).isAny()).isTrue();
      found += reader.evaluate(equal(type, -1 - i), false).isAny() ? 1 : 0;
    }
    assertThat(found).isLessThan(20_000);
  }

  @Test
  void memory_follows_the_different_values_and_ends_where_they_are_too_many() {
    Scalar type = scalar("INT");
    assertThat(writer(type, Map.of(), Collections.nCopies(100_000, 7)).memory()).isLessThan(34_000);
    assertThat(writer(type, Map.of("items", "1000000"), List.of()).memory()).isEqualTo(599_071);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      values.add(i);
    }
    assertThat(writer(type, Map.of(), values).memory()).isBetween(1_000_000L, 2_200_000L);
    // 1437 bits a value
    assertThat(writer(type, Map.of("fpp", "1e-300"), values).memory()).isLessThan(30_000_000);
  }

  @Test
  void more_values_than_a_filter_has_room_for_give_the_index_up() {
    Scalar type = scalar("BIGINT");
    IndexWriter writer = writer(type, Map.of("fpp", "4.9e-324"), List.of()); // 1550 bits a value
    GenericInternalRow row = new GenericInternalRow(new Object[1]);
    for (long i = 0; i < 1_400_000; i++) {
      row.setLong(0, i);
      writer.add(row, 0);
    }
    assertThat(writer.memory()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(writer::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("1400000 values are too many for a bloom filter with fpp 4.9E-324");
  }

  @ParameterizedTest
  @CsvSource({"FLOAT, 0.0", "FLOAT, -0.0", "DOUBLE, 0.0", "DOUBLE, -0.0"})
  void both_zeros_are_one_value(String text, double stored) throws IOException {
    Scalar type = scalar(text);
    boolean isFloat = type.kind() == ColumnType.Kind.FLOAT;
    Object value = isFloat ? (Object) (float) stored : (Object) stored;
    IndexReader reader = reader(type, write(type, Map.of("fpp", "0.0001"), List.of(value)));
    for (double literal : new double[] {0.0, -0.0}) {
      Object zero = isFloat ? (Object) (float) literal : (Object) literal;
      assertThat(reader.evaluate(equal(type, zero), false)).isEqualTo(Candidates.any());
    }
    Object other = isFloat ? (Object) 1f : (Object) 1d;
    assertThat(reader.evaluate(equal(type, other), false)).isEqualTo(Candidates.none());
  }

  @Test
  void all_that_is_not_a_number_is_one_value() throws IOException {
    Scalar type = scalar("DOUBLE");
    double strange = Double.longBitsToDouble(0x7ff8000000000123L);
    IndexReader reader = reader(type, write(type, Map.of("fpp", "0.0001"), List.of(strange)));
    assertThat(reader.evaluate(equal(type, Double.NaN), false)).isEqualTo(Candidates.any());
    float strangeFloat = Float.intBitsToFloat(0xffc00001);
    Scalar floats = scalar("FLOAT");
    reader = reader(floats, write(floats, Map.of("fpp", "0.0001"), List.of(strangeFloat)));
    assertThat(reader.evaluate(equal(floats, Float.NaN), false)).isEqualTo(Candidates.any());
  }

  @Test
  void a_time_between_two_milliseconds_is_not_in_a_column_of_milliseconds() throws IOException {
    Scalar millis = scalar("TIMESTAMP(3)");
    IndexReader reader = reader(millis, write(millis, Map.of(), List.of(-5000L)));
    assertThat(reader.evaluate(equal(millis, -5000L), false)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(equal(millis, -4999L), false)).isEqualTo(Candidates.none());
    Scalar micros = scalar("TIMESTAMP(9)");
    reader = reader(micros, write(micros, Map.of(), List.of(-4999L)));
    assertThat(reader.evaluate(equal(micros, -4999L), false)).isEqualTo(Candidates.any());
  }

  @Test
  void only_equality_is_answered() throws IOException {
    Scalar type = scalar("INT");
    Column column = column(type);
    IndexReader reader = reader(type, write(type, Map.of("fpp", "0.0001"), List.of(1)));
    for (Comparison comparison : Comparison.values()) {
      Compare leaf = new Compare(column, comparison, 2);
      boolean answered = comparison == Comparison.EQUAL;
      assertThat(reader.evaluate(leaf, false).isAny()).isEqualTo(!answered);
      boolean answeredIfNegated = comparison == Comparison.NOT_EQUAL;
      assertThat(reader.evaluate(leaf, true).isAny()).isEqualTo(!answeredIfNegated);
    }
    assertThat(reader.evaluate(new In(column, List.of(2, 3)), false)).isEqualTo(Candidates.none());
    assertThat(reader.evaluate(new In(column, List.of(2, 1)), false)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(new In(column, List.of(2, 3)), true)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(new IsNull(column), false)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(new IsNull(column), true)).isEqualTo(Candidates.any());
    Scalar text = scalar("STRING");
    UTF8String prefix = UTF8String.fromString("a");
    assertThat(
            reader(text, write(text, Map.of(), List.of()))
                .evaluate(new Predicate.StartsWith(column(text), prefix), false))
        .isEqualTo(Candidates.any());
  }

  @Test
  void of_a_large_filter_only_the_bytes_asked_for_are_read() throws IOException {
    Scalar type = scalar("INT");
    Map<String, String> options = Map.of("items", "3000000");
    byte[] bytes = write(type, options, List.of(1, 2, 3));
    List<Integer> lengths = new ArrayList<>();
    Payload all = payload(bytes);
    Payload watched =
        new Payload() {
          @Override
          public int length() {
            return all.length();
          }

          @Override
          public Place place(int at) {
            return all.place(at);
          }

          @Override
          public ByteBuffer read(int from, int length) throws IOException {
            lengths.add(length);
            return all.read(from, length);
          }
        };
    IndexReader reader = KIND.reader(type, watched, 3);
    assertThat(reader.evaluate(equal(type, 2), false)).isEqualTo(Candidates.any());
    assertThat(lengths).containsExactly(4, 1, 1, 1);
    assertThat(reader.evaluate(equal(type, 5), false)).isEqualTo(Candidates.none());
    In in = new In(column(type), List.of(11, 12, 13, 14, 15, 16, 17, 18));
    assertThat(reader.evaluate(in, false)).isEqualTo(Candidates.none());
    assertThat(reader.evaluate(equal(type, 3), false)).isEqualTo(Candidates.any());
    assertThat(lengths).containsExactly(4, 1, 1, 1, 1, bytes.length);
  }

  @ParameterizedTest
  @CsvSource({
    "items, 0, a whole number from 1 to 2147483647",
    "items, many, a whole number from 1 to 2147483647",
    "items, 2147483647, so small that a filter with fpp 0.1 has below 2^31 bits",
    "fpp, 0, a number between 0 and 1",
    "fpp, 1.0, a number between 0 and 1",
    "fpp, NaN, a number between 0 and 1",
    "fpp, low, a number between 0 and 1"
  })
  void a_wrong_option_is_refused_by_its_key(String name, String value, String expected) {
    IndexOptions options = new IndexOptions("file-index.bloom-filter.c.", Map.of(name, value));
    assertThatThrownBy(() -> KIND.writer(scalar("INT"), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "option 'file-index.bloom-filter.c.%s' should be %s but is '%s'"
                .formatted(name, expected, value));
  }

  @Test
  void a_filter_without_bits_is_refused() {
    assertThatThrownBy(() -> reader(scalar("INT"), new byte[] {0, 0, 0, 1}))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "f at byte 100: length of the bloom filter should be 5 to 268435459 bytes but is 4. ");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 2049, Integer.MAX_VALUE})
  void a_number_of_hashes_that_no_writer_chooses_is_refused(int hashes) {
    byte[] payload = ByteBuffer.allocate(6).putInt(hashes).array();
    assertThatThrownBy(() -> reader(scalar("INT"), payload))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "f at byte 100: number of hashes of the bloom filter should be 1 to 2048 but is "
                + hashes
                + ". ");
  }

  @ParameterizedTest
  @MethodSource("golden")
  void whatever_bit_flips_and_wherever_it_ends_is_an_error_or_an_answer(GoldenIndex golden)
      throws IOException {
    byte[] sound = golden.payload();
    for (int bit = 0; bit < 8 * sound.length; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      ask(golden, damaged);
    }
    for (int length = 0; length < sound.length; length++) {
      ask(golden, Arrays.copyOf(sound, length));
    }
  }

  private static void ask(GoldenIndex golden, byte[] damaged) throws IOException {
    try {
      IndexReader reader = reader(golden.type(), damaged);
      for (Query query : golden.queries()) {
        if (query.leaf() != null) {
          reader.evaluate(query.leaf(), query.negated());
        }
      }
    } catch (CorruptFileException expected) {
      assertThat(expected).hasMessageStartingWith("f at byte 100: ");
    }
  }

  private static Scalar supported(Random random) {
    Scalar type = RandomRows.scalar(random);
    return KIND.supports(type) ? type : supported(random);
  }

  private static List<Object> values(Random random, Scalar type, int rows) {
    List<Object> values = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      values.add(random.nextInt(10) == 0 ? null : RandomRows.value(random, type));
    }
    return values;
  }

  private static Map<String, String> options(Random random) {
    String fpp = List.of("0.1", "0.5", "0.03", "1e-9", "0.999").get(random.nextInt(5));
    return Map.of("items", Integer.toString(1 + random.nextInt(5000)), "fpp", fpp);
  }

  private static Compare equal(Scalar type, Object literal) {
    return new Compare(column(type), Comparison.EQUAL, literal);
  }

  private static Column column(ColumnType type) {
    return new Column(0, "c", type);
  }

  private static Scalar scalar(String text) {
    return (Scalar) ColumnTypes.parse(text);
  }

  private static IndexWriter writer(
      ColumnType type, Map<String, String> options, List<Object> values) {
    IndexWriter writer = KIND.writer(type, new IndexOptions("", options));
    Object[] row = new Object[1];
    GenericInternalRow reused = new GenericInternalRow(row);
    for (Object value : values) {
      row[0] = value;
      writer.add(reused, 0);
    }
    return writer;
  }

  private static byte[] write(ColumnType type, Map<String, String> options, List<Object> values) {
    return writer(type, options, values).finish();
  }

  private static IndexReader reader(ColumnType type, byte[] payload) throws IOException {
    return KIND.reader(type, payload(payload), 0);
  }

  private static Payload payload(byte[] bytes) {
    return Payload.of(ByteBuffer.wrap(bytes), new Place("f", 100));
  }
}
