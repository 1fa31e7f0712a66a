package io.obelus.core.file.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.deletion.DeletionFile.Range;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.HadoopStorage;
import io.obelus.testing.Seeds;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.deletionvectors.Bitmap64DeletionVector;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.DeletionVectorsIndexFile;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.index.DeletionVectorMeta;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.index.IndexPathFactory;
import org.apache.paimon.options.MemorySize;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apache Paimon's own classes on the other side of a deletion file. */
class PaimonDeletionsTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void paimon_reads_what_we_wrote(boolean wide) {
    Seeds.each(
        random -> {
          SortedMap<String, Positions> bitmaps = someBitmaps(random);
          DeletionCoding coding = wide ? DeletionCoding.BITMAP64 : DeletionCoding.BITMAP32;
          DeletionFile file = ours().write("index-" + random.nextLong(), coding, bitmaps);
          LinkedHashMap<String, DeletionVectorMeta> ranges = new LinkedHashMap<>();
          for (Range range : file.ranges()) {
            ranges.put(
                range.dataFile(),
                new DeletionVectorMeta(
                    range.dataFile(), range.offset(), range.length(), range.cardinality()));
            agree(one(file, range), bitmaps.get(range.dataFile()));
          }
          IndexFileMeta meta =
              new IndexFileMeta(
                  "DELETION_VECTORS", file.name(), file.size(), file.bitmaps(), ranges, null);
          Map<String, DeletionVector> read = theirs(wide).readAllDeletionVectors(meta);
          assertThat(read.keySet()).isEqualTo(bitmaps.keySet());
          read.forEach((dataFile, vector) -> agree(vector, bitmaps.get(dataFile)));
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void we_read_what_paimon_wrote_and_would_write_the_same(boolean wide) {
    Seeds.each(
        random -> {
          SortedMap<String, Positions> bitmaps = someBitmaps(random);
          Map<String, DeletionVector> vectors = new LinkedHashMap<>();
          bitmaps.forEach((dataFile, positions) -> vectors.put(dataFile, vector(positions, wide)));
          IndexFileMeta meta = theirs(wide).writeSingleFile(vectors);
          List<Range> ranges = new ArrayList<>();
          for (DeletionVectorMeta range : meta.dvRanges().values()) {
            ranges.add(
                new Range(
                    range.dataFileName(), range.offset(), range.length(), range.cardinality()));
          }
          DeletionFile file =
              new DeletionFile(
                  meta.fileName(), meta.fileSize(), meta.rowCount(), false, ranges, null);
          assertThat(ours().read(file)).isEqualTo(bitmaps);
          DeletionCoding coding = wide ? DeletionCoding.BITMAP64 : DeletionCoding.BITMAP32;
          DeletionFile again = ours().write("ours-" + random.nextLong(), coding, bitmaps);
          assertThat(again.ranges()).isEqualTo(ranges);
          assertThat(directory.resolve(again.name()))
              .hasSameBinaryContentAs(directory.resolve(file.name()));
        });
  }

  private DeletionFiles ours() {
    return new DeletionFiles(new HadoopStorage(new Configuration(false)), directory.toString());
  }

  private DeletionVectorsIndexFile theirs(boolean wide) {
    return new DeletionVectorsIndexFile(
        LocalFileIO.create(), new InDirectory(directory), MemorySize.ofMebiBytes(2), wide);
  }

  /** One bitmap as Paimon's readers look it up: seek, then read the length of the manifest. */
  private DeletionVector one(DeletionFile file, Range range) throws IOException {
    try (DataInputStream in =
        new DataInputStream(Files.newInputStream(directory.resolve(file.name())))) {
      in.skipNBytes(range.offset());
      return DeletionVector.read(in, (long) range.length());
    }
  }

  private static void agree(DeletionVector vector, Positions positions) {
    assertThat(vector.getCardinality()).isEqualTo(positions.cardinality());
    positions.forEach(position -> assertThat(vector.isDeleted(position)).isTrue());
  }

  private static DeletionVector vector(Positions positions, boolean wide) {
    DeletionVector vector = wide ? new Bitmap64DeletionVector() : new BitmapDeletionVector();
    positions.forEach(vector::delete);
    return vector;
  }

  private static SortedMap<String, Positions> someBitmaps(Random random) {
    SortedMap<String, Positions> bitmaps = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      long from = random.nextInt(70_000);
      Positions positions = Positions.range(from, from + 1 + random.nextInt(20_000));
      random.ints(200, 0, 300_000).forEach(positions::add);
      bitmaps.put("data-" + random.nextInt(1000) + ".parquet", positions);
    }
    return bitmaps;
  }

  private record InDirectory(Path directory) implements IndexPathFactory {

    @Override
    public org.apache.paimon.fs.Path newPath() {
      return path("theirs-" + UUID.randomUUID());
    }

    @Override
    public org.apache.paimon.fs.Path toPath(IndexFileMeta file) {
      return path(file.fileName());
    }

    @Override
    public boolean isExternalPath() {
      return false;
    }

    private org.apache.paimon.fs.Path path(String name) {
      return new org.apache.paimon.fs.Path(directory.resolve(name).toString());
    }
  }
}
