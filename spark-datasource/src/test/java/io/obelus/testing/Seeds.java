package io.obelus.testing;

import java.security.SecureRandom;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Runs a random test with many seeds.
 *
 * <pre>
 *   (nothing)       the same seeds each time: what fails was broken by the change that is tested
 *   -Dseed=fresh    seeds nobody has tried: make soak, which looks for what is broken since long
 *   -Dseed=17       that one: to see a failure again
 * </pre>
 */
public final class Seeds {

  private static final int MANY = 20;
  private static final long FIRST = 20260801;

  private Seeds() {}

  /** One random test: all its chance comes out of {@code random}. */
  @FunctionalInterface
  public interface RandomTest {
    void run(Random random) throws Exception;
  }

  /** Runs {@code test} with twenty seeds; the message of a failure says how to see it again. */
  public static void each(RandomTest test) {
    each(MANY, test);
  }

  /** As {@link #each(RandomTest)} with {@code count} seeds, for a dear or a cheap test. */
  public static void each(int count, RandomTest test) {
    String given = System.getProperty("seed", "").trim();
    if (!given.isEmpty() && !given.equals("fresh")) {
      run(Long.parseLong(given), test);
      return;
    }
    LongSupplier seeds =
        given.isEmpty() ? new SplittableRandom(FIRST)::nextLong : new SecureRandom()::nextLong;
    for (int i = 0; i < count; i++) {
      run(seeds.getAsLong(), test);
    }
  }

  private static void run(long seed, RandomTest test) {
    try {
      test.run(new Random(seed));
    } catch (Throwable failure) { // assertion errors above all
      throw new AssertionError(
          "rerun with -Dseed=%d: %s".formatted(seed, failure.getMessage()), failure);
    }
  }
}
