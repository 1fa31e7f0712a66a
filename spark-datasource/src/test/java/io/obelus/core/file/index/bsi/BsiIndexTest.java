package io.obelus.core.file.index.bsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.testing.GoldenIndexes;
import io.obelus.testing.GoldenIndexes.GoldenIndex;
import io.obelus.testing.GoldenIndexes.Query;
import io.obelus.testing.PaimonIndexes;
import io.obelus.testing.RandomRows;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class BsiIndexTest {

  private static final BsiIndex KIND = new BsiIndex();
  private static final int[] ROW_COUNTS = {0, 1, 63, 64, 65, 500, 3000, 65_535, 65_536, 65_537};

  static List<GoldenIndex> golden() {
    return GoldenIndexes.of("bsi");
  }

  @ParameterizedTest
  @MethodSource("golden")
  void conditions_on_indexes_of_paimon_are_answered_exactly(GoldenIndex golden) throws IOException {
    BsiIndexReader reader = reader(golden.type(), golden.payload(), golden.rowCount());
    assertThat(golden.queries()).isNotEmpty();
    for (Query query : golden.queries()) {
      assertThat(reader.evaluate(query.leaf(), query.negated()))
          .as(query.toString())
          .isEqualTo(Candidates.exactly(query.sqlRows()));
    }
  }

  @ParameterizedTest
  @MethodSource("golden")
  void the_same_values_give_the_same_bytes_as_paimon_writes(GoldenIndex golden) {
    assertThat(write(golden.type(), golden.values())).isEqualTo(golden.payload());
  }

  @Test
  void an_index_answers_as_a_look_at_every_row_does() {
    Seeds.each(
        random -> {
          Scalar type = supported(random);
          int edge = random.nextInt(ROW_COUNTS.length + 1);
          int rows = edge < ROW_COUNTS.length ? ROW_COUNTS[edge] : 65_536 + random.nextInt(100_000);
          List<Object> values = values(random, type, rows);
          BsiIndexReader reader = reader(type, write(type, values), rows);
          for (int i = 0; i < 10; i++) {
            Predicate leaf = leaf(random, type, values);
            boolean negated = random.nextBoolean();
            assertThat(reader.evaluate(leaf, negated))
                .as("%s, negated %s, of %d rows", leaf, negated, rows)
                .isEqualTo(Candidates.exactly(matching(leaf, negated, values)));
          }
          Positions some = new Positions(RoaringBitmap.bitmapOf(someRows(random, rows)));
          assertThat(reader.min(some)).isEqualTo(extreme(type, values, some, Comparison.LESS));
          assertThat(reader.max(some)).isEqualTo(extreme(type, values, some, Comparison.GREATER));
        });
  }

  @Test
  void paimon_writes_the_same_and_finds_the_same() {
    Seeds.each(
        random -> {
          Scalar type = supported(random);
          int rows = random.nextInt(3000);
          List<Object> values = values(random, type, rows);
          byte[] payload = write(type, values);
          assertThat(payload).isEqualTo(PaimonIndexes.write("bsi", type, Map.of(), values));
          BsiIndexReader reader = reader(type, payload, rows);
          for (int i = 0; i < 20; i++) {
            Predicate leaf = leaf(random, type, values);
            if (isPlain(leaf, type)) {
              assertThat(reader.evaluate(leaf, false).positions())
                  .as(leaf.toString())
                  .isEqualTo(PaimonIndexes.ask("bsi", payload, leaf, false).positions());
            }
          }
        });
  }

  /** Whether Paimon answers right: not for the smallest number or time stamps it would cut off. */
  private static boolean isPlain(Predicate leaf, Scalar type) {
    Numbers numbers = new Numbers(type);
    List<Object> literals =
        leaf instanceof Compare compare
            ? List.of(compare.literal())
            : leaf instanceof In in ? in.literals() : List.of();
    return literals.stream()
        .map(numbers::literal)
        .allMatch(literal -> literal.exact() && literal.floor() != Long.MIN_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TIMESTAMP(9)", "TIMESTAMP(7) WITH LOCAL TIME ZONE"})
  void nanoseconds_that_were_cut_off_make_answers_that_have_rows_too_many(String text)
      throws IOException {
    Scalar type = scalar(text);
    BsiIndexReader reader = reader(type, write(type, longs(5L, 6L, null, -1L)), 4);
    assertThat(compare(reader, type, Comparison.EQUAL, 5L)).isEqualTo(atMost(0));
    assertThat(compare(reader, type, Comparison.LESS, 5L)).isEqualTo(atMost(0, 3));
    assertThat(compare(reader, type, Comparison.LESS_OR_EQUAL, 5L)).isEqualTo(atMost(0, 3));
    assertThat(compare(reader, type, Comparison.GREATER, 5L)).isEqualTo(atMost(0, 1));
    assertThat(compare(reader, type, Comparison.GREATER_OR_EQUAL, 5L)).isEqualTo(atMost(0, 1));
    assertThat(compare(reader, type, Comparison.NOT_EQUAL, 5L)).isEqualTo(Candidates.any());
    Column column = column(type);
    In in = new In(column, List.of(6L, -1L));
    assertThat(reader.evaluate(in, false)).isEqualTo(atMost(1, 3));
    assertThat(reader.evaluate(in, true)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(new Compare(column, Comparison.LESS, 6L), true))
        .isEqualTo(atMost(1));
    assertThat(reader.evaluate(new IsNull(column), false)).isEqualTo(exactly(2));
  }

  @Test
  void a_time_between_two_milliseconds_is_no_value_but_has_values_on_both_sides()
      throws IOException {
    Scalar type = scalar("TIMESTAMP(3)");
    BsiIndexReader reader = reader(type, write(type, longs(5000L, 6000L, null, -5000L)), 4);
    assertThat(compare(reader, type, Comparison.EQUAL, 5500L)).isEqualTo(exactly());
    assertThat(compare(reader, type, Comparison.NOT_EQUAL, 5500L)).isEqualTo(exactly(0, 1, 3));
    assertThat(compare(reader, type, Comparison.LESS, 5500L)).isEqualTo(exactly(0, 3));
    assertThat(compare(reader, type, Comparison.LESS_OR_EQUAL, 5500L)).isEqualTo(exactly(0, 3));
    assertThat(compare(reader, type, Comparison.GREATER, 5500L)).isEqualTo(exactly(1));
    assertThat(compare(reader, type, Comparison.GREATER_OR_EQUAL, 5500L)).isEqualTo(exactly(1));
    assertThat(compare(reader, type, Comparison.LESS, 5000L)).isEqualTo(exactly(3));
    assertThat(compare(reader, type, Comparison.LESS, -5001L)).isEqualTo(exactly());
    assertThat(compare(reader, type, Comparison.GREATER, -5001L)).isEqualTo(exactly(0, 1, 3));
    assertThat(compare(reader, type, Comparison.GREATER, -4999L)).isEqualTo(exactly(0, 1));
  }

  @Test
  void a_decimal_of_another_scale_is_compared_by_its_value() throws IOException {
    Scalar type = scalar("DECIMAL(20, 1)");
    BsiIndexReader reader =
        reader(type, write(type, decimals(type, "1.1", "1.2", null, "-1.1")), 4);
    assertThat(compare(reader, type, Comparison.EQUAL, decimal("1.10"))).isEqualTo(exactly(0));
    assertThat(compare(reader, type, Comparison.EQUAL, decimal("1.15"))).isEqualTo(exactly());
    assertThat(compare(reader, type, Comparison.LESS, decimal("1.15"))).isEqualTo(exactly(0, 3));
    assertThat(compare(reader, type, Comparison.GREATER_OR_EQUAL, decimal("1.15")))
        .isEqualTo(exactly(1));
    assertThat(compare(reader, type, Comparison.LESS, decimal("-1.09"))).isEqualTo(exactly(3));
    assertThat(compare(reader, type, Comparison.GREATER, decimal("2"))).isEqualTo(exactly());
    for (String beyond : List.of("922337203685477580.8", "99999999999999999999999999999999999")) {
      Decimal above = decimal(beyond);
      Decimal below = decimal("-" + beyond + (beyond.contains(".") ? "1" : ""));
      assertThat(compare(reader, type, Comparison.LESS, above)).isEqualTo(exactly(0, 1, 3));
      assertThat(compare(reader, type, Comparison.GREATER_OR_EQUAL, above)).isEqualTo(exactly());
      assertThat(compare(reader, type, Comparison.EQUAL, above)).isEqualTo(exactly());
      assertThat(compare(reader, type, Comparison.GREATER, below)).isEqualTo(exactly(0, 1, 3));
      assertThat(compare(reader, type, Comparison.LESS_OR_EQUAL, below)).isEqualTo(exactly());
      assertThat(compare(reader, type, Comparison.NOT_EQUAL, below)).isEqualTo(exactly(0, 1, 3));
    }
  }

  @Test
  void the_beginning_of_a_text_is_nothing_that_numbers_know() throws IOException {
    Scalar type = scalar("INT");
    Predicate leaf = new Predicate.StartsWith(column(type), UTF8String.fromString("1"));
    BsiIndexReader reader = reader(type, write(type, List.of(1)), 1);
    assertThat(reader.evaluate(leaf, false)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(leaf, true)).isEqualTo(Candidates.any());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 40, 100})
  void a_smallest_number_other_than_zero_is_taken_into_account(long min) throws IOException {
    List<Object> values = new ArrayList<>();
    RoaringBitmap[] slices = new RoaringBitmap[6]; // numbers min to min + 59
    Arrays.setAll(slices, i -> new RoaringBitmap());
    for (int row = 0; row < 60; row++) {
      values.add((int) min + row);
      for (int i = 0; i < slices.length; i++) {
        if ((row >> i & 1) == 1) {
          slices[i].add(row);
        }
      }
    }
    Slices half = new Slices(min, RoaringBitmap.bitmapOfRange(0, 60), slices);
    byte[] payload = BsiFormat.write(new BsiFormat.Content(60, half, Slices.NONE));
    Scalar type = scalar("INT");
    BsiIndexReader reader = reader(type, payload, 60);
    for (int literal = -5; literal < 200; literal++) {
      for (Comparison comparison : Comparison.values()) {
        Compare leaf = new Compare(column(type), comparison, literal);
        assertThat(reader.evaluate(leaf, false))
            .as(leaf.toString())
            .isEqualTo(Candidates.exactly(matching(leaf, false, values)));
      }
    }
    assertThat(reader.min(Positions.range(7, 9))).isEqualTo((int) min + 7);
    assertThat(reader.max(Positions.range(7, 9))).isEqualTo((int) min + 8);
  }

  @Test
  void a_value_that_cannot_be_held_gives_the_index_up() {
    Scalar bigint = scalar("BIGINT");
    Scalar decimal = scalar("DECIMAL(38, 10)");
    assertGivenUp(bigint, Long.MIN_VALUE);
    assertGivenUp(decimal, decimals(decimal, "922337203.6854775808").get(0));
    assertGivenUp(decimal, decimals(decimal, "-922337203.6854775808").get(0));
    List<Object> fits = decimals(decimal, "922337203.6854775807", "-922337203.6854775807");
    assertThat(writer(decimal, fits).memory()).isLessThan(1_000_000);
  }

  private static void assertGivenUp(Scalar type, Object value) {
    IndexWriter writer = writer(type, List.of(value));
    for (int i = 0; i < 70_000; i++) {
      assertThat(writer.memory()).isEqualTo(Long.MAX_VALUE);
      writer.add(new GenericInternalRow(new Object[] {value}), 0);
      writer.addNull();
    }
    assertThatThrownBy(writer::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot hold all values");
  }

  @Test
  void memory_is_that_of_the_slices_and_not_of_the_values() {
    Scalar type = scalar("BIGINT");
    IndexWriter writer = writer(type, Collections.nCopies(1_000_000, 1L << 62));
    assertThat(writer.memory()).isBetween(10_000L, 100_000L);
    Random random = new Random(1);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      values.add(random.nextLong() >>> 1);
    }
    // A bit a row for each of 63 slices, and as much again for the next 65536 rows.
    assertThat(writer(type, values).memory()).isBetween(2_000_000L, 2_200_000L);
  }

  @Test
  void an_index_of_another_number_of_rows_is_refused() {
    assertRefused(
        twoOnesAndNull(), 4, "f at byte 101: row count of the bsi index should be 4 but is 3. ");
  }

  @Test
  void other_versions_are_refused_by_name() {
    assertThatThrownBy(() -> reader(scalar("INT"), with(twoOnesAndNull(), 0, 2), 3))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessageStartingWith("f at byte 100: bsi index has version 2, but this release reads 1");
    assertThatThrownBy(() -> reader(scalar("INT"), with(twoOnesAndNull(), 6, 2), 3))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessageStartingWith("f at byte 106: non-negative half of a bsi index has version 2, ");
  }

  @Test
  void parts_that_contradict_each_other_are_refused() {
    byte[] sound = twoOnesAndNull(); // rows 0 and 1 hold 1, row 2 is null
    assertRefused(
        with(sound, 5, 2), 3, "f at byte 105: flag of the non-negative half should be 0 or 1 but");
    assertRefused(
        with(sound, 7, 0x80),
        3,
        "f at byte 107: non-negative half: min and max should be 0 or more, and in order but is -");
    assertRefused(
        with(sound, 22, 4), // max
        3,
        "f at byte 143: non-negative half: number of slices should be 3 but is 1. ");
    assertRefused(
        with(sound, 41, 3), // the second of the rows that have a number
        3,
        "f at byte 107: non-negative half: largest row should be below 3 but is 3. ");
  }

  @Test
  void a_row_in_both_halves_is_refused() {
    Slices half = new Slices(0, RoaringBitmap.bitmapOf(1), new RoaringBitmap[0]);
    assertRefused(
        BsiFormat.write(new BsiFormat.Content(2, half, half)),
        2,
        "f at byte 100: bsi index has a row in both halves. ");
  }

  @Test
  void a_bit_of_a_row_without_a_number_is_refused() {
    RoaringBitmap[] slices = {RoaringBitmap.bitmapOf(0, 1)};
    Slices half = new Slices(0, RoaringBitmap.bitmapOf(1), slices);
    assertRefused(
        BsiFormat.write(new BsiFormat.Content(2, half, Slices.NONE)),
        2,
        "f at byte 145: non-negative half: slice 0 has 1 rows without a number. ");
  }

  @Test
  void bytes_after_the_end_are_refused() {
    byte[] sound = twoOnesAndNull();
    assertRefused(
        Arrays.copyOf(sound, sound.length + 2),
        3,
        "f at byte %d: 2 bytes follow the end of the bsi index. ".formatted(100 + sound.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsi-only-negative", "bsi-only-zero", "bsi-date", "bsi-timestamp3"})
  void whatever_bit_flips_and_wherever_it_ends_is_an_error_or_an_answer(String name)
      throws IOException {
    GoldenIndex golden = GoldenIndexes.named(name);
    byte[] sound = golden.payload();
    for (int bit = 0; bit < 8 * sound.length; bit++) {
      byte[] damaged = with(sound, bit / 8, sound[bit / 8] ^ 1 << bit % 8);
      try {
        BsiIndexReader reader = reader(golden.type(), damaged, golden.rowCount());
        golden.queries().forEach(query -> reader.evaluate(query.leaf(), query.negated()));
        reader.min(Positions.range(0, golden.rowCount()));
        reader.max(Positions.range(0, golden.rowCount()));
      } catch (CorruptFileException | UnknownVersionException expected) {
        assertThat(expected).hasMessageStartingWith("f at byte ");
      }
    }
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> reader(golden.type(), cut, golden.rowCount()))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void a_number_that_the_column_cannot_hold_is_refused_as_minimum() throws IOException {
    byte[] payload = write(scalar("INT"), List.of(300));
    BsiIndexReader reader = reader(scalar("TINYINT"), payload, 1);
    assertThatThrownBy(() -> reader.min(Positions.range(0, 1)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "f at byte 100: bsi index has the number 300, which its column cannot hold. ");
  }

  private static byte[] twoOnesAndNull() {
    return write(scalar("INT"), Arrays.asList(1, 1, null));
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static void assertRefused(byte[] payload, int rowCount, String message) {
    assertThatThrownBy(() -> reader(scalar("INT"), payload, rowCount))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(message);
  }

  private static Scalar supported(Random random) {
    Scalar type = RandomRows.scalar(random);
    return KIND.supports(type) ? type : supported(random);
  }

  /** Runs and single values, few or many different ones, nulls. */
  private static List<Object> values(Random random, Scalar type, int rows) {
    List<Object> pool = new ArrayList<>();
    Numbers numbers = new Numbers(type);
    int different = 1 + random.nextInt(random.nextBoolean() ? 5 : 2000);
    while (pool.size() < different) {
      Object value = RandomRows.value(random, type);
      if (numbers.get(new GenericInternalRow(new Object[] {value}), 0) != Numbers.NONE) {
        pool.add(value);
      }
    }
    int longestRun = random.nextInt(4) == 0 ? 1000 : 1;
    int nullsOfTen = new int[] {0, 1, 10}[random.nextInt(3)];
    List<Object> values = new ArrayList<>(rows);
    while (values.size() < rows) {
      boolean isNull = random.nextInt(10) < nullsOfTen;
      Object value = isNull ? null : pool.get(random.nextInt(pool.size()));
      int run = Math.min(rows - values.size(), 1 + random.nextInt(longestRun));
      values.addAll(Collections.nCopies(run, value));
    }
    return values;
  }

  private static Predicate leaf(Random random, Scalar type, List<Object> values) {
    Column column = column(type);
    return switch (random.nextInt(8)) {
      case 0 -> new IsNull(column);
      case 1 -> {
        List<Object> literals = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
          literals.add(literal(random, type, values));
        }
        yield new In(column, literals);
      }
      default ->
          new Compare(
              column,
              Comparison.values()[random.nextInt(Comparison.values().length)],
              literal(random, type, values));
    };
  }

  private static Object literal(Random random, Scalar type, List<Object> values) {
    Object value = values.isEmpty() ? null : values.get(random.nextInt(values.size()));
    if (value == null || random.nextInt(3) == 0) {
      value = RandomRows.value(random, type);
    }
    boolean isTimestamp =
        type.kind() == ColumnType.Kind.TIMESTAMP || type.kind() == ColumnType.Kind.TIMESTAMP_LTZ;
    return isTimestamp && random.nextInt(4) == 0 ? (Object) ((Long) value + 1) : value;
  }

  private static Positions matching(Predicate leaf, boolean negated, List<Object> values) {
    RowType type = new RowType(List.of(Predicates.column(leaf)));
    Truth wanted = negated ? Truth.FALSE : Truth.TRUE;
    Positions matching = new Positions();
    for (int i = 0; i < values.size(); i++) {
      GenericInternalRow row = new GenericInternalRow(new Object[] {values.get(i)});
      if (Predicates.test(leaf, row, type) == wanted) {
        matching.add(i);
      }
    }
    return matching;
  }

  private static int[] someRows(Random random, int rows) {
    return random.ints(rows == 0 ? 0 : random.nextInt(100), 0, Math.max(1, rows)).toArray();
  }

  private static Object extreme(
      Scalar type, List<Object> values, Positions rows, Comparison better) {
    Column column = column(type);
    RowType rowType = new RowType(List.of(column));
    Object[] best = new Object[1];
    rows.forEach(
        position -> {
          Object value = values.get((int) position);
          if (value != null
              && (best[0] == null
                  || Predicates.test(
                          new Compare(column, better, best[0]),
                          new GenericInternalRow(new Object[] {value}),
                          rowType)
                      == Truth.TRUE)) {
            best[0] = value;
          }
        });
    return best[0];
  }

  private static Candidates compare(
      BsiIndexReader reader, Scalar type, Comparison comparison, Object literal) {
    return reader.evaluate(new Compare(column(type), comparison, literal), false);
  }

  private static Candidates exactly(int... rows) {
    return Candidates.exactly(new Positions(RoaringBitmap.bitmapOf(rows)));
  }

  private static Candidates atMost(int... rows) {
    return Candidates.atMost(new Positions(RoaringBitmap.bitmapOf(rows)));
  }

  private static List<Object> longs(Long... values) {
    return Arrays.asList(values);
  }

  private static List<Object> decimals(Scalar type, String... values) {
    return Arrays.stream(values)
        .map(
            value ->
                value == null
                    ? null
                    : (Object) Decimal.apply(new BigDecimal(value), type.precision(), type.scale()))
        .toList();
  }

  private static Decimal decimal(String value) {
    return Decimal.apply(new BigDecimal(value));
  }

  private static Column column(ColumnType type) {
    return new Column(0, "c", type);
  }

  private static Scalar scalar(String text) {
    return (Scalar) ColumnTypes.parse(text);
  }

  private static IndexWriter writer(ColumnType type, List<Object> values) {
    IndexWriter writer = KIND.writer(type, IndexOptions.NONE);
    Object[] row = new Object[1];
    GenericInternalRow reused = new GenericInternalRow(row);
    for (Object value : values) {
      row[0] = value;
      writer.add(reused, 0);
    }
    return writer;
  }

  private static byte[] write(ColumnType type, List<Object> values) {
    return writer(type, values).finish();
  }

  private static BsiIndexReader reader(ColumnType type, byte[] payload, long rowCount)
      throws IOException {
    return KIND.reader(type, Payload.of(ByteBuffer.wrap(payload), new Place("f", 100)), rowCount);
  }
}
