package io.obelus.procedure;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/** The values of one call, by name of the parameter. A parameter given as NULL is not given. */
public final class Arguments {

  /**
   * A value as it stands in the call.
   *
   * @param name null if the call gives none
   * @param value as Spark's rows hold it
   */
  public record Given(String name, DataType type, Object value) {}

  private final Map<String, Object> values;

  private Arguments(Map<String, Object> values) {
    this.values = values;
  }

  /**
   * Matches what a call gives with the parameters of its procedure.
   *
   * @throws IllegalArgumentException for an argument that is unknown, given twice, missing or of
   *     another type; the message names procedure and argument
   */
  public static Arguments of(Procedure procedure, List<Given> given) {
    Map<String, Object> values = new HashMap<>();
    for (int i = 0; i < given.size(); i++) {
      Procedure.Parameter parameter = parameter(procedure, given.get(i).name(), i);
      if (values.containsKey(parameter.name())) {
        throw bad(procedure, "argument '" + parameter.name() + "' is given twice");
      }
      values.put(parameter.name(), value(procedure, parameter, given.get(i)));
    }
    for (Procedure.Parameter parameter : procedure.parameters()) {
      if (parameter.required() && values.get(parameter.name()) == null) {
        throw bad(procedure, "argument '" + parameter.name() + "' is missing");
      }
    }
    return new Arguments(values);
  }

  private static Procedure.Parameter parameter(Procedure procedure, String name, int position) {
    List<Procedure.Parameter> parameters = procedure.parameters();
    if (name == null) {
      if (position >= parameters.size()) {
        throw bad(procedure, "there are more arguments than it has");
      }
      return parameters.get(position);
    }
    for (Procedure.Parameter parameter : parameters) {
      if (parameter.name().equalsIgnoreCase(name)) {
        return parameter;
      }
    }
    throw bad(procedure, "there is no argument '" + name + "'");
  }

  private static Object value(Procedure procedure, Procedure.Parameter parameter, Given given) {
    if (given.value() == null || given.type() instanceof NullType) {
      return null;
    }
    if (parameter.type() instanceof TimestampType) {
      return time(procedure, parameter, given);
    }
    if (parameter.type() instanceof DoubleType && given.type() instanceof NumericType) {
      return ((Number) given.value()).doubleValue();
    }
    boolean fits =
        given.type().sameType(parameter.type())
            || given.type() instanceof IntegerType && parameter.type() instanceof LongType;
    if (!fits) {
      throw wrong(procedure, parameter, given.type().sql());
    }
    return given.value();
  }

  /** A time, or a text that is one in the session's time zone. */
  private static Instant time(Procedure procedure, Procedure.Parameter parameter, Given given) {
    if (given.value() instanceof Instant instant) {
      return instant;
    } else if (given.value() instanceof Timestamp timestamp) {
      return timestamp.toInstant();
    } else if (given.value() instanceof String text) {
      scala.Option<Object> micros =
          DateTimeUtils.stringToTimestamp(
              UTF8String.fromString(text),
              DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone()));
      if (micros.nonEmpty()) {
        return DateTimeUtils.microsToInstant((Long) micros.get());
      }
      throw wrong(procedure, parameter, "'" + text + "'");
    }
    throw wrong(procedure, parameter, given.type().sql());
  }

  private static IllegalArgumentException wrong(
      Procedure procedure, Procedure.Parameter parameter, String found) {
    return bad(
        procedure,
        "argument '%s' should be of type %s but is %s"
            .formatted(parameter.name(), parameter.type().sql(), found));
  }

  private static IllegalArgumentException bad(Procedure procedure, String problem) {
    return new IllegalArgumentException(
        "procedure sys.%s: %s. Its arguments are %s."
            .formatted(procedure.name(), problem, procedure.parameters()));
  }

  /** A text. */
  public Optional<String> text(String name) {
    return Optional.ofNullable((String) values.get(name));
  }

  /** A whole number. */
  public Optional<Long> number(String name) {
    Number value = (Number) values.get(name);
    return value == null ? Optional.empty() : Optional.of(value.longValue());
  }

  /** A number. */
  public Optional<Double> real(String name) {
    return Optional.ofNullable((Double) values.get(name));
  }

  /** A whole number from {@code least} to the largest int; else IllegalArgumentException. */
  public Optional<Integer> count(String name, int least) {
    Optional<Long> number = number(name);
    if (number.isPresent() && (number.get() < least || number.get() > Integer.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "argument '%s' should be a whole number from %d to %d but is %d"
              .formatted(name, least, Integer.MAX_VALUE, number.get()));
    }
    return number.map(Long::intValue);
  }

  /** A point in time. */
  public Optional<Instant> time(String name) {
    return Optional.ofNullable((Instant) values.get(name));
  }

  /** A flag. */
  public boolean flag(String name, boolean otherwise) {
    Object value = values.get(name);
    return value == null ? otherwise : (Boolean) value;
  }

  /** Whether the call gives a value. */
  public boolean has(String name) {
    return values.get(name) != null;
  }
}
