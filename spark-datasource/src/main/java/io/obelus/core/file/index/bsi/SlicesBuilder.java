package io.obelus.core.file.index.bsi;

import java.util.Arrays;
import org.roaringbitmap.Container;
import org.roaringbitmap.RoaringBitmap;

/** Collects {@link Slices} of one half of the numbers, 65536 rows after the other. */
final class SlicesBuilder {

  private final RoaringBitmap existence = new RoaringBitmap();
  private final RoaringBitmap[] slices = new RoaringBitmap[BitBlock.BITS];
  private int count; // slices from here on are empty
  private long memory;

  SlicesBuilder() {
    for (int i = 0; i < slices.length; i++) {
      slices[i] = new RoaringBitmap();
    }
  }

  /**
   * Takes the next rows.
   *
   * @param key their high 16 bits, above those before
   * @param below the rows below 0, or the others
   */
  void append(char key, BitBlock rows, boolean below) {
    Container existing = rows.existence(below);
    if (existing.isEmpty()) {
      return;
    }
    append(existence, key, existing);
    for (int i = 0; i < slices.length; i++) {
      Container slice = rows.slice(i, below);
      if (slice != null && !slice.isEmpty()) {
        append(slices[i], key, slice);
        count = Math.max(count, i + 1);
      }
    }
  }

  private void append(RoaringBitmap bitmap, char key, Container container) {
    bitmap.append(key, container);
    memory += container.getSizeInBytes();
  }

  /** Bytes held, roughly. */
  long memory() {
    return memory;
  }

  /** What was collected, with as many slices as the largest number has bits. */
  Slices build() {
    return new Slices(0, existence, Arrays.copyOf(slices, count));
  }
}
