package io.obelus.testing;

import java.security.SecureRandom;
import java.util.Random;

/** Runs a random test with twenty fresh seeds, or with the one in {@code -Dseed=…}. */
public final class Seeds {

  private static final int FRESH = 20;

  private Seeds() {}

  /** One random test: all its chance comes out of {@code random}. */
  @FunctionalInterface
  public interface RandomTest {
    void run(Random random) throws Exception;
  }

  /** Runs {@code test} once per seed; the message of a failure says how to see it again. */
  public static void each(RandomTest test) {
    each(FRESH, test);
  }

  /** As {@link #each(RandomTest)} for a dear or a cheap test: {@code fresh} seeds unless given. */
  public static void each(int fresh, RandomTest test) {
    String given = System.getProperty("seed", "").trim();
    if (!given.isEmpty()) {
      run(Long.parseLong(given), test);
      return;
    }
    SecureRandom seeds = new SecureRandom();
    for (int i = 0; i < fresh; i++) {
      run(seeds.nextLong(), test);
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
