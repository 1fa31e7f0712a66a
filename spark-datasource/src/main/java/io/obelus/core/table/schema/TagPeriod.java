package io.obelus.core.table.schema;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * How often a table is tagged automatically, and what the tags are called: {@code 2024-01-31} or
 * {@code 2024-01-31 13}, for the day or the hours that begin then.
 *
 * @param length of a period, a divisor of a day
 * @param delay so long after its end a period still waits for commits
 * @param names of the beginnings of periods
 * @param zone of the clock on the wall
 */
public record TagPeriod(Duration length, Duration delay, String names, ZoneId zone) {

  /** The name of the last period that was over at a time, in milliseconds since 1970. */
  public String due(long millis) {
    LocalDateTime now = LocalDateTime.ofInstant(Instant.ofEpochMilli(millis).minus(delay), zone);
    long sinceMidnight = now.toLocalTime().toSecondOfDay() % length.toSeconds();
    return formatter().format(now.minusSeconds(sinceMidnight).minus(length));
  }

  /** Whether a tag has such a name. */
  public boolean isName(String tag) {
    try {
      return formatter().format(formatter().parse(tag)).equals(tag);
    } catch (DateTimeException e) {
      return false;
    }
  }

  private DateTimeFormatter formatter() {
    return DateTimeFormatter.ofPattern(names);
  }
}
