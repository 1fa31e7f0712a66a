package io.obelus.spark.option;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TimeTravel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Where in a table's history a read begins, as an option of the reader says it. Only a statement
 * can say it: in the settings of a session it would hold for tables that it was not meant for.
 *
 * <pre>
 *   scan.snapshot-id       number of a snapshot
 *   scan.tag-name          a tag
 *   scan.version           either, like VERSION AS OF; also versionAsOf
 *   scan.timestamp         '2024-01-31 12:00:00' in the session's time zone; also timestampAsOf
 *   scan.timestamp-millis  milliseconds since 1970
 * </pre>
 *
 * @param option its name
 */
public record ScanPosition(String option, String value) {

  private static final String SNAPSHOT = "scan.snapshot-id";
  private static final String TAG = "scan.tag-name";
  private static final String VERSION = "scan.version";
  private static final String TIMESTAMP = "scan.timestamp";
  private static final String MILLIS = "scan.timestamp-millis";
  private static final String VERSION_AS_OF = "versionasof";
  private static final String TIMESTAMP_AS_OF = "timestampasof";

  /** Names of the options, in lower case, but for those that Spark itself knows. */
  static final Set<String> NAMES = Set.of(SNAPSHOT, TAG, VERSION, TIMESTAMP, MILLIS);

  /**
   * What the options say; empty if they say nothing about it.
   *
   * @param options of a reader; names in any case
   * @throws IllegalArgumentException if they name more than one position, or a wrong one
   */
  public static Optional<ScanPosition> of(Map<String, String> options) {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(options);
    List<ScanPosition> found = new ArrayList<>();
    for (String name :
        List.of(SNAPSHOT, TAG, VERSION, TIMESTAMP, MILLIS, VERSION_AS_OF, TIMESTAMP_AS_OF)) {
      if (anyCase.containsKey(name)) {
        found.add(new ScanPosition(name, anyCase.get(name).strip()));
      }
    }
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          "options %s each say where in its history the table is read; give one of them"
              .formatted(found.stream().map(ScanPosition::option).toList()));
    }
    return found.stream().findFirst();
  }

  public ScanPosition {
    boolean number = option.equals(SNAPSHOT) || option.equals(MILLIS);
    if (number && !value.matches("\\d{1,18}")) {
      throw StatementOptions.bad(option, value, "a whole number");
    }
  }

  /** What to ask a catalog for as a version; empty if the position is a time. */
  public Optional<String> version() {
    return switch (option) {
      case SNAPSHOT, TAG, VERSION, VERSION_AS_OF -> Optional.of(value);
      default -> Optional.empty();
    };
  }

  /**
   * Whether a tag and a snapshot of the same name are told apart, which {@link #version} cannot.
   */
  public boolean saysMoreThanVersion() {
    return option.equals(SNAPSHOT) || option.equals(TAG);
  }

  /** What to ask a catalog for as a timestamp, as a text that Spark reads; else empty. */
  public Optional<String> timestamp() {
    return switch (option) {
      case TIMESTAMP, TIMESTAMP_AS_OF -> Optional.of(value);
      case MILLIS -> Optional.of(Instant.ofEpochMilli(Long.parseLong(value)).toString());
      default -> Optional.empty();
    };
  }

  /** The snapshot of {@code table}; IllegalArgumentException says what there is if it has none. */
  public Snapshot in(Table table) {
    TimeTravel travel = new TimeTravel(table);
    try {
      return switch (option) {
        case SNAPSHOT -> travel.snapshot(Long.parseLong(value));
        case TAG -> travel.tag(value);
        case VERSION, VERSION_AS_OF -> travel.version(value);
        case MILLIS -> travel.asOf(Long.parseLong(value));
        default -> travel.asOf(Math.floorDiv(micros(option, value), 1000L));
      };
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the snapshots of " + table.name() + " could not be read: " + e.getMessage(), e);
    }
  }

  /** A time of the session's zone in microseconds since 1970. */
  static long micros(String option, String value) {
    scala.Option<Object> micros =
        DateTimeUtils.stringToTimestamp(
            UTF8String.fromString(value),
            DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone()));
    if (micros.isEmpty()) {
      throw StatementOptions.bad(option, value, "a time such as '2024-01-31 12:00:00'");
    }
    return (Long) micros.get();
  }
}
