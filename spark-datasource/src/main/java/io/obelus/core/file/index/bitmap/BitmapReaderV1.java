package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.file.index.key.KeyInterval;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Reads version 1, all of it at once: where its dictionary ends is known at its end only. */
final class BitmapReaderV1<K extends Comparable<K>> extends BitmapReader<K> {

  private final NavigableMap<K, Entry> entries;

  private BitmapReaderV1(
      KeyCoding<K> coding,
      BitmapHead head,
      BodyReader body,
      NavigableMap<K, Entry> entries,
      Place place) {
    super(coding, head, body, place);
    this.entries = entries;
  }

  static <K extends Comparable<K>> BitmapReaderV1<K> open(
      KeyCoding<K> coding, Payload stored, long rowCount) throws IOException {
    Payload payload = Payload.of(stored.readAll(), stored.place(0));
    KeyInput in = KeyInput.ofAll(payload, 1, payload.length());
    BitmapHead head = BitmapHead.read(in, rowCount, false);
    TreeMap<K, Entry> entries = new TreeMap<>();
    for (int i = 0; i < head.values(); i++) {
      Place place = in.place();
      K key = coding.read(in, "value");
      if (entries.put(key, new Entry(in.intOf("offset of a bitmap"), 0)) != null) {
        throw new CorruptFileException(place, "value " + coding.value(key) + " is there twice");
      }
    }
    BodyReader body = new BodyReader(payload, in.position(), rowCount);
    Lengths lengths = new Lengths(head, entries, in.left());
    entries.replaceAll((key, entry) -> body.checked(lengths.of(entry), payload.place(0)));
    Entry nulls =
        head.nulls() == null ? null : body.checked(lengths.of(head.nulls()), payload.place(0));
    return new BitmapReaderV1<>(
        coding, new BitmapHead(rowCount, head.values(), nulls), body, entries, payload.place(0));
  }

  /** A bitmap ends where the next one in the body starts. */
  private static final class Lengths {
    private final int[] starts; // ascending, and the end of the body

    Lengths(BitmapHead head, Map<?, Entry> entries, int bodyBytes) {
      IntStream offsets = entries.values().stream().mapToInt(Entry::offset);
      if (head.nulls() != null) {
        offsets = IntStream.concat(offsets, IntStream.of(head.nulls().offset()));
      }
      starts =
          IntStream.concat(offsets.filter(offset -> offset >= 0), IntStream.of(bodyBytes))
              .sorted()
              .toArray();
    }

    Entry of(Entry entry) {
      if (entry.isOneRow()) {
        return entry;
      }
      int next = Arrays.binarySearch(starts, entry.offset()) + 1;
      int end = next < starts.length ? starts[next] : entry.offset();
      return new Entry(entry.offset(), end - entry.offset());
    }
  }

  @Override
  protected Positions rows(List<KeyInterval<K>> intervals) throws IOException {
    List<Entry> found = new ArrayList<>();
    for (KeyInterval<K> interval : intervals) {
      found.addAll(within(interval).values());
    }
    return new Positions(body().union(found));
  }

  private NavigableMap<K, Entry> within(KeyInterval<K> interval) {
    NavigableMap<K, Entry> within = entries;
    if (interval.from() != null) {
      within = within.tailMap(interval.from(), interval.fromInclusive());
    }
    if (interval.to() != null) {
      within = within.headMap(interval.to(), interval.toInclusive());
    }
    return within;
  }

  @Override
  void forEach(EntryAction<K> action) throws IOException {
    for (Map.Entry<K, Entry> entry : entries.entrySet()) {
      action.accept(entry.getKey(), entry.getValue());
    }
  }
}
