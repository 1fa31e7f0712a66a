package io.obelus.core.table.manifest;

import static io.obelus.core.table.manifest.AvroSchemas.array;
import static io.obelus.core.table.manifest.AvroSchemas.bytes;
import static io.obelus.core.table.manifest.AvroSchemas.field;
import static io.obelus.core.table.manifest.AvroSchemas.int32;
import static io.obelus.core.table.manifest.AvroSchemas.int64;
import static io.obelus.core.table.manifest.AvroSchemas.nullable;
import static io.obelus.core.table.manifest.AvroSchemas.record;
import static io.obelus.core.table.manifest.AvroSchemas.string;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.RowBytes;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * An index manifest: all index files of a table at one snapshot, one record each (spec chapter 04).
 *
 * <pre>
 *   _VERSION                   int     always 1
 *   _KIND                      int     always 0: the file is a set, not a list of changes
 *   _PARTITION                 bytes   row of the partition values, with its arity
 *   _BUCKET                    int
 *   _INDEX_TYPE                string
 *   _FILE_NAME                 string
 *   _FILE_SIZE                 long    bytes
 *   _ROW_COUNT                 long    bitmaps, or hashes
 *   _DELETIONS_VECTORS_RANGES  null or array of null or record f0 string, f1 int, f2 int,
 *                              _CARDINALITY null or long
 *   _EXTERNAL_PATH             null or string
 *   _GLOBAL_INDEX              null or record; written only if an entry has it
 * </pre>
 */
final class IndexManifestFormat {

  static final int V1 = 1;

  private static final int ADD = 0;

  /** With the last field, which writers of 2.0 know and those before do not. */
  private static final AvroContainer.Kind READ =
      new AvroContainer.Kind(schema(true), "index manifest", V1);

  static final AvroContainer.Kind KIND =
      new AvroContainer.Kind(schema(false), "index manifest", V1);

  private IndexManifestFormat() {}

  private static Schema schema(boolean globalIndex) {
    List<Schema.Field> fields =
        new ArrayList<>(
            List.of(
                field("_VERSION", int32()),
                field("_KIND", int32()),
                field("_PARTITION", bytes()),
                field("_BUCKET", int32()),
                field("_INDEX_TYPE", string()),
                field("_FILE_NAME", string()),
                field("_FILE_SIZE", int64()),
                field("_ROW_COUNT", int64()),
                field(
                    "_DELETIONS_VECTORS_RANGES",
                    nullable(
                        array(
                            nullable(
                                record(
                                    "record__DELETIONS_VECTORS_RANGES",
                                    field("f0", string()),
                                    field("f1", int32()),
                                    field("f2", int32()),
                                    field("_CARDINALITY", nullable(int64()))))))),
                field("_EXTERNAL_PATH", nullable(string()))));
    if (globalIndex) {
      fields.add(
          field(
              "_GLOBAL_INDEX",
              nullable(
                  record(
                      "record__GLOBAL_INDEX",
                      field("_ROW_RANGE_START", int64()),
                      field("_ROW_RANGE_END", int64()),
                      field("_INDEX_FIELD_ID", int32()),
                      field("_EXTRA_FIELD_IDS", nullable(array(int32()))),
                      field("_INDEX_META", nullable(bytes())),
                      field("_SOURCE_META", nullable(bytes()))))));
    }
    return record(AvroSchemas.ROOT, fields.toArray(Schema.Field[]::new));
  }

  static byte[] write(List<IndexEntry> entries) {
    boolean globalIndex = entries.stream().anyMatch(entry -> entry.globalIndex() != null);
    AvroContainer.Writer out = new AvroContainer.Writer(globalIndex ? READ : KIND);
    for (IndexEntry entry : entries) {
      out.append(
          new Object[] {
            V1,
            ADD,
            entry.bucket().partition().bytes(),
            entry.bucket().bucket(),
            entry.type(),
            entry.fileName(),
            entry.fileSize(),
            entry.rowCount(),
            entry.ranges() == null
                ? null
                : entry.ranges().stream().map(IndexManifestFormat::writeRange).toList(),
            entry.externalPath(),
            entry.globalIndex() == null ? null : writeGlobalIndex(entry.globalIndex())
          });
    }
    return out.finish();
  }

  static List<IndexEntry> read(String file, byte[] content) {
    List<IndexEntry> entries = new ArrayList<>();
    AvroContainer.read(
        file, content, READ, record -> entries.add(readEntry(Place.startOf(file), record)));
    return entries;
  }

  private static IndexEntry readEntry(Place place, Object[] record) {
    if ((Integer) record[1] != ADD) {
      throw new CorruptFileException(place, "_KIND of " + record[5], ADD, record[1]);
    }
    return new IndexEntry(
        new BucketId(new RowBytes((byte[]) record[2]), (Integer) record[3]),
        (String) record[4],
        (String) record[5],
        (Long) record[6],
        (Long) record[7],
        record[8] == null ? null : readRanges(place, (String) record[5], (List<?>) record[8]),
        (String) record[9],
        record[10] == null ? null : readGlobalIndex((Object[]) record[10]));
  }

  private static List<DeletionFile.Range> readRanges(Place place, String file, List<?> records) {
    List<DeletionFile.Range> ranges = new ArrayList<>(records.size());
    for (Object record : records) {
      if (record == null) {
        throw new CorruptFileException(place, "a range of " + file + " is null");
      }
      ranges.add(readRange((Object[]) record));
    }
    return ranges;
  }

  private static Object[] writeRange(DeletionFile.Range range) {
    return new Object[] {range.dataFile(), range.offset(), range.length(), range.cardinality()};
  }

  private static DeletionFile.Range readRange(Object[] record) {
    return new DeletionFile.Range(
        (String) record[0], (Integer) record[1], (Integer) record[2], (Long) record[3]);
  }

  private static Object[] writeGlobalIndex(IndexEntry.GlobalIndex index) {
    return new Object[] {
      index.fromRow(),
      index.toRow(),
      index.field(),
      index.extraFields(),
      index.meta() == null ? null : index.meta().bytes(),
      index.sourceMeta() == null ? null : index.sourceMeta().bytes()
    };
  }

  private static IndexEntry.GlobalIndex readGlobalIndex(Object[] record) {
    List<?> extra = (List<?>) record[3];
    return new IndexEntry.GlobalIndex(
        (Long) record[0],
        (Long) record[1],
        (Integer) record[2],
        extra == null ? null : extra.stream().map(Integer.class::cast).toList(),
        record[4] == null ? null : new RowBytes((byte[]) record[4]),
        record[5] == null ? null : new RowBytes((byte[]) record[5]));
  }
}
