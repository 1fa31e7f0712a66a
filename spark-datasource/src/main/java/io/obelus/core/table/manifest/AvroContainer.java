package io.obelus.core.table.manifest;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;

/**
 * Avro object container files, read from and written to memory: a manifest is a few megabytes.
 *
 * <pre>
 *   "Obj" 1 | map: avro.schema, avro.codec | sync, 16 bytes
 *   then blocks:  count (long) | size (long) | size bytes, compressed | the same sync
 * </pre>
 *
 * <p>All of Avro's codecs are read; zstandard, level 1, is written.
 */
final class AvroContainer {

  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int SYNC_SIZE = 16;
  private static final int ZSTANDARD_LEVEL = 1;

  private AvroContainer() {}

  /** What a kind of file holds: our own schema and the version its records must have. */
  record Kind(Schema schema, String what, int version) {}

  /** Collects records of a file in memory. Not thread-safe. */
  static final class Writer {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final DataFileWriter<Object[]> avro = new DataFileWriter<>(new RecordWriter());
    private long count;

    Writer(Kind kind) {
      try {
        avro.setCodec(CodecFactory.zstandardCodec(ZSTANDARD_LEVEL));
        avro.create(kind.schema(), content);
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot fail", e);
      }
    }

    void append(Object[] record) {
      try {
        avro.append(record);
        count++;
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot fail", e);
      }
    }

    /** Number of records. */
    long count() {
      return count;
    }

    /** Bytes of the file so far, without the last block of about 16 KB. */
    long size() {
      return content.size();
    }

    byte[] finish() {
      try {
        avro.close();
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot fail", e);
      }
      return content.toByteArray();
    }
  }

  private static final class RecordWriter implements DatumWriter<Object[]> {
    private Schema schema;

    @Override
    public void setSchema(Schema schema) {
      this.schema = schema;
    }

    @Override
    public void write(Object[] record, Encoder out) throws IOException {
      AvroValue.write(schema, record, out);
    }
  }

  /** Hands over the records of a file, in the order of our own schema's fields. */
  static void read(String file, byte[] content, Kind kind, Consumer<Object[]> records) {
    read(file, content, kind, -1, null, records);
  }

  /**
   * As above, without those that {@code open} does not want.
   *
   * @param gate index of the field before which {@code open} is asked
   */
  static void read(
      String file,
      byte[] content,
      Kind kind,
      int gate,
      Predicate<Object[]> open,
      Consumer<Object[]> records) {
    List<Place> blocks = blocks(file, content);
    try (DataFileStream<Object> avro = open(file, content)) {
      AvroValue.Version version =
          new AvroValue.Version(Place.startOf(file), kind.what(), kind.version());
      AvroValue record = AvroValue.root(avro.getSchema(), kind.schema(), version, gate, open);
      for (Place place : blocks) {
        ByteBuffer block = nextBlock(place, avro);
        AvroCursor in =
            new AvroCursor(
                place, block.array(), block.arrayOffset() + block.position(), block.remaining());
        for (long left = avro.getBlockCount(); left > 0; left--) {
          Object[] values = (Object[]) record.read(in);
          if (values != null) {
            records.accept(values);
          } else if (open == null) {
            throw in.corrupt("a record is null");
          }
        }
        if (in.remaining() > 0) {
          throw in.corrupt(in.remaining() + " bytes follow the last record of a block");
        }
      }
    } catch (IOException | AvroRuntimeException e) {
      throw unreadable(Place.startOf(file), e);
    }
  }

  /**
   * Avro meets a damaged header with whatever runtime exception it runs into, a null schema say.
   */
  private static DataFileStream<Object> open(String file, byte[] content) {
    try {
      return new DataFileStream<>(new ByteArrayInputStream(content), new GenericDatumReader<>());
    } catch (IOException | RuntimeException e) {
      throw unreadable(Place.startOf(file), e);
    }
  }

  private static ByteBuffer nextBlock(Place place, DataFileStream<Object> avro) {
    try {
      return avro.nextBlock();
    } catch (IOException | RuntimeException e) {
      throw unreadable(place, e);
    }
  }

  private static CorruptFileException unreadable(Place place, Exception e) {
    return new CorruptFileException(place, "Avro cannot read it: " + e, e);
  }

  /**
   * Where the blocks begin. Walks the whole file first: Avro itself takes a file that was cut short
   * inside a block's header for one that ends before it, and allocates whatever size stands there.
   */
  private static List<Place> blocks(String file, byte[] content) {
    Place start = Place.startOf(file);
    if (content.length < MAGIC.length || !Arrays.equals(content, 0, 4, MAGIC, 0, 4)) {
      byte[] found = Arrays.copyOf(content, Math.min(content.length, MAGIC.length));
      HexFormat hex = HexFormat.of();
      throw new CorruptFileException(
          start, "magic of an Avro file", hex.formatHex(MAGIC), hex.formatHex(found));
    }
    AvroCursor in = new AvroCursor(start, content, 0, content.length);
    in.skip(MAGIC.length);
    for (int count = in.readItemCount(); count > 0; count = in.readItemCount()) {
      for (int i = 0; i < 2 * count; i++) {
        in.skipBytes();
      }
    }
    int sync = in.position();
    in.skip(SYNC_SIZE);
    List<Place> blocks = new ArrayList<>();
    while (in.remaining() > 0) {
      blocks.add(start.plus(in.position()));
      long count = in.readLong();
      if (count <= 0) {
        throw in.corrupt("a block announces " + count + " records");
      }
      in.skipBytes();
      int end = in.position();
      in.skip(SYNC_SIZE);
      if (!Arrays.equals(content, end, end + SYNC_SIZE, content, sync, sync + SYNC_SIZE)) {
        throw in.corrupt("the marker after a block is not the one of this file");
      }
    }
    return blocks;
  }
}
