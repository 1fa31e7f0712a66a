package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.GoldenTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data files that Paimon 1.3.1 wrote, against Parquet's row-wise reader and Paimon's manifests. */
class GoldenDataFilesTest {

  private static final Storage STORAGE = DataFileTest.STORAGE;

  @TempDir Path directory;

  static List<String> tables() throws IOException {
    return GoldenTables.names();
  }

  /** One data file of a golden table, as some manifest describes it. */
  private record Golden(String path, DataFile file, TableSchema schema) {
    DataFileColumns columns() {
      RowType row = schema.rowType();
      return new DataFileColumns(row, row.indexesOf(schema.trimmedPrimaryKeys()));
    }

    List<Column> withSystemColumns() {
      List<Column> all = new ArrayList<>(schema.rowType().columns());
      if (schema.keyed()) {
        all.add(DataFileColumns.SEQUENCE);
        all.add(DataFileColumns.KIND);
      }
      return all;
    }
  }

  private List<Golden> goldenFiles(String name) throws IOException {
    Path root = GoldenTables.unpack(name, directory);
    Table table = Table.open(STORAGE, root.toString(), name);
    Map<String, Path> data = new HashMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      paths
          .filter(path -> path.toString().endsWith(".parquet"))
          .forEach(path -> data.put(path.getFileName().toString(), path));
    }
    Map<String, Golden> found = new TreeMap<>();
    Snapshot latest = table.snapshots().latest().orElseThrow();
    for (ManifestEntry entry : new LiveFiles(table, latest).entries(bucket -> true)) {
      DataFile file = entry.file();
      TableSchema schema = table.schemas().get(file.schemaId());
      found.put(file.name(), new Golden(data.get(file.name()).toString(), file, schema));
    }
    assertThat(found).isNotEmpty();
    return new ArrayList<>(found.values());
  }

  @ParameterizedTest
  @MethodSource("tables")
  void files_have_the_schema_that_we_would_write(String table) throws IOException {
    for (Golden golden : goldenFiles(table)) {
      assertThat(ParquetSchemas.message(ParquetSchemas.fileColumns(golden.columns(), true)))
          .isEqualTo(schemaOf(golden.path()));
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void files_are_read_as_parquets_own_reader_reads_them(String table) throws IOException {
    for (Golden golden : goldenFiles(table)) {
      assertThat(read(golden))
          .as(golden.path())
          .isEqualTo(oracle(golden.path(), golden.withSystemColumns()));
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void written_again_a_file_has_the_statistics_of_its_manifest(String table) throws IOException {
    for (Golden golden : goldenFiles(table)) {
      DataFile original = golden.file();
      DataFile again = rewrite(golden);
      assertThat(again.rowCount()).isEqualTo(original.rowCount());
      assertThat(again.minKey()).isEqualTo(original.minKey());
      assertThat(again.maxKey()).isEqualTo(original.maxKey());
      assertThat(again.keyStats()).as(original.name()).isEqualTo(original.keyStats());
      assertThat(again.valueStatsColumns()).isEqualTo(original.valueStatsColumns());
      assertThat(again.valueStats().min())
          .as(original.name())
          .isEqualTo(original.valueStats().min());
      assertThat(again.valueStats()).as(original.name()).isEqualTo(original.valueStats());
      assertThat(again.deleteRowCount()).isEqualTo(original.deleteRowCount());
      if (golden.schema().keyed()) {
        assertThat(again.minSequence()).isEqualTo(original.minSequence());
        assertThat(again.maxSequence()).isEqualTo(original.maxSequence());
      }
      Path path = directory.resolve("again").resolve(again.name());
      assertThat(schemaOf(path.toString())).isEqualTo(schemaOf(golden.path()));
      assertThat(oracle(path.toString(), golden.withSystemColumns()))
          .isEqualTo(oracle(golden.path(), golden.withSystemColumns()));
    }
  }

  private DataFile rewrite(Golden golden) throws IOException {
    DataFileSettings settings = DataFileTest.settings(1 << 20, Map.of());
    int width = golden.schema().rowType().size();
    try (DataFileReader reader = open(golden);
        DataFileWriter writer =
            new DataFileWriter(
                STORAGE,
                directory.resolve("again").toString(),
                golden.columns(),
                golden.file().schemaId(),
                0,
                settings,
                Companion.Factory.NONE)) {
      for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
        for (int i = 0; i < batch.columns().numRows(); i++) {
          var row = batch.columns().getRow(i);
          if (golden.schema().keyed()) {
            writer.write(row, row.getLong(width), row.getByte(width + 1));
          } else {
            writer.append(row, batch.position(i));
          }
        }
      }
      List<DataFile> files = writer.finish(0);
      assertThat(files).hasSize(1);
      return files.get(0);
    }
  }

  private static DataFileReader open(Golden golden) throws IOException {
    return new DataFiles(STORAGE, DataFiles.BatchSettings.DEFAULT)
        .open(
            new DataFiles.Request(
                golden.path(),
                golden.schema().rowType(),
                new RowType(golden.withSystemColumns()),
                RowSelection.all(golden.file().rowCount()),
                Predicate.ALWAYS));
  }

  private static List<List<Object>> read(Golden golden) throws IOException {
    RowType type = new RowType(golden.withSystemColumns());
    List<List<Object>> rows = new ArrayList<>();
    try (DataFileReader reader = open(golden)) {
      for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
        for (int i = 0; i < batch.columns().numRows(); i++) {
          rows.add(RandomRows.plain(batch.columns().getRow(i), type));
        }
      }
    }
    return rows;
  }

  private static MessageType schemaOf(String path) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(path), STORAGE.configuration()))) {
      return reader.getFileMetaData().getSchema();
    }
  }

  /** The rows as parquet-hadoop's example reader has them, which shares no code with ours. */
  static List<List<Object>> oracle(String path, List<Column> columns) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new org.apache.hadoop.fs.Path(path))
            .build()) {
      for (Group group = reader.read(); group != null; group = reader.read()) {
        rows.add(fields(group, columns));
      }
    }
    return rows;
  }

  private static List<Object> fields(Group group, List<Column> columns) {
    List<Object> values = new ArrayList<>();
    for (Column column : columns) {
      values.add(field(group, column.name(), column.type()));
    }
    return values;
  }

  private static Object field(Group group, String name, ColumnType type) {
    if (group.getFieldRepetitionCount(name) == 0) {
      return null;
    } else if (type instanceof ColumnType.Array array) {
      Group list = group.getGroup(name, 0);
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < list.getFieldRepetitionCount("list"); i++) {
        values.add(field(list.getGroup("list", i), "element", array.element()));
      }
      return values;
    } else if (type instanceof ColumnType.Map map) {
      return map(group.getGroup(name, 0), map.key(), map.value());
    } else if (type instanceof ColumnType.Multiset bag) {
      return map(group.getGroup(name, 0), bag.element(), new Scalar(Kind.INT));
    } else if (type instanceof ColumnType.Row row) {
      return fields(group.getGroup(name, 0), row.columns());
    }
    return scalar(group, name, (Scalar) type);
  }

  private static Map<String, Object> map(Group map, ColumnType key, ColumnType value) {
    Map<String, Object> values = new TreeMap<>();
    for (int i = 0; i < map.getFieldRepetitionCount("key_value"); i++) {
      Group entry = map.getGroup("key_value", i);
      values.put(String.valueOf(field(entry, "key", key)), field(entry, "value", value));
    }
    return values;
  }

  private static Object scalar(Group group, String name, Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> group.getBoolean(name, 0);
      case TINYINT -> (byte) group.getInteger(name, 0);
      case SMALLINT -> (short) group.getInteger(name, 0);
      case INT, DATE, TIME -> group.getInteger(name, 0);
      case BIGINT -> group.getLong(name, 0);
      case FLOAT -> Float.floatToIntBits(group.getFloat(name, 0));
      case DOUBLE -> Double.doubleToLongBits(group.getDouble(name, 0));
      case DECIMAL ->
          type.precision() <= 9
              ? BigDecimal.valueOf(group.getInteger(name, 0), type.scale())
              : type.precision() <= 18
                  ? BigDecimal.valueOf(group.getLong(name, 0), type.scale())
                  : new BigDecimal(
                      new BigInteger(group.getBinary(name, 0).getBytes()), type.scale());
      case CHAR, VARCHAR -> group.getString(name, 0);
      case BINARY, VARBINARY -> Arrays.toString(group.getBinary(name, 0).getBytes());
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(group, name, type.precision());
      case VARIANT -> throw new AssertionError();
    };
  }

  private static long timestamp(Group group, String name, int precision) {
    if (precision <= 3) {
      return group.getLong(name, 0) * 1000;
    } else if (precision <= 6) {
      return group.getLong(name, 0);
    }
    ByteBuffer int96 =
        ByteBuffer.wrap(group.getInt96(name, 0).getBytes()).order(ByteOrder.LITTLE_ENDIAN);
    return (int96.getInt(8) - 2440588L) * 86_400_000_000L
        + Math.floorDiv(int96.getLong(0), 1000L); // nanoseconds may be below 0
  }
}
