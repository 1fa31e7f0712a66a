package io.obelus.core.file.index.key;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/** Keys that are texts as they are stored: CHAR is neither padded nor trimmed. */
final class TextKeys extends KeyCoding<UTF8String> {

  private static final byte LAST = (byte) 0xFF;

  @Override
  public int fixedSize() {
    return 0;
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public UTF8String read(KeyInput in, String what) throws IOException {
    Place place = in.place();
    int size = in.intOf(what);
    if (size < 0 || size > in.left()) {
      throw new CorruptFileException(place, what + ": size", "0 to " + in.left(), size);
    }
    return UTF8String.fromBytes(in.bytesOf(size, what));
  }

  @Override
  public UTF8String value(UTF8String key) {
    return key;
  }

  @Override
  TextTable newTable() {
    return new TextTable();
  }

  @Override
  Literal<UTF8String> literal(Object literal) {
    UTF8String text = (UTF8String) literal;
    return new Literal<>(text, text, false);
  }

  @Override
  KeyInterval<UTF8String> startingWith(UTF8String prefix) {
    return new KeyInterval<>(prefix, true, afterAllWith(prefix.getBytes()), false);
  }

  /** The first text above all that start with {@code prefix}; null if there is none. */
  private static UTF8String afterAllWith(byte[] prefix) {
    int end = prefix.length;
    while (end > 0 && prefix[end - 1] == LAST) {
      end--;
    }
    if (end == 0) {
      return null;
    }
    byte[] after = Arrays.copyOf(prefix, end);
    after[end - 1]++;
    return UTF8String.fromBytes(after);
  }
}
