package io.obelus.core.file.index.bitmap;

/**
 * Where the rows of one value stand.
 *
 * @param offset in the body or, below 0, what stands for the only row
 * @param length of the bitmap in bytes; without meaning where there is one row
 */
record Entry(int offset, int length) {

  boolean isOneRow() {
    return offset < 0;
  }

  int row() {
    return BitmapFormat.oneRow(offset);
  }
}
