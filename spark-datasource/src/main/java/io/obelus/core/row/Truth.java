package io.obelus.core.row;

/** What a condition says of a row in SQL's three-valued logic. */
public enum Truth {
  TRUE,
  FALSE,
  /** Something that the condition asks for is null. */
  UNKNOWN;

  static Truth of(boolean value) {
    return value ? TRUE : FALSE;
  }

  Truth not() {
    return switch (this) {
      case TRUE -> FALSE;
      case FALSE -> TRUE;
      case UNKNOWN -> UNKNOWN;
    };
  }
}
