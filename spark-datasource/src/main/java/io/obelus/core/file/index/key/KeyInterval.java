package io.obelus.core.file.index.key;

/**
 * Keys between two ends. Immutable.
 *
 * @param from null if there is no lower end
 * @param to null if there is no upper end
 */
public record KeyInterval<K extends Comparable<K>>(
    K from, boolean fromInclusive, K to, boolean toInclusive) {

  static <K extends Comparable<K>> KeyInterval<K> below(K end, boolean inclusive) {
    return new KeyInterval<>(null, false, end, inclusive);
  }

  static <K extends Comparable<K>> KeyInterval<K> above(K end, boolean inclusive) {
    return new KeyInterval<>(end, inclusive, null, false);
  }

  /** Whether {@code key} lies below all keys of the interval. */
  public boolean startsAbove(K key) {
    if (from == null) {
      return false;
    }
    int order = key.compareTo(from);
    return order < 0 || (order == 0 && !fromInclusive);
  }

  /** Whether {@code key} lies above all keys of the interval. */
  public boolean endsBelow(K key) {
    if (to == null) {
      return false;
    }
    int order = key.compareTo(to);
    return order > 0 || (order == 0 && !toInclusive);
  }

  public boolean contains(K key) {
    return !startsAbove(key) && !endsBelow(key);
  }
}
