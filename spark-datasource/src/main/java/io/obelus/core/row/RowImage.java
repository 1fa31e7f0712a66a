package io.obelus.core.row;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes some columns of rows as row images (spec chapter 05). Thread-safe and without state. */
final class RowImage {

  private final int[] columns;
  private final ValueCodec[] codecs;

  /**
   * @param columns indexes in rows of {@code type} of the columns that become the image, in order
   */
  RowImage(RowType type, int[] columns) {
    List<Column> chosen = new ArrayList<>();
    for (int column : columns) {
      chosen.add(type.column(column));
    }
    this.columns = columns.clone();
    this.codecs = ValueCodec.of(chosen);
  }

  /** Appends the image of a row: row kind 0, null bits, slots, items. */
  void write(InternalRow row, ImageBuffer to) {
    ValueCodec.writeRow(row, columns, codecs, to);
  }

  /** The row that an image holds, row kind left out. */
  InternalRow read(Image image) {
    return ValueCodec.readRow(image, codecs);
  }
}
