package io.obelus.core.table.schema;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a table asks for by its options, against what this release can do. An option whose feature
 * is missing is refused by name: for a reader if the answer would be wrong without it, for a writer
 * also if other engines would rely on it.
 */
final class Features {

  /** Options that say where in its history a table is read: they would be passed over. */
  private static final List<String> SCAN_POSITIONS =
      List.of(
          "scan.snapshot-id",
          "scan.tag-name",
          "scan.timestamp",
          "scan.timestamp-millis",
          "scan.watermark",
          "scan.version",
          "scan.file-creation-time-millis",
          "scan.creation-time-millis",
          "log.scan.timestamp-millis",
          "incremental-between",
          "incremental-between-timestamp",
          "incremental-to-auto-tag");

  /** Switches that change which files or rows make up a table. */
  private static final List<String> SWITCHES_OF_READERS =
      List.of(
          "data-evolution.enabled",
          "index-file-in-data-file-dir",
          "pk-clustering-override",
          "sequence.snapshot-ordering",
          "chain-table.enabled");

  /** Switches that oblige a writer to something. */
  private static final List<String> SWITCHES_OF_WRITERS =
      List.of("row-tracking.enabled", "ignore-update-before", "delete.force-produce-changelog");

  private static final int MICROS = 6; // digits

  private final TableSchema schema;
  private final TableOptions options;
  private final OptionValues values;

  Features(TableSchema schema) {
    this.schema = schema;
    this.options = new TableOptions(schema);
    this.values = new OptionValues(schema.options());
  }

  private static IllegalArgumentException missing(String option, String value, String why) {
    return new IllegalArgumentException(
        "option '%s' = '%s' is not supported by this release: %s".formatted(option, value, why));
  }

  private void only(String option, String otherwise, List<String> supported, String why) {
    String value = values.text(option, otherwise);
    if (!supported.contains(value.strip().toLowerCase(Locale.ROOT))) {
      throw missing(option, value, why + "; supported: " + String.join(", ", supported));
    }
  }

  private void unset(String option, String why) {
    if (values.has(option)) {
      throw missing(option, values.text(option, ""), why);
    }
  }

  private void off(String option, String why) {
    if (values.flag(option, false)) {
      throw missing(option, "true", why);
    }
  }

  void checkReadable() {
    only("type", "table", List.of("table"), "it is no table of rows and keys");
    if (schema.keyed()) {
      only(
          "merge-engine",
          "deduplicate",
          List.of("deduplicate"),
          "rows of one key would be merged in the wrong way");
    }
    options.bucket();
    options.deletionCoding();
    checkComparable();
    only("manifest.format", "avro", List.of("avro"), "its metadata cannot be read");
    only(
        "branch",
        "main",
        List.of("main"),
        "the table itself would be read instead; name the branch with the table, t$branch_b");
    unset("scan.fallback-branch", "partitions of another branch would be missing");
    unset("data-file.path-directory", "data files lie where they would not be looked for");
    only(
        values.has("scan.mode") ? "scan.mode" : "log.scan", // its older name
        "default",
        List.of("default", "full", "latest", "latest-full"),
        "the newest rows would be read instead; use VERSION AS OF or TIMESTAMP AS OF");
    for (String option : SCAN_POSITIONS) {
      unset(option, "the newest rows would be read instead; use VERSION AS OF or TIMESTAMP AS OF");
    }
    for (String option : SWITCHES_OF_READERS) {
      off(option, "rows would be missing or wrong");
    }
    for (Map.Entry<String, String> option : schema.options().entrySet()) {
      if (option.getKey().matches("fields\\..*\\.default-value")) {
        throw missing(
            option.getKey(), option.getValue(), "use the default value of the column itself");
      }
    }
  }

  /** Spark's time stamps end at the microsecond: keys that differ only below would become one. */
  void checkComparable() {
    List<String> compared = new ArrayList<>(schema.primaryKeys());
    compared.addAll(options.sequenceFields());
    for (String name : compared) {
      ColumnType type = schema.rowType().column(schema.rowType().indexOf(name)).type();
      if (type instanceof Scalar scalar
          && (scalar.kind() == Kind.TIMESTAMP || scalar.kind() == Kind.TIMESTAMP_LTZ)
          && scalar.precision() > MICROS) {
        throw new IllegalArgumentException(
            "column '%s' is part of the key or a sequence field and has type %s: time stamps of Spark end at the microsecond, so that rows that differ below it would be taken for one another"
                .formatted(name, ColumnTypes.print(type)));
      }
    }
  }

  void checkWritable() {
    checkReadable();
    checkBuckets();
    only(
        "changelog-producer",
        "none",
        List.of("none"),
        "streams that read the table would miss changes");
    only(
        TableOptions.FILE_FORMAT,
        "parquet",
        List.of("parquet"),
        "files of other formats cannot be written");
    unset("file.format.per.level", "all files are Parquet");
    unset("file.compression.per.level", "all files are compressed alike");
    unset("data-file.external-paths", "data files are written below the table only");
    only(
        "metadata.iceberg.storage",
        "disabled",
        List.of("disabled"),
        "those who read the table as one of Iceberg would miss what is written");
    unset("commit.callbacks", "nobody would be called");
    unset("tag.callbacks", "nobody would be called");
    unset("record-level.expire-time", "rows would not be dropped when their time has come");
    only(
        "manifest.compression",
        "zstd",
        List.of("zstd"),
        "metadata is always written with this compression");
    only(
        "tag.automatic-creation",
        "none",
        List.of("none", "process-time"),
        "tags that others wait for would be missing");
    unset("tag.creation-period-duration", "tags are made by the day, the hour or two hours");
    off("tag.automatic-completion", "only the last period that is over is tagged");
    for (String option : SWITCHES_OF_WRITERS) {
      off(option, "rows would be written that do not honour it");
    }
    options.checkValues();
  }

  void checkExpirable() {
    checkReadable();
    for (Map.Entry<String, String> option : schema.options().entrySet()) {
      if (option.getKey().matches("changelog\\.(num|time)-retained.*")) {
        throw missing(
            option.getKey(),
            option.getValue(),
            "changelogs that outlive their snapshots would lose their files");
      }
    }
  }

  private void checkBuckets() {
    int buckets = options.bucket();
    if (!schema.keyed()) {
      if (buckets == TableOptions.POSTPONE_BUCKET) {
        throw OptionValues.bad(
            TableOptions.BUCKET, "-2", "-1 or a number above 0, since the table has no key");
      }
      return;
    }
    if (!schema.primaryKeys().containsAll(schema.partitionKeys())) {
      throw new IllegalArgumentException(
          ("primary key %s lacks a partition column of %s: keys that move between "
                  + "partitions are not supported by this release; add the partition columns "
                  + "to the key")
              .formatted(schema.primaryKeys(), schema.partitionKeys()));
    }
    if (buckets < 0) {
      throw missing(
          TableOptions.BUCKET,
          Integer.toString(buckets),
          (buckets == TableOptions.DYNAMIC_BUCKET ? "dynamic" : "postponed")
              + " buckets can be read but not written; give the number of buckets when the table is"
              + " made");
    }
  }
}
