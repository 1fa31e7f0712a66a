package io.obelus.core.row;

/** What a row does to its key; the byte is how files keep it (spec chapter 07). */
public enum RowKind {
  INSERT((byte) 0, "+I"),
  UPDATE_BEFORE((byte) 1, "-U"),
  UPDATE_AFTER((byte) 2, "+U"),
  DELETE((byte) 3, "-D");

  private static final RowKind[] BY_BYTE = values();

  private final byte code;
  private final String text;

  RowKind(byte code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The byte in column {@code _VALUE_KIND}. */
  public byte code() {
    return code;
  }

  /** {@code +I}, {@code -U}, {@code +U} or {@code -D}. */
  public String text() {
    return text;
  }

  /** Whether the row takes back an earlier one of its key instead of adding one. */
  public boolean isRetract() {
    return isRetract(code);
  }

  /** {@link #isRetract()} of a byte, for loops over rows. */
  public static boolean isRetract(byte code) {
    return code == 1 || code == 3;
  }

  /** The kind of a byte; IllegalArgumentException if it is none of 0 to 3. */
  public static RowKind of(byte code) {
    if (code < 0 || code >= BY_BYTE.length) {
      throw new IllegalArgumentException("row kind should be 0 to 3 but is " + code);
    }
    return BY_BYTE[code];
  }

  /** The kind of a text such as {@code +I}; IllegalArgumentException if it is none of the four. */
  public static RowKind of(String text) {
    for (RowKind kind : BY_BYTE) {
      if (kind.text.equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "row kind should be one of +I, -U, +U, -D but is '" + text + "'");
  }
}
