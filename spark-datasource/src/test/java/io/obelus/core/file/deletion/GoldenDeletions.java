package io.obelus.core.file.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.obelus.core.file.deletion.DeletionFile.Range;
import io.obelus.core.file.position.Positions;
import io.obelus.testing.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.roaringbitmap.RoaringBitmap;

/**
 * The deletion files that others wrote: {@code golden/index/dv*.bin}, {@code
 * golden/delete-map/*.bin}, each with its description beside it.
 */
record GoldenDeletions(String name, byte[] content, JsonNode description) {

  static final GoldenDeletions LARGE = named("index/dv64-large-positions");

  /** Deletion files that we can read and write. */
  static List<GoldenDeletions> good() {
    return Stream.concat(list("index", "dv"), list("delete-map", "dm-"))
        .filter(golden -> !golden.name.equals(LARGE.name))
        .toList();
  }

  /** Delete maps that must be refused. */
  static List<GoldenDeletions> bad() {
    return list("delete-map", "bad-").toList();
  }

  static GoldenDeletions named(String name) {
    try {
      return new GoldenDeletions(
          name,
          Files.readAllBytes(path(name + ".bin")),
          new ObjectMapper().readTree(path(name + ".json").toFile()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  DeletionCoding coding() {
    return switch (description.path("encoding").asText()) {
      case "bitmap32" -> DeletionCoding.BITMAP32;
      case "bitmap64" -> DeletionCoding.BITMAP64;
      default -> DeletionCoding.DELETE_MAP;
    };
  }

  /** The file as an index manifest describes it. */
  DeletionFile file() {
    List<Range> ranges = new ArrayList<>();
    for (JsonNode vector : description.path("vectors")) {
      ranges.add(
          new Range(
              vector.get("data_file").asText(),
              vector.get("offset").asInt(),
              vector.get("length").asInt(),
              vector.get("cardinality").asLong()));
    }
    boolean map = coding() == DeletionCoding.DELETE_MAP;
    int bitmaps = map ? description.path("entries").size() : ranges.size();
    return new DeletionFile("index-7", content.length, bitmaps, map, ranges, null);
  }

  /** The bitmaps that are in it, in its order. */
  Map<String, Positions> bitmaps() {
    Map<String, Positions> bitmaps = new LinkedHashMap<>();
    for (JsonNode entry : description.path(file().deleteMap() ? "entries" : "vectors")) {
      RoaringBitmap bitmap = new RoaringBitmap();
      for (JsonNode rows : entry.get("rows")) {
        bitmap.add(rows.get(0).asLong(), rows.get(1).asLong() + 1);
      }
      bitmaps.put(entry.get("data_file").asText(), new Positions(bitmap));
    }
    return bitmaps;
  }

  /** The bitmaps in a map that keeps the order of the file. */
  SortedMap<String, Positions> sortedBitmaps() {
    Map<String, Positions> bitmaps = bitmaps();
    List<String> order = new ArrayList<>(bitmaps.keySet());
    SortedMap<String, Positions> sorted = new TreeMap<>(Comparator.comparing(order::indexOf));
    sorted.putAll(bitmaps);
    return sorted;
  }

  /** A table whose {@code index/index-7} has these bytes. */
  static DeletionFiles holding(byte[] content) {
    MemoryStorage storage = new MemoryStorage();
    try {
      storage.overwrite("t/index/index-7", content);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return new DeletionFiles(storage, "t/index");
  }

  @Override
  public String toString() {
    return name;
  }

  private static Stream<GoldenDeletions> list(String directory, String prefix) {
    try (Stream<Path> files = Files.list(path(directory))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.startsWith(prefix) && file.endsWith(".bin"))
          .sorted()
          .map(file -> named(directory + "/" + file.replace(".bin", "")))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path path(String name) {
    return Path.of(System.getProperty("golden")).resolve(name);
  }
}
