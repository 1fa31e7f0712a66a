package io.obelus.core.file.data;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.VersionParser;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.execution.datasources.parquet.SpecificParquetRecordReaderBase;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;

/**
 * Spark's vectorized Parquet reader, fed with the pages that we choose and read.
 *
 * <p>Spark's reader opens its own file and takes every page of it. Its hooks are protected fields
 * and a package-private interface, which a class of ours cannot implement when it is loaded by
 * another class loader ({@code --jars}). So this class reaches in by reflection, and no other does
 * that could not do without ({@link VectorCompactor} moves nulls faster so); what it reaches for is
 * looked up once, and a Spark that has it otherwise is refused by name.
 */
final class SparkParquetReader extends VectorizedParquetRecordReader {

  private static final String PROLEPTIC = "CORRECTED";
  private static final String UTC = "UTC";

  private final Pages pages;

  /** A Parquet file whose "next row group" is whatever it was handed. */
  static final class Pages extends ParquetFileReader {
    private PageReadStore next;

    Pages(InputFile file, org.apache.parquet.ParquetReadOptions options) throws IOException {
      super(file, options);
    }

    @Override
    public PageReadStore readNextFilteredRowGroup() {
      PageReadStore taken = next;
      next = null;
      return taken;
    }
  }

  /**
   * @param requested columns to decode, a part of the file's schema; may name columns that are not
   *     in the file if they are optional
   * @param types Spark types to decode them to, with the names of {@code requested}
   */
  SparkParquetReader(
      Pages pages, MessageType requested, StructType types, DataFiles.BatchSettings batches)
      throws IOException {
    super(null, PROLEPTIC, UTC, PROLEPTIC, UTC, batches.offHeap(), batches.capacity());
    this.pages = pages;
    this.fileSchema = pages.getFileMetaData().getSchema();
    this.requestedSchema = requested;
    this.parquetColumn =
        new ParquetToSparkSchemaConverter(CONVERSION)
            .convertParquetColumn(requested, Option.apply(types));
    this.sparkSchema = (StructType) parquetColumn.sparkType();
    try {
      this.writerVersion = VersionParser.parse(pages.getFileMetaData().getCreatedBy());
    } catch (VersionParser.VersionParseException | RuntimeException e) {
      this.writerVersion = null; // as Spark does: unknown writers are taken to be sound
    }
    this.totalRowCount = Long.MAX_VALUE; // we say when it is over
    Inside.begin(this, pages);
    initBatch(null, null);
  }

  /** Gives the reader the pages of its next rows; the rows before must have been used up. */
  void feed(PageReadStore store) {
    pages.next = store;
  }

  /** Decodes the next batch of the rows fed; its size in rows. */
  int decode() throws IOException {
    nextBatch();
    return resultBatch().numRows();
  }

  /** Frees the vectors. The pages stay open: several readers may share them. */
  @Override
  public void close() {
    resultBatch().close();
  }

  WritableColumnVector vector(int column) {
    ColumnarBatch batch = resultBatch();
    return (WritableColumnVector) batch.column(column);
  }

  private static final Configuration CONVERSION = conversion();

  private static Configuration conversion() {
    Configuration conversion = new Configuration(false);
    conversion.setBoolean("spark.sql.parquet.binaryAsString", false);
    conversion.setBoolean("spark.sql.parquet.int96AsTimestamp", true);
    conversion.setBoolean("spark.sql.caseSensitive", true);
    conversion.setBoolean("spark.sql.parquet.inferTimestampNTZ.enabled", true);
    conversion.setBoolean("spark.sql.legacy.parquet.nanosAsLong", false);
    return conversion;
  }

  /** What Spark does not show. */
  private static final class Inside {
    private static final Constructor<?> ROW_GROUPS;
    private static final Field READER;
    private static final Method CHECK_COLUMNS;

    static {
      try {
        Class<?> base = SpecificParquetRecordReaderBase.class;
        Class<?> rowGroups =
            Class.forName(
                base.getName() + "$ParquetRowGroupReaderImpl", true, base.getClassLoader());
        ROW_GROUPS = rowGroups.getDeclaredConstructor(ParquetFileReader.class);
        ROW_GROUPS.setAccessible(true);
        READER = base.getDeclaredField("reader");
        READER.setAccessible(true);
        CHECK_COLUMNS = VectorizedParquetRecordReader.class.getDeclaredMethod("initializeInternal");
        CHECK_COLUMNS.setAccessible(true);
        if (!READER.getType().isAssignableFrom(rowGroups)) {
          throw new NoSuchFieldException("reader of type " + rowGroups);
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        throw new IllegalStateException(
            "The Parquet reader of this Spark (class "
                + VectorizedParquetRecordReader.class.getName()
                + ") is not built as that of Spark 3.5: "
                + e.getMessage()
                + ". Use a Spark 3.5 release.",
            e);
      }
    }

    static void begin(SparkParquetReader reader, Pages pages) throws IOException {
      try {
        READER.set(reader, ROW_GROUPS.newInstance(pages));
        CHECK_COLUMNS.invoke(reader);
      } catch (java.lang.reflect.InvocationTargetException e) {
        if (e.getCause() instanceof IOException cause) {
          throw cause;
        } else if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException(e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
