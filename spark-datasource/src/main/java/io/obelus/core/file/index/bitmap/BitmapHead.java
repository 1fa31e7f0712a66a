package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;

/**
 * What every version of a bitmap index begins with.
 *
 * @param values number of values that are not null
 * @param nulls null if no row is null
 */
record BitmapHead(long rowCount, int values, Entry nulls) {

  /** Reads it from behind the version. */
  static BitmapHead read(KeyInput in, long rowCount, boolean lengths) throws IOException {
    Place place = in.place();
    int rows = in.intOf("row count of the index");
    if (rows != rowCount) {
      throw new CorruptFileException(place, "row count of the index", rowCount, rows);
    }
    place = in.place();
    int values = in.intOf("number of values");
    if (values < 0 || values > rowCount) {
      throw new CorruptFileException(place, "number of values", "0 to " + rowCount, values);
    }
    place = in.place();
    int hasNull = in.byteOf("sign of nulls");
    if (hasNull > 1) {
      throw new CorruptFileException(place, "sign of nulls", "0 or 1", hasNull);
    }
    Entry nulls = null;
    if (hasNull == 1) {
      int offset = in.intOf("offset of the nulls");
      nulls = new Entry(offset, lengths ? in.intOf("length of the nulls") : 0);
    }
    return new BitmapHead(rowCount, values, nulls);
  }
}
