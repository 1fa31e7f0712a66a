package io.obelus.core.file.data;

import io.obelus.core.io.Storage;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Writes rows into one data file after another, each of about the target size, and collects what
 * the manifests keep of them (spec chapters 04 and 07). Memory: one row group of encoded pages. Not
 * thread-safe.
 */
public final class DataFileWriter implements Closeable {

  /** Rows between two looks at the size of the file. */
  private static final long ROWS_BETWEEN_LOOKS = 1000;

  private final Storage storage;
  private final String directory;
  private final DataFileColumns columns;
  private final long schemaId;
  private final int source;
  private final DataFileSettings settings;
  private final Companion.Factory companions;

  private final List<Column> fileColumns;
  private final ParquetProperties properties;
  private final CodecFactory.BytesCompressor compressor;
  private final StatsCollector stats;
  private final BinaryRows keys;
  private final LastKey lastKey;
  private final GenericInternalRow system = new GenericInternalRow(2);
  private final String names = UUID.randomUUID() + "-";
  private final List<DataFile> written = new ArrayList<>();
  private final List<String> created = new ArrayList<>();

  private ParquetFileOutput file;
  private Companion companion;
  private String name;
  private long rows;
  private long retracts;
  private long minSequence;
  private long maxSequence;
  private RowBytes minKey;
  private boolean finished;

  /**
   * @param bucketDirectory where the files go; their names begin with the settings' prefix and are
   *     fresh
   * @param schemaId id of the schema whose columns {@code columns} has
   * @param source {@link DataFile#SOURCE_APPEND} or {@link DataFile#SOURCE_COMPACT}
   * @param companions what is made beside each file
   */
  public DataFileWriter(
      Storage storage,
      String bucketDirectory,
      DataFileColumns columns,
      long schemaId,
      int source,
      DataFileSettings settings,
      Companion.Factory companions) {
    this.storage = storage;
    this.directory = bucketDirectory;
    this.columns = columns;
    this.schemaId = schemaId;
    this.source = source;
    this.settings = settings;
    this.companions = companions;
    this.fileColumns = ParquetSchemas.fileColumns(columns, settings.keyColumns());
    this.properties = Settings.properties(settings.parquet(), unique(columns));
    this.stats = new StatsCollector(columns, settings);
    this.keys = new BinaryRows(keyType(columns));
    this.lastKey = new LastKey(columns.row(), columns.key());
    this.compressor =
        Codecs.compressor(
            settings.compression(), settings.parquet(), properties, storage.configuration());
  }

  /**
   * A key of one column and the sequence number hardly repeat: a dictionary would be thrown away.
   */
  private static List<String> unique(DataFileColumns columns) {
    if (columns.key().length != 1) {
      return columns.key().length == 0 ? List.of() : List.of(DataFileColumns.SEQUENCE.name());
    }
    String key = columns.row().column(columns.key()[0]).name();
    return List.of(key, DataFileColumns.KEY_PREFIX + key, DataFileColumns.SEQUENCE.name());
  }

  private static RowType keyType(DataFileColumns columns) {
    List<Column> key = new ArrayList<>();
    for (int index : columns.key()) {
      key.add(columns.row().column(index));
    }
    return new RowType(key);
  }

  /**
   * Adds a row of a keyed table: rows must come in key order. The row may be reused by the caller.
   *
   * @param row all columns of the table
   * @param kind code of a {@link io.obelus.core.row.RowKind}
   */
  public void write(InternalRow row, long sequence, byte kind) throws IOException {
    if (file == null) {
      begin(sequence);
      lastKey.remember(row);
      minKey = key();
    }
    Shredder[] shredders = file.shredders();
    int column = 0;
    if (settings.keyColumns()) {
      for (int index : columns.key()) {
        shredders[column++].write(row, index, 0, 0);
      }
    }
    system.setLong(0, sequence);
    system.setByte(1, kind);
    shredders[column++].write(system, 0, 0, 0);
    shredders[column++].write(system, 1, 0, 0);
    minSequence = Math.min(minSequence, sequence);
    maxSequence = Math.max(maxSequence, sequence);
    if (RowKind.isRetract(kind)) {
      retracts++;
    }
    lastKey.remember(row);
    writeValues(row, column);
  }

  /**
   * Adds a row of an append table. The file does not hold the sequence number, only its description
   * does: smallest and largest.
   *
   * @param sequence not smaller than that of the row before
   */
  public void append(InternalRow row, long sequence) throws IOException {
    if (file == null) {
      begin(sequence);
      minKey = RowBytes.EMPTY;
    }
    maxSequence = sequence;
    writeValues(row, 0);
  }

  private void writeValues(InternalRow row, int firstColumn) throws IOException {
    Shredder[] shredders = file.shredders();
    for (int i = firstColumn; i < shredders.length; i++) {
      shredders[i].write(row, i - firstColumn, 0, 0);
    }
    companion.add(row);
    file.endRow();
    rows++;
    if (rows % ROWS_BETWEEN_LOOKS == 0 && file.size() >= settings.targetSize()) {
      end();
    }
  }

  private void begin(long sequence) throws IOException {
    name = settings.prefix() + names + written.size() + ".parquet";
    String path = directory + "/" + name;
    created.add(path);
    rows = 0;
    retracts = 0;
    minSequence = sequence;
    maxSequence = sequence;
    file =
        new ParquetFileOutput(
            storage, path, fileColumns, properties, compressor, settings.rowGroupSize());
    companion = companions.begin(path);
  }

  private RowBytes key() {
    return new RowBytes(keys.write(lastKey.row()));
  }

  private void end() throws IOException {
    List<BlockMetaData> blocks = file.finish();
    StatsCollector.Collected values = stats.values(blocks);
    Companion.Kept kept = companion.finish();
    kept.extraFiles().forEach(extra -> created.add(directory + "/" + extra));
    written.add(
        new DataFile(
            name,
            file.bytesWritten(),
            rows,
            minKey,
            columns.key().length == 0 ? RowBytes.EMPTY : key(),
            stats.key(blocks),
            values.stats(),
            minSequence,
            maxSequence,
            schemaId,
            0,
            kept.extraFiles(),
            now(),
            retracts,
            kept.embedded(),
            source,
            values.columns(),
            null,
            null,
            null));
    file = null;
  }

  /** The wall clock of this machine, read as if it were UTC: that is how manifests keep it. */
  private static long now() {
    return LocalDateTime.now(ZoneId.systemDefault()).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /**
   * Closes the last file and describes all of them, at level {@code level}; none if no row was
   * written.
   */
  public List<DataFile> finish(int level) throws IOException {
    if (file != null) {
      end();
    }
    finished = true;
    compressor.release();
    return written.stream().map(one -> one.atLevel(level)).toList();
  }

  /** Closes and deletes whatever was written, if {@link #finish} was not called. */
  @Override
  public void close() throws IOException {
    if (finished) {
      return;
    }
    finished = true;
    try {
      if (file != null) {
        companion.close();
        file.close();
      }
    } finally {
      compressor.release();
      for (String path : created) {
        storage.delete(path);
      }
    }
  }
}
