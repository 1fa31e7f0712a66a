package io.obelus.core.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PartCacheTest {

  private static final long LIMIT = 10_000;

  @Test
  void a_part_is_that_of_its_path_and_size() {
    PartCache cache = PartCache.of(LIMIT);
    byte[] part = {1, 2, 3};
    cache.put("/t/data-1.parquet", 100, part);
    assertThat(cache.get("/t/data-1.parquet", 100)).isSameAs(part);
    assertThat(cache.get("/t/data-1.parquet", 101)).isNull();
    assertThat(cache.get("/t/data-2.parquet", 100)).isNull();
  }

  @Test
  void what_was_used_longest_ago_goes_first() {
    PartCache cache = PartCache.of(LIMIT);
    for (int i = 0; i < 10; i++) {
      cache.put("/" + i, 1, new byte[700]); // about 904 bytes each: eleven fit
    }
    assertThat(cache.get("/0", 1)).isNotNull();
    cache.put("/10", 1, new byte[700]);
    cache.put("/11", 1, new byte[700]);
    assertThat(cache.get("/0", 1)).isNotNull();
    assertThat(cache.get("/1", 1)).isNull();
    assertThat(cache.get("/2", 1)).isNotNull();
  }

  @Test
  void a_part_that_would_push_out_many_is_not_remembered() {
    PartCache cache = PartCache.of(LIMIT);
    cache.put("/large", 1, new byte[(int) LIMIT / 8]);
    assertThat(cache.get("/large", 1)).isNull();
    assertThat(cache.bytes()).isZero();
  }

  @Test
  void without_room_nothing_is_remembered_and_others_keep_theirs() {
    PartCache cache = PartCache.ofJvm(1 << 20);
    cache.put("/kept of PartCacheTest", 1, new byte[10]);
    PartCache none = PartCache.ofJvm(0);
    none.put("/none", 1, new byte[10]);
    assertThat(none.get("/none", 1)).isNull();
    assertThat(none.bytes()).isZero();
    assertThat(cache.get("/kept of PartCacheTest", 1)).isNotNull();
    PartCache.ofJvm(1);
    assertThat(cache.bytes()).isZero();
    PartCache.ofJvm(32 << 20); // as it is by default
  }

  @Test
  void it_never_takes_more_than_it_may() {
    Seeds.each(
        random -> {
          PartCache cache = PartCache.of(LIMIT);
          for (int i = 0; i < 1000; i++) {
            String path = "/" + random.nextInt(50);
            byte[] known = cache.get(path, 1);
            if (known != null && random.nextBoolean()) {
              assertThat(known[0]).isEqualTo((byte) path.hashCode());
            } else {
              byte[] part = new byte[1 + random.nextInt(2000)];
              part[0] = (byte) path.hashCode();
              cache.put(path, 1, part);
            }
            assertThat(cache.bytes()).isBetween(0L, LIMIT);
          }
        });
  }

  @Test
  void tasks_share_it() throws Exception {
    PartCache cache = PartCache.of(LIMIT);
    ExecutorService tasks = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int task = 0; task < 4; task++) {
        done.add(
            tasks.submit(
                () -> {
                  for (int i = 0; i < 20_000; i++) {
                    String path = "/" + i % 40;
                    byte[] known = cache.get(path, 1);
                    if (known == null) {
                      cache.put(path, 1, path.getBytes(UTF_8));
                    } else {
                      assertThat(known).isEqualTo(path.getBytes(UTF_8));
                    }
                  }
                }));
      }
      for (Future<?> task : done) {
        task.get();
      }
      assertThat(cache.bytes()).isBetween(1L, LIMIT);
    } finally {
      tasks.shutdownNow();
    }
  }
}
