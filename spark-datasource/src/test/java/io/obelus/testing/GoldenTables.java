package io.obelus.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Tables that Paimon 1.3.1 wrote, with what they must read as; {@code golden/tables/README.md}
 * describes each and the coding of the expected rows. The directory comes from {@code -Dgolden=…}.
 */
public final class GoldenTables {

  private static final int BLOCK = 512;

  private GoldenTables() {}

  /** Names of all tables, such as {@code pk_dv_basic}, in order. */
  public static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".tar.gz"))
          .map(name -> name.substring(0, name.length() - ".tar.gz".length()))
          .sorted()
          .toList();
    }
  }

  /**
   * Unpacks a table's warehouse below {@code into}.
   *
   * @return the table's directory: {@code into/warehouse/db.db/<name>}
   */
  public static Path unpack(String name, Path into) throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            new BufferedInputStream(Files.newInputStream(file(name + ".tar.gz"))))) {
      untar(in, into);
    }
    return into.resolve("warehouse/db.db").resolve(name);
  }

  /**
   * Columns, keys, options, snapshots and {@code expected} of a table: the text of a JSON object.
   */
  public static String description(String name) throws IOException {
    return Files.readString(file(name + ".json"));
  }

  /** Expected rows of the newest snapshot, one JSON object each, in no meaningful order. */
  public static List<String> expected(String name) throws IOException {
    return expected(name, "expected");
  }

  /**
   * Expected rows of one state of a table, one JSON object each.
   *
   * @param state {@code expected}, {@code snapshot-6}, {@code tag-t1}, {@code branch-dev}, {@code
   *     changelog-2}, …
   */
  public static List<String> expected(String name, String state) throws IOException {
    return Files.readAllLines(file(name + "." + state + ".ndjson"));
  }

  /** A file of the directory of golden tables. */
  public static Path file(String name) {
    return directory().resolve(name);
  }

  private static Path directory() {
    String golden = System.getProperty("golden");
    if (golden == null) {
      throw new IllegalStateException(
          "run with -Dgolden=<repository>/spark-datasource/src/test/resources/golden");
    }
    return Path.of(golden, "tables");
  }

  /**
   * Unpacks a tar archive: blocks of 512 bytes, a head before each file.
   *
   * <pre>
   *   head: 0 name (100)   124 size, octal text (12)   156 type (1)   345 prefix of the name (155)
   *   type: '0' file, '5' directory, 'L' the next name follows, 'x' PAX entries follow
   * </pre>
   */
  private static void untar(InputStream in, Path into) throws IOException {
    byte[] head = new byte[BLOCK];
    String longName = null;
    while (in.readNBytes(head, 0, BLOCK) == BLOCK && head[0] != 0) {
      int size = Integer.parseInt(text(head, 124, 12).trim(), 8);
      String name = longName != null ? longName : name(head);
      longName = null;
      byte[] content = in.readNBytes(size);
      in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
      switch (head[156]) {
        case '5' -> Files.createDirectories(into.resolve(name));
        case 0, '0' -> write(into.resolve(name), content);
        case 'L' -> longName = text(content, 0, size);
        case 'x' -> longName = paxPath(content);
        default -> throw new IOException("tar entry of type " + (char) head[156] + ": " + name);
      }
    }
  }

  private static String name(byte[] head) {
    String prefix = text(head, 345, 155);
    String name = text(head, 0, 100);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  /** The path out of lines {@code "<length> <key>=<value>\n"}; null if there is none. */
  private static String paxPath(byte[] entries) {
    for (String line : new String(entries, StandardCharsets.UTF_8).split("\n")) {
      int key = line.indexOf(' ') + 1;
      if (line.startsWith("path=", key)) {
        return line.substring(key + "path=".length());
      }
    }
    return null;
  }

  private static String text(byte[] bytes, int from, int length) {
    int end = from;
    while (end < from + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
