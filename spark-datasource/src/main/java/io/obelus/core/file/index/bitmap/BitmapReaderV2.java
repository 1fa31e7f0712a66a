package io.obelus.core.file.index.bitmap;

import static java.util.Comparator.naturalOrder;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.file.index.key.KeyInterval;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Reads version 2 as far as an answer needs it: the head with the directory of blocks, then the
 * blocks that may hold a value, then the bitmaps of the values.
 */
final class BitmapReaderV2<K extends Comparable<K>> extends BitmapReader<K> {

  private final Payload payload;
  private final List<BlockHead<K>> directory;
  private int lastRead = -1;
  private Block<K> lastBlock; // that with number lastRead

  /** A block of the bytes {@code [from, to)} of the payload, not yet read. */
  private record BlockHead<K>(K firstKey, int from, int to) {}

  /** A block that was read: keys ascend. */
  private record Block<K>(List<K> keys, List<Entry> entries) {}

  private BitmapReaderV2(
      KeyCoding<K> coding,
      BitmapHead head,
      BodyReader body,
      Payload payload,
      List<BlockHead<K>> directory) {
    super(coding, head, body, payload.place(0));
    this.payload = payload;
    this.directory = directory;
  }

  static <K extends Comparable<K>> BitmapReaderV2<K> open(
      KeyCoding<K> coding, Payload payload, long rowCount) throws IOException {
    KeyInput in = KeyInput.of(payload, 1, payload.length());
    BitmapHead head = BitmapHead.read(in, rowCount, true);
    Place place = in.place();
    int count = in.countOf("number of blocks", coding.leastSize() + Integer.BYTES);
    if (count > head.values() || (count == 0) != (head.values() == 0)) {
      throw new CorruptFileException(
          place, "number of blocks", "right for %d values".formatted(head.values()), count);
    }
    List<K> firstKeys = new ArrayList<>(count);
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      place = in.place();
      firstKeys.add(ascending(firstKeys, coding.read(in, "first value of a block"), place));
      offsets[i] = in.intOf("offset of a block");
    }
    place = in.place();
    offsets[count] = in.intOf("size of all blocks");
    int start = in.position();
    if (offsets[count] < 0 || offsets[count] > in.left() || offsets[0] != 0) {
      throw new CorruptFileException(
          place,
          "blocks should start at 0 and end by %d but start at %d and end at %d"
              .formatted(in.left(), offsets[0], offsets[count]));
    }
    List<BlockHead<K>> directory = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (offsets[i + 1] < offsets[i]) {
        throw new CorruptFileException(
            place, "end of block " + i, "at least " + offsets[i], offsets[i + 1]);
      }
      directory.add(new BlockHead<>(firstKeys.get(i), start + offsets[i], start + offsets[i + 1]));
    }
    BodyReader body = new BodyReader(payload, start + offsets[count], rowCount);
    if (head.nulls() != null) {
      body.checked(head.nulls(), payload.place(0));
    }
    return new BitmapReaderV2<>(coding, head, body, payload, directory);
  }

  /** The key; it must be above the last one. */
  private static <K extends Comparable<K>> K ascending(List<K> before, K key, Place place) {
    if (!before.isEmpty() && key.compareTo(before.get(before.size() - 1)) <= 0) {
      throw new CorruptFileException(place, "values should ascend but do not");
    }
    return key;
  }

  @Override
  protected Positions rows(List<KeyInterval<K>> intervals) throws IOException {
    List<KeyInterval<K>> ascending = new ArrayList<>(intervals); // so that a block is read once
    ascending.sort(Comparator.comparing(KeyInterval::from, Comparator.nullsFirst(naturalOrder())));
    List<Entry> found = new ArrayList<>();
    for (KeyInterval<K> interval : ascending) {
      for (int i = firstBlock(interval); i < directory.size() && reaches(interval, i); i++) {
        addEntries(block(i), interval, found);
      }
    }
    return new Positions(body().union(found));
  }

  private boolean reaches(KeyInterval<K> interval, int block) {
    return !interval.endsBelow(directory.get(block).firstKey);
  }

  /** The last block that starts below the interval, or the first of all. */
  private int firstBlock(KeyInterval<K> interval) {
    int starting =
        firstNotBelow(directory.size(), i -> interval.startsAbove(directory.get(i).firstKey));
    return Math.max(0, starting - 1);
  }

  private void addEntries(Block<K> block, KeyInterval<K> interval, List<Entry> found) {
    int i = firstNotBelow(block.keys.size(), at -> interval.startsAbove(block.keys.get(at)));
    while (i < block.keys.size() && !interval.endsBelow(block.keys.get(i))) {
      found.add(block.entries.get(i++));
    }
  }

  /** The first of {@code [0, count)} that is not below something, or {@code count}. */
  private static int firstNotBelow(int count, IntPredicate below) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (below.test(middle)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private Block<K> block(int number) throws IOException {
    if (number != lastRead) {
      lastBlock = read(number);
      lastRead = number;
    }
    return lastBlock;
  }

  private Block<K> read(int number) throws IOException {
    BlockHead<K> head = directory.get(number);
    KeyInput in = KeyInput.ofAll(payload, head.from, head.to);
    int count = in.countOf("values of a block", coding().leastSize() + BitmapFormat.ENTRY_BYTES);
    List<K> keys = new ArrayList<>(count);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Place place = in.place();
      keys.add(ascending(keys, coding().read(in, "value"), place));
      Entry entry = new Entry(in.intOf("offset of a bitmap"), in.intOf("length of a bitmap"));
      entries.add(body().checked(entry, place));
    }
    checkEnds(number, keys, in);
    return new Block<>(keys, entries);
  }

  /** A block begins as the directory says, stays below the next one, and ends where it does. */
  private void checkEnds(int number, List<K> keys, KeyInput in) {
    boolean last = number + 1 == directory.size();
    if (keys.isEmpty()
        || !keys.get(0).equals(directory.get(number).firstKey)
        || (!last
            && keys.get(keys.size() - 1).compareTo(directory.get(number + 1).firstKey) >= 0)) {
      throw new CorruptFileException(
          payload.place(directory.get(number).from),
          "values of block %d should be those that the directory says but are not"
              .formatted(number));
    }
    if (in.left() > 0) {
      throw new CorruptFileException(
          in.place(),
          "%d bytes of block %d should hold a value but do not".formatted(in.left(), number));
    }
  }

  @Override
  void forEach(EntryAction<K> action) throws IOException {
    int values = 0;
    for (int number = 0; number < directory.size(); number++) {
      Block<K> block = read(number);
      for (int i = 0; i < block.keys.size(); i++) {
        action.accept(block.keys.get(i), block.entries.get(i));
      }
      values += block.keys.size();
    }
    if (values != valueCount()) {
      throw new CorruptFileException(
          payload.place(0), "values in the blocks", valueCount(), values);
    }
  }
}
