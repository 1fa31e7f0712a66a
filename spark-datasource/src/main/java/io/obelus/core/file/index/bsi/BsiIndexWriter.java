package io.obelus.core.file.index.bsi;

import io.obelus.core.file.index.bsi.BsiFormat.Content;
import io.obelus.core.file.index.kind.IndexWriter;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * Cuts numbers into slices as they come: 64 rows of numbers become 64 words of bits in one go, and
 * 65536 rows of words one Roaring container per slice. The numbers themselves are not kept.
 */
final class BsiIndexWriter implements IndexWriter {

  private static final int GROUP = Long.SIZE;

  private final Numbers numbers;
  private int rows;
  private boolean impossible; // a value was met that cannot be held

  private final long[] group = new long[GROUP]; // absolute values of the latest rows, 0 for null
  private long groupExists; // bit i: row i of the group has a number,
  private long groupNegative; // and it is below 0
  private final BitBlock block = new BitBlock();
  private SlicesBuilder nonNegative = new SlicesBuilder();
  private SlicesBuilder negative = new SlicesBuilder();

  BsiIndexWriter(Numbers numbers) {
    this.numbers = numbers;
  }

  @Override
  public void add(SpecializedGetters values, int ordinal) {
    if (values.isNullAt(ordinal)) {
      addNull();
      return;
    }
    long number = numbers.get(values, ordinal);
    if (number == Numbers.NONE) {
      giveUp();
      return;
    }
    add(Math.abs(number), 1, number >>> Long.SIZE - 1);
  }

  @Override
  public void addNull() {
    add(0, 0, 0);
  }

  /** Takes a row; {@code exists} and {@code below} are 1 if it has a number, and one below 0. */
  private void add(long absolute, long exists, long below) {
    int i = rows & GROUP - 1; // not %: after 2^31 rows it is given up, but still called
    group[i] = absolute;
    groupExists |= exists << i;
    groupNegative |= below << i;
    rows++;
    if (i == GROUP - 1 && !impossible) {
      finishGroup();
    }
  }

  private void finishGroup() {
    BitBlock.transpose(group);
    block.put((rows - 1) % BitBlock.ROWS / GROUP, group, groupExists, groupNegative);
    groupExists = 0;
    groupNegative = 0;
    if (rows % BitBlock.ROWS == 0) {
      finishBlock();
    }
  }

  private void finishBlock() {
    if (rows < 0) { // 2^31 of them: more than the format can count
      giveUp();
      return;
    }
    char key = (char) ((rows - 1) / BitBlock.ROWS);
    nonNegative.append(key, block, false);
    negative.append(key, block, true);
    block.clear();
  }

  private void giveUp() {
    impossible = true;
    nonNegative = null;
    negative = null;
  }

  @Override
  public long memory() {
    return impossible ? Long.MAX_VALUE : block.memory() + nonNegative.memory() + negative.memory();
  }

  /** The payload; IllegalStateException if a value was met that the index cannot hold. */
  @Override
  public byte[] finish() {
    if (!impossible && rows % GROUP != 0) {
      Arrays.fill(group, rows % GROUP, GROUP, 0);
      finishGroup();
    }
    if (!impossible && rows % BitBlock.ROWS != 0) {
      finishBlock();
    }
    if (impossible) {
      throw new IllegalStateException("a bsi index cannot hold all values of this file");
    }
    return BsiFormat.write(new Content(rows, nonNegative.build(), negative.build()));
  }
}
