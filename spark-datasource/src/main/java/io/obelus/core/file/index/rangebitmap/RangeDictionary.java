package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * The keys of a range bitmap: read first is what stands about the chunks, then the chunk that a key
 * may be in.
 */
final class RangeDictionary<K extends Comparable<K>> {

  private final KeyCoding<K> coding;
  private final Payload payload;
  private final int from;
  private final int to;
  private final int keyCount;

  private List<Chunk<K>> chunks; // null until they are read
  private int lastRead = -1;
  private List<K> lastFurther; // those of the chunk with number lastRead

  /** A chunk's first key, that key's code, and where its further keys stand in the payload. */
  private record Chunk<K>(K first, int code, int further, int offsetBytes, int from, int to) {}

  /** The dictionary in {@code [from, to)} of the payload. */
  RangeDictionary(KeyCoding<K> coding, Payload payload, int from, int to, int keyCount) {
    this.coding = coding;
    this.payload = payload;
    this.from = from;
    this.to = to;
    this.keyCount = keyCount;
  }

  /**
   * Number of keys, from the least on, for which {@code test} holds.
   *
   * @param test does not hold for a key above one for which it does not
   */
  int countWhile(Predicate<K> test) throws IOException {
    List<Chunk<K>> all = chunks();
    int chunk = firstNot(all.size(), i -> test.test(all.get(i).first)) - 1;
    if (chunk < 0) {
      return 0;
    }
    List<K> further = further(chunk);
    return all.get(chunk).code + 1 + firstNot(further.size(), i -> test.test(further.get(i)));
  }

  /** The first of {@code [0, count)} for which the test does not hold, or {@code count}. */
  private static int firstNot(int count, IntPredicate test) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (test.test(middle)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private List<Chunk<K>> chunks() throws IOException {
    if (chunks == null) {
      chunks = readChunks();
    }
    return chunks;
  }

  private List<Chunk<K>> readChunks() throws IOException {
    KeyInput in = KeyInput.of(payload, from, to);
    in.expect(RangeBitmapFormat.DICTIONARY_HEAD, "size of the dictionary's head");
    RangeBitmapReader.checkVersion(in, "dictionary of a range bitmap");
    int count = in.countOf("number of chunks", Integer.BYTES);
    in.expect(Integer.BYTES * count, "size of the offsets");
    int headBytes = in.countOf("size of the chunks' heads", 1);
    int headsFrom = in.position() + Integer.BYTES * count;
    if (headBytes > to - headsFrom) {
      throw new CorruptFileException(
          in.place(), "size of the chunks' heads", "at most " + (to - headsFrom), headBytes);
    }
    int[] offsets = new int[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = in.intOf("offset of a chunk's head");
    }
    KeyInput heads = KeyInput.ofAll(payload, headsFrom, headsFrom + headBytes);
    List<Chunk<K>> read = new ArrayList<>(count);
    int code = 0;
    for (int offset : offsets) {
      if (offset != heads.position() - headsFrom) {
        throw new CorruptFileException(
            heads.place(), "offset of a chunk's head", heads.position() - headsFrom, offset);
      }
      Chunk<K> chunk = readChunk(heads, code, headsFrom + headBytes);
      if (!read.isEmpty() && chunk.first.compareTo(read.get(read.size() - 1).first) <= 0) {
        throw new CorruptFileException(heads.place(), "keys should ascend but do not");
      }
      read.add(chunk);
      code = chunk.code + 1 + chunk.further;
    }
    if (code != keyCount || heads.left() > 0) {
      throw new CorruptFileException(
          heads.place(), "keys in the dictionary", keyCount + " and no byte more", code);
    }
    return read;
  }

  private Chunk<K> readChunk(KeyInput in, int code, int furtherStart) throws IOException {
    RangeBitmapReader.checkVersion(in, "chunk of a dictionary");
    K first = coding.read(in, "first key of a chunk");
    in.expect(code, "code of a chunk's first key");
    Place place = in.place();
    int start = in.intOf("start of the further keys");
    int count = in.intOf("number of further keys");
    int offsets = 0;
    int bytes;
    if (coding.fixedSize() == 0) {
      offsets = in.intOf("size of the offsets of texts");
      bytes = in.intOf("size of the further keys");
    } else {
      bytes = in.intOf("size of the further keys");
      in.expect(coding.fixedSize(), "size of a key");
    }
    long room = to - (long) furtherStart - start;
    if (start < 0
        || count < 0
        || count >= keyCount - code
        || bytes < 0
        || offsets != (coding.fixedSize() == 0 ? (long) Integer.BYTES * count : 0)
        || bytes < (long) count * coding.leastSize()
        || (coding.fixedSize() > 0 && bytes != (long) count * coding.fixedSize())
        || (long) offsets + bytes > room) {
      throw new CorruptFileException(
          place,
          "%d further keys in %d + %d bytes from byte %d on should be within the dictionary but are not"
              .formatted(count, offsets, bytes, start));
    }
    int at = furtherStart + start;
    return new Chunk<>(first, code, count, offsets, at, at + offsets + bytes);
  }

  /** The keys of a chunk that follow its first. */
  private List<K> further(int number) throws IOException {
    if (number != lastRead) {
      lastFurther = readFurther(number);
      lastRead = number;
    }
    return lastFurther;
  }

  private List<K> readFurther(int number) throws IOException {
    Chunk<K> chunk = chunks.get(number);
    KeyInput in = KeyInput.ofAll(payload, chunk.from, chunk.to);
    int[] offsets = new int[chunk.offsetBytes / Integer.BYTES];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = in.intOf("offset of a text");
    }
    int start = in.position();
    List<K> keys = new ArrayList<>(chunk.further);
    K last = chunk.first;
    for (int i = 0; i < chunk.further; i++) {
      Place place = in.place();
      if (i < offsets.length && offsets[i] != in.position() - start) {
        throw new CorruptFileException(
            place, "offset of a text", in.position() - start, offsets[i]);
      }
      K key = coding.read(in, "key");
      if (key.compareTo(last) <= 0) {
        throw new CorruptFileException(place, "keys should ascend but do not");
      }
      keys.add(key);
      last = key;
    }
    boolean ends = number + 1 == chunks.size();
    if (in.left() > 0 || (!ends && last.compareTo(chunks.get(number + 1).first) >= 0)) {
      throw new CorruptFileException(
          in.place(),
          "chunk %d should end here, below the next one, but does not".formatted(number));
    }
    return keys;
  }
}
