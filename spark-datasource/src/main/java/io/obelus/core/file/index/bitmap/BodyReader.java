package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.RowBitmap;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** The bitmaps of an index, read when they are asked for. */
final class BodyReader {

  private static final String WHAT = "bitmap of a value";

  private final Payload payload;
  private final int start;
  private final long rowCount;

  /** Bitmaps from {@code start} of the payload on, which has that many bytes or more. */
  BodyReader(Payload payload, int start, long rowCount) {
    this.payload = payload;
    this.start = start;
    this.rowCount = rowCount;
  }

  /** The same bitmaps, all of them in memory. */
  BodyReader fetched() throws IOException {
    ByteBuffer bytes = payload.read(start, payload.length() - start);
    return new BodyReader(Payload.of(bytes, payload.place(start)), 0, rowCount);
  }

  /** Refuses an entry that leads out of the body or of the data file. */
  Entry checked(Entry entry, Place place) {
    if (entry.isOneRow()) {
      if (entry.row() >= rowCount) {
        throw new CorruptFileException(place, "row of a value", "below " + rowCount, entry.row());
      }
    } else if (entry.length() < 0 || entry.length() > payload.length() - start - entry.offset()) {
      throw new CorruptFileException(
          place,
          "bitmap of %d bytes at %d should be within the %d bytes of bitmaps but is not"
              .formatted(entry.length(), entry.offset(), payload.length() - start));
    }
    return entry;
  }

  /** The rows of one value. */
  RoaringBitmap rows(Entry entry) throws IOException {
    return union(List.of(entry));
  }

  /** The rows of all these values. */
  RoaringBitmap union(List<Entry> entries) throws IOException {
    RoaringBitmap union = new RoaringBitmap();
    for (Entry entry : entries) {
      if (entry.isOneRow()) {
        union.add(entry.row());
      }
    }
    List<Entry> stored =
        entries.stream()
            .filter(entry -> !entry.isOneRow())
            .sorted(Comparator.comparingInt(Entry::offset))
            .toList();
    for (int from = 0; from < stored.size(); ) {
      int to = endOfRead(stored, from);
      addAll(stored.subList(from, to), union);
      from = to;
    }
    return union;
  }

  /** How far entries, by offset, are near enough to each other to be read together. */
  private int endOfRead(List<Entry> entries, int from) {
    int begin = entries.get(from).offset();
    int end = end(entries.get(from));
    int to = from + 1;
    while (to < entries.size()
        && entries.get(to).offset() - end <= payload.gap()
        && end(entries.get(to)) - begin <= SeekableInput.MOST_AT_ONCE) {
      end = Math.max(end, end(entries.get(to)));
      to++;
    }
    return to;
  }

  private static int end(Entry entry) {
    return entry.offset() + entry.length();
  }

  private void addAll(List<Entry> near, RoaringBitmap union) throws IOException {
    int begin = near.get(0).offset();
    int end = near.stream().mapToInt(BodyReader::end).max().orElseThrow();
    ByteBuffer bytes = payload.read(start + begin, end - begin);
    for (Entry entry : near) {
      ByteBuffer image = bytes.slice(entry.offset() - begin, entry.length());
      Place place = payload.place(start + entry.offset());
      union.or(RowBitmap.readAll(image, place, WHAT, rowCount));
    }
  }
}
