package io.obelus.core.table.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.RowBytes;
import io.obelus.testing.GoldenTables;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestFormatsTest {

  private static final Predicate<BucketId> ALL = bucket -> true;
  private static final BucketId BUCKET = new BucketId(RowBytes.EMPTY, 3);

  @TempDir private Path directory;

  @Test
  void what_others_wrote_reads_and_is_written_again_as_it_was() throws IOException {
    int files = 0;
    for (String table : GoldenTables.names()) {
      Path manifests = GoldenTables.unpack(table, directory.resolve(table)).resolve("manifest");
      for (Path file : list(manifests)) {
        byte[] original = Files.readAllBytes(file);
        String name = file.getFileName().toString();
        byte[] again = readAndWrite(name, original);
        assertThat(generic(again)).as(table + " " + name).isEqualTo(generic(original));
        assertThat(schema(again).toString()).isEqualTo(schema(original).toString());
        assertThat(codec(again)).isEqualTo(codec(original)).isEqualTo("zstandard");
        files++;
      }
    }
    assertThat(files).isGreaterThan(600);
  }

  private static byte[] readAndWrite(String name, byte[] content) {
    if (name.startsWith("manifest-list-")) {
      List<ManifestFile> manifests = ManifestListFormat.read(name, content);
      byte[] again = ManifestListFormat.write(manifests);
      assertThat(ManifestListFormat.read(name, again)).isEqualTo(manifests);
      return again;
    }
    if (name.startsWith("index-manifest-")) {
      List<IndexEntry> entries = IndexManifestFormat.read(name, content);
      byte[] again = IndexManifestFormat.write(entries);
      assertThat(IndexManifestFormat.read(name, again)).isEqualTo(entries);
      return again;
    }
    List<ManifestEntry> entries = entries(name, content);
    byte[] again = manifest(entries);
    assertThat(entries(name, again)).isEqualTo(entries);
    return again;
  }

  @Test
  void entries_of_buckets_that_are_not_wanted_are_left_out() {
    List<ManifestEntry> entries = new ArrayList<>();
    for (int i = 0; i < 3000; i++) { // several blocks
      entries.add(add(new BucketId(RowBytes.EMPTY, i % 7), file("data-" + i)));
    }
    List<ManifestEntry> wanted = new ArrayList<>();
    ManifestFormat.read("m", manifest(entries), id -> id.bucket() == 5, wanted::add);
    assertThat(wanted)
        .isEqualTo(entries.stream().filter(entry -> entry.bucket().bucket() == 5).toList());
  }

  @Test
  void null_and_every_optional_field_are_kept() {
    DataFile bare = file("data-0");
    DataFile full =
        new DataFile(
            "data-1",
            10,
            11,
            new RowBytes(new byte[] {1}),
            new RowBytes(new byte[] {2}),
            new ColumnStats(RowBytes.EMPTY, RowBytes.EMPTY, new Long[] {null, 5L}),
            ColumnStats.NONE,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            4,
            5,
            List.of("data-1.index"),
            -1L,
            0L,
            new RowBytes(new byte[] {9, 9}),
            1,
            List.of("ü"),
            "file:/elsewhere/data-1",
            7L,
            List.of());
    List<ManifestEntry> entries =
        List.of(add(BUCKET, bare), new ManifestEntry(ManifestEntry.Kind.DELETE, BUCKET, -1, full));
    assertThat(entries("m", manifest(entries))).isEqualTo(entries);
  }

  @Test
  void all_codecs_are_read() throws IOException {
    byte[] ours = manifest(List.of(add(BUCKET, file("data-0"))));
    for (CodecFactory codec :
        List.of(
            CodecFactory.nullCodec(),
            CodecFactory.deflateCodec(6),
            CodecFactory.snappyCodec(),
            CodecFactory.bzip2Codec(),
            CodecFactory.xzCodec(1),
            CodecFactory.zstandardCodec(3))) {
      byte[] coded = container(schema(ours), generic(ours), codec);
      assertThat(entries(codec.toString(), coded)).hasSize(1);
    }
  }

  @Test
  void older_and_newer_writers_are_read_by_field_name() throws IOException {
    // As 0.8: a union around the record. As a later one: fields of types that we never saw, in an
    // order of its own. The range has no cardinality yet.
    Schema range =
        SchemaBuilder.record("r")
            .fields()
            .requiredInt("f2")
            .requiredString("f0")
            .requiredInt("f1")
            .endRecord();
    Schema record =
        SchemaBuilder.record("any")
            .fields()
            .requiredInt("_VERSION")
            .name("_NEW_MAP")
            .type(Schema.createMap(Schema.create(Schema.Type.DOUBLE)))
            .noDefault()
            .requiredString("_FILE_NAME")
            .requiredInt("_FILE_SIZE") // widened to long
            .requiredLong("_ROW_COUNT")
            .requiredInt("_KIND")
            .name("_NEW_ARRAY")
            .type(Schema.createArray(Schema.create(Schema.Type.BOOLEAN)))
            .noDefault()
            .requiredBytes("_PARTITION")
            .requiredInt("_BUCKET")
            .requiredString("_INDEX_TYPE")
            .name("_DELETIONS_VECTORS_RANGES")
            .type(Schema.createArray(range))
            .noDefault()
            .name("_NEW_FIXED")
            .type(Schema.createFixed("x", null, null, 3))
            .noDefault()
            .endRecord();
    GenericData.Record inner = new GenericData.Record(range);
    inner.put("f0", "data-0");
    inner.put("f1", 1);
    inner.put("f2", 22);
    GenericData.Record value = new GenericData.Record(record);
    value.put("_VERSION", 1);
    value.put("_NEW_MAP", java.util.Map.of("a", 1.5, "b", 2.5));
    value.put("_FILE_NAME", "index-0");
    value.put("_FILE_SIZE", 31);
    value.put("_ROW_COUNT", 1L);
    value.put("_KIND", 0);
    value.put("_NEW_ARRAY", List.of(true, false));
    value.put("_PARTITION", java.nio.ByteBuffer.wrap(RowBytes.EMPTY.bytes()));
    value.put("_BUCKET", 3);
    value.put("_INDEX_TYPE", IndexEntry.DELETION_VECTORS);
    value.put("_DELETIONS_VECTORS_RANGES", List.of(inner));
    value.put(
        "_NEW_FIXED",
        new GenericData.Fixed(record.getField("_NEW_FIXED").schema(), new byte[] {1, 2, 3}));
    Schema union = Schema.createUnion(Schema.create(Schema.Type.NULL), record);
    for (Schema root : List.of(record, union)) {
      byte[] file = container(root, List.of(value), CodecFactory.snappyCodec());
      assertThat(IndexManifestFormat.read("i", file))
          .containsExactly(
              new IndexEntry(
                  BUCKET,
                  IndexEntry.DELETION_VECTORS,
                  "index-0",
                  31,
                  1,
                  List.of(new DeletionFile.Range("data-0", 1, 22, null)),
                  null,
                  null));
    }
  }

  @Test
  void index_entries_of_unknown_kind_are_kept_as_they_are() {
    List<IndexEntry> entries =
        List.of(
            new IndexEntry(BUCKET, "B_TREE", "index-0", 5, 6, null, "file:/x/index-0", null),
            new IndexEntry(BUCKET, IndexEntry.DELETE_MAP, "index-1", 52, 1, null, null, null),
            new IndexEntry(
                BUCKET,
                "VECTOR",
                "index-2",
                7,
                8,
                List.of(),
                null,
                new IndexEntry.GlobalIndex(
                    0, 10, 3, List.of(4), new RowBytes(new byte[] {1}), null)));
    assertThat(IndexManifestFormat.read("i", IndexManifestFormat.write(entries)))
        .isEqualTo(entries);
    assertThat(schema(IndexManifestFormat.write(entries.subList(0, 2))).getField("_GLOBAL_INDEX"))
        .isNull();
  }

  @Test
  void an_unknown_version_is_refused_by_name() throws IOException {
    byte[] ours = manifest(List.of(add(BUCKET, file("data-0"))));
    List<GenericRecord> records = generic(ours);
    records.get(0).put("_VERSION", 3);
    byte[] newer = container(schema(ours), records, CodecFactory.zstandardCodec(1));
    assertThatThrownBy(() -> entries("manifest-7", newer))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessage(
            "manifest-7 at byte 0: manifest has version 3, but this release reads 2."
                + " Use a newer release to read it.");
    // Fields that are gone or of another type speak less clearly than the version does.
    Schema other =
        SchemaBuilder.record("any")
            .fields()
            .requiredInt("_VERSION")
            .requiredInt("_FILE")
            .endRecord();
    GenericData.Record value = new GenericData.Record(other);
    value.put("_VERSION", 3);
    value.put("_FILE", 1);
    byte[] strange = container(other, List.of(value), CodecFactory.nullCodec());
    assertThatThrownBy(() -> entries("manifest-7", strange))
        .isInstanceOf(UnknownVersionException.class);
    value.put("_VERSION", 2);
    byte[] wrong = container(other, List.of(value), CodecFactory.nullCodec());
    assertThatThrownBy(() -> entries("manifest-7", wrong))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("/_FILE should be of Avro type RECORD but is INT");
  }

  @Test
  void codes_that_mean_nothing_are_damage() throws IOException {
    byte[] ours = manifest(List.of(add(BUCKET, file("data-0"))));
    List<GenericRecord> records = generic(ours);
    records.get(0).put("_KIND", 2);
    byte[] kind = container(schema(ours), records, CodecFactory.nullCodec());
    assertThatThrownBy(() -> entries("manifest-7", kind))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("manifest-7 at byte 0: _KIND should be 0 or 1 but is 2.");
    byte[] index =
        IndexManifestFormat.write(
            List.of(new IndexEntry(BUCKET, "HASH", "index-0", 4, 1, null, null, null)));
    List<GenericRecord> lines = generic(index);
    lines.get(0).put("_KIND", 1);
    byte[] deleted = container(schema(index), lines, CodecFactory.nullCodec());
    assertThatThrownBy(() -> IndexManifestFormat.read("index-manifest-7", deleted))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("index-manifest-7 at byte 0: _KIND of index-0 should be 0 but is");
  }

  @Test
  void a_file_that_is_cut_short_is_never_read_as_a_shorter_one() throws IOException {
    Set<Long> ends = new HashSet<>(); // what is left is a file then; its size tells
    byte[] whole = manyBlocks(ends);
    for (int length = 0; length < whole.length; length++) {
      if (ends.contains((long) length)) {
        continue;
      }
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> entries("manifest-7", cut))
          .as("cut at %d", length)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageStartingWith("manifest-7 at byte ")
          .hasMessageEndingWith("roll back to a snapshot that does not use it.");
    }
  }

  @Test
  void each_flipped_bit_ends_in_an_error_that_names_the_file_or_in_other_values()
      throws IOException {
    byte[] whole = manifest(List.of(add(BUCKET, file("data-0")), add(BUCKET, file("data-1"))));
    byte[] plain = container(schema(whole), generic(whole), CodecFactory.nullCodec());
    for (byte[] file : List.of(whole, plain)) {
      for (int bit = 0; bit < 8 * file.length; bit++) {
        byte[] damaged = file.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        try {
          entries("manifest-7", damaged);
        } catch (CorruptFileException | UnknownVersionException e) {
          assertThat(e).as("bit %d", bit).hasMessageStartingWith("manifest-7 at byte ");
        } catch (RuntimeException e) {
          throw new AssertionError("bit " + bit + " of " + file.length + " bytes: " + e, e);
        }
      }
    }
  }

  private static byte[] manyBlocks(Set<Long> ends) throws IOException {
    byte[] ours = manifest(List.of(add(BUCKET, file("data-0"))));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema(ours)))) {
      writer.create(schema(ours), out);
      writer.flush();
      ends.add((long) out.size());
      for (int block = 0; block < 3; block++) {
        writer.append(generic(ours).get(0));
        writer.flush();
        ends.add((long) out.size());
      }
    }
    assertThat(ends).hasSize(4);
    return out.toByteArray();
  }

  static DataFile file(String name) {
    return new DataFile(
        name,
        100,
        10,
        RowBytes.EMPTY,
        RowBytes.EMPTY,
        ColumnStats.NONE,
        ColumnStats.NONE,
        0,
        9,
        0,
        0,
        List.of(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  static ManifestEntry add(BucketId bucket, DataFile file) {
    return new ManifestEntry(ManifestEntry.Kind.ADD, bucket, 8, file);
  }

  private static byte[] manifest(List<ManifestEntry> entries) {
    AvroContainer.Writer out = new AvroContainer.Writer(ManifestFormat.KIND);
    entries.forEach(entry -> out.append(ManifestFormat.write(entry)));
    assertThat(out.count()).isEqualTo(entries.size());
    return out.finish();
  }

  private static List<ManifestEntry> entries(String name, byte[] content) {
    List<ManifestEntry> entries = new ArrayList<>();
    ManifestFormat.read(name, content, ALL, entries::add);
    return entries;
  }

  private static List<Path> list(Path manifests) throws IOException {
    try (Stream<Path> files = Files.list(manifests)) {
      return files.sorted().toList();
    }
  }

  private static List<GenericRecord> generic(byte[] content) throws IOException {
    List<GenericRecord> records = new ArrayList<>();
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(new SeekableByteArrayInput(content), new GenericDatumReader<>())) {
      reader.forEach(records::add);
    }
    return records;
  }

  private static Schema schema(byte[] content) {
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(new SeekableByteArrayInput(content), new GenericDatumReader<>())) {
      return reader.getSchema();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String codec(byte[] content) throws IOException {
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(new SeekableByteArrayInput(content), new GenericDatumReader<>())) {
      return reader.getMetaString("avro.codec");
    }
  }

  private static byte[] container(
      Schema schema, List<? extends GenericRecord> records, CodecFactory codec) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(codec);
      writer.create(schema, out);
      for (GenericRecord record : records) {
        writer.append(record);
      }
    }
    return out.toByteArray();
  }
}
