package io.obelus.core.table.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.obelus.core.table.schema.MetadataJson;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Arrays;

/**
 * Reads and writes tag files (spec chapter 12): a snapshot file, and how long the tag is kept if
 * that is limited.
 *
 * <pre>
 *   {
 *     "version" : 3,                       the snapshot, as SnapshotFormat has it
 *     …
 *     "tagCreateTime" : [ 2026, 11, 30, 2, 16, 11, 716834861 ],   local time down to the nanosecond;
 *                                          seconds and nanoseconds are left out where they are zero
 *     "tagTimeRetained" : 129600.000000000 seconds
 *   }
 * </pre>
 *
 * <p>It has no version but that of the snapshot.
 */
final class TagFormat {

  private static final String CREATED = "tagCreateTime";
  private static final String RETAINED = "tagTimeRetained";
  private static final int NANO_DIGITS = 9;

  private TagFormat() {}

  static byte[] write(Tag tag) {
    ObjectNode json = SnapshotFormat.json(tag.snapshot());
    if (tag.created() != null) {
      writeTime(json.putArray(CREATED), tag.created());
    }
    if (tag.retained() != null) {
      BigDecimal seconds =
          BigDecimal.valueOf(tag.retained().getSeconds())
              .add(BigDecimal.valueOf(tag.retained().getNano(), NANO_DIGITS));
      json.set(RETAINED, DecimalNode.valueOf(seconds.setScale(NANO_DIGITS)));
    }
    return MetadataJson.write(json);
  }

  private static void writeTime(ArrayNode array, LocalDateTime time) {
    array.add(time.getYear()).add(time.getMonthValue()).add(time.getDayOfMonth());
    array.add(time.getHour()).add(time.getMinute());
    if (time.getSecond() > 0 || time.getNano() > 0) {
      array.add(time.getSecond());
    }
    if (time.getNano() > 0) {
      array.add(time.getNano());
    }
  }

  /**
   * @param file path, for errors
   */
  static Tag read(String file, String name, byte[] content) {
    MetadataJson json = MetadataJson.read(file, content);
    return new Tag(
        name,
        SnapshotFormat.read(json),
        json.has(CREATED) ? readTime(json) : null,
        json.has(RETAINED) ? readRetained(json) : null);
  }

  private static LocalDateTime readTime(MetadataJson json) {
    int[] parts = json.smalls(CREATED);
    String wanted = "[ year, month, day, hour, minute, second, nanosecond ]";
    if (parts.length < 5 || parts.length > 7) {
      throw json.wrong(CREATED, wanted, Arrays.toString(parts));
    }
    int second = parts.length > 5 ? parts[5] : 0;
    int nano = parts.length > 6 ? parts[6] : 0;
    try {
      return LocalDateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], second, nano);
    } catch (DateTimeException e) {
      throw json.wrong(CREATED, wanted, Arrays.toString(parts));
    }
  }

  private static Duration readRetained(MetadataJson json) {
    BigDecimal seconds = json.decimal(RETAINED);
    try {
      return Duration.ofNanos(seconds.movePointRight(NANO_DIGITS).longValueExact());
    } catch (ArithmeticException e) {
      throw json.wrong(RETAINED, "a number of seconds below 292 years", seconds);
    }
  }
}
