package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes {@code [start, start + length)} of another payload, which must have them. */
record PayloadSlice(Payload whole, int start, int length) implements Payload {

  PayloadSlice {
    Payload.checkRange(whole, start, length);
  }

  @Override
  public int gap() {
    return whole.gap();
  }

  @Override
  public Place place(int at) {
    return whole.place(start + at);
  }

  @Override
  public ByteBuffer read(int from, int count) throws IOException {
    Payload.checkRange(this, from, count);
    return whole.read(start + from, count);
  }
}
