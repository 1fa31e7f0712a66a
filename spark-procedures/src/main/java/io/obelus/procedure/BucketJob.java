package io.obelus.procedure;

import io.obelus.core.bucket.BucketState;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Work on buckets as one Spark job, with a task for each bucket. */
final class BucketJob {

  private static final String DESCRIPTION = "spark.job.description";

  private BucketJob() {}

  /** What a task does. */
  @FunctionalInterface
  interface Work<T extends Serializable> extends Serializable {
    T run(BucketState bucket) throws IOException;
  }

  /**
   * Runs it.
   *
   * @param description of the job, for Spark's UI: {@code "compact db.t"}; the number of buckets is
   *     added
   * @return the results in the order of the buckets
   */
  static <T extends Serializable> List<T> run(
      SparkSession session,
      String description,
      List<BucketState> buckets,
      Class<T> result,
      Work<T> work) {
    if (buckets.isEmpty()) {
      return List.of();
    }
    SparkContext context = session.sparkContext();
    String outer = context.getLocalProperty(DESCRIPTION);
    context.setJobDescription("%s: %d buckets".formatted(description, buckets.size()));
    try {
      byte[] shared = JavaBytes.of(work);
      return JavaSparkContext.fromSparkContext(context)
          .parallelize(
              new ArrayList<>(buckets.stream().map(JavaBytes::of).toList()), buckets.size())
          .map(bucket -> run(shared, bucket))
          .collect()
          .stream()
          .map(bytes -> JavaBytes.read(bytes, result))
          .toList();
    } finally {
      context.setLocalProperty(DESCRIPTION, outer);
    }
  }

  private static byte[] run(byte[] shared, byte[] bucket) throws IOException {
    Work<?> work = JavaBytes.read(shared, Work.class);
    return JavaBytes.of(work.run(JavaBytes.read(bucket, BucketState.class)));
  }
}
