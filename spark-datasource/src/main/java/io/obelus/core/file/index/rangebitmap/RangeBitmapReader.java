package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.file.index.key.KeyInterval;
import io.obelus.core.file.index.key.KeyReader;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Answers conditions by a range of codes. Reads the head when it is opened; the dictionary only for
 * keys that are neither below the least nor above the greatest; slices as they are needed. Not
 * thread-safe.
 */
final class RangeBitmapReader<K extends Comparable<K>> extends KeyReader<K> {

  private final int keyCount;
  private final K least; // null if there is no key
  private final K greatest;
  private final RangeDictionary<K> dictionary;
  private final Slices slices;

  private RangeBitmapReader(
      KeyCoding<K> coding,
      int keyCount,
      K least,
      K greatest,
      RangeDictionary<K> dictionary,
      Slices slices) {
    super(coding, slices.rowCount());
    this.keyCount = keyCount;
    this.least = least;
    this.greatest = greatest;
    this.dictionary = dictionary;
    this.slices = slices;
  }

  static <K extends Comparable<K>> RangeBitmapReader<K> open(
      KeyCoding<K> coding, Payload payload, long rowCount) throws IOException {
    KeyInput in = KeyInput.of(payload, 0, payload.length());
    Place place = in.place();
    int size = in.intOf("size of the head");
    int start = in.position();
    checkVersion(in, "range bitmap index");
    checkRowCount(in, rowCount);
    Place keyPlace = in.place();
    int keyCount = in.intOf("number of keys");
    if (keyCount < 0 || keyCount > rowCount) {
      throw new CorruptFileException(keyPlace, "number of keys", "0 to " + rowCount, keyCount);
    }
    keyPlace = in.place();
    K least = keyCount == 0 ? null : coding.read(in, "least key");
    K greatest = keyCount == 0 ? null : coding.read(in, "greatest key");
    if (keyCount > 0 && Integer.signum(least.compareTo(greatest)) != (keyCount == 1 ? 0 : -1)) {
      throw new CorruptFileException(
          keyPlace,
          "least and greatest of %d keys should differ in this order, or be one, but are %s and %s"
              .formatted(keyCount, coding.value(least), coding.value(greatest)));
    }
    int dictionarySize = in.countOf("size of the dictionary", 1);
    if (size != in.position() - start) {
      throw new CorruptFileException(place, "size of the head", in.position() - start, size);
    }
    int dictionaryEnd = in.position() + dictionarySize;
    RangeDictionary<K> dictionary =
        new RangeDictionary<>(coding, payload, in.position(), dictionaryEnd, keyCount);
    return new RangeBitmapReader<>(
        coding,
        keyCount,
        least,
        greatest,
        dictionary,
        new Slices(payload, dictionaryEnd, keyCount, rowCount));
  }

  static void checkVersion(KeyInput in, String what) throws IOException {
    Place place = in.place();
    int version = in.byteOf("version of the " + what);
    if (version != RangeBitmapFormat.V1) {
      throw new UnknownVersionException(place, what, version, RangeBitmapFormat.V1);
    }
  }

  private static void checkRowCount(KeyInput in, long rowCount) throws IOException {
    Place place = in.place();
    int rows = in.intOf("row count of the index");
    if (rows != rowCount) {
      throw new CorruptFileException(place, "row count of the index", rowCount, rows);
    }
  }

  @Override
  protected Positions nulls() throws IOException {
    return new Positions(
        RoaringBitmap.andNot(RoaringBitmap.bitmapOfRange(0, rowCount()), slices.existing()));
  }

  @Override
  protected boolean answersRanges() {
    return true;
  }

  @Override
  protected Positions rows(List<KeyInterval<K>> intervals) throws IOException {
    List<Slices.Codes> wanted = new ArrayList<>();
    for (KeyInterval<K> interval : intervals) {
      int from = countBelow(interval);
      int to = from == keyCount ? keyCount : countNotAbove(interval);
      if (from < to) {
        wanted.add(new Slices.Codes(from, to));
      }
    }
    return wanted.isEmpty() ? new Positions() : new Positions(slices.rows(wanted));
  }

  private int countBelow(KeyInterval<K> interval) throws IOException {
    if (keyCount == 0 || !interval.startsAbove(least)) {
      return 0;
    }
    return interval.startsAbove(greatest) ? keyCount : dictionary.countWhile(interval::startsAbove);
  }

  private int countNotAbove(KeyInterval<K> interval) throws IOException {
    if (interval.endsBelow(least)) {
      return 0;
    }
    return interval.endsBelow(greatest)
        ? dictionary.countWhile(key -> !interval.endsBelow(key))
        : keyCount;
  }
}
