package io.obelus.core.table.commit;

import io.obelus.core.table.schema.TableOptions;
import java.util.concurrent.ThreadLocalRandom;

/** How long a commit waits before it tries again. */
@FunctionalInterface
interface Backoff {

  /**
   * Waits.
   *
   * @param retry 0 before the first retry
   */
  void pause(int retry) throws InterruptedException;

  /** As the table's options say: doubled each time, and up to a fifth more so that writers part. */
  static Backoff of(TableOptions options) {
    long first = options.commitMinRetryWait().toMillis();
    long longest = options.commitMaxRetryWait().toMillis();
    return retry -> {
      long wait = Math.min(longest, retry < 32 ? first << retry : longest);
      Thread.sleep(wait + ThreadLocalRandom.current().nextLong(wait / 5 + 1));
    };
  }
}
