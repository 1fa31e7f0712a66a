package io.obelus.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/format} speaks of every format there is, and of none that there is not. */
class FormatDocsTest {

  private static final Pattern VERSION = Pattern.compile("static final int V\\w+ = (\\d+);");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)");
  private static final Pattern NAME = Pattern.compile("`(\\w+Format)`");

  private static final Path MODULE =
      Path.of(System.getProperty("golden")).resolve("../../../..").normalize();
  private static final Path DOCS = MODULE.resolve("docs/format");

  @Test
  void every_format_is_on_the_page_with_all_its_versions() throws IOException {
    List<String> lines = Files.readAllLines(DOCS.resolve("README.md"));
    for (Path source : formats()) {
      String name = name(source);
      List<String> own = lines.stream().filter(line -> line.contains("`" + name + "`")).toList();
      assertThat(own).as("lines of docs/format/README.md with %s", name).hasSize(1);
      for (String version : found(VERSION, Files.readString(source))) {
        assertThat(own.get(0)).as("versions of %s", name).containsPattern("\\b" + version + "\\b");
      }
    }
  }

  @Test
  void every_format_on_a_page_is_a_class() throws IOException {
    List<String> names = formats().stream().map(FormatDocsTest::name).toList();
    for (Path page : pages()) {
      assertThat(names).as(page.toString()).containsAll(found(NAME, Files.readString(page)));
    }
  }

  @Test
  void every_link_on_a_page_leads_somewhere() throws IOException {
    for (Path page : pages()) {
      for (String link : found(LINK, Files.readString(page))) {
        assertThat(DOCS.resolve(link)).as("link on %s", page.getFileName()).exists();
      }
    }
  }

  @Test
  void every_page_is_linked_from_the_first() throws IOException {
    List<String> links = found(LINK, Files.readString(DOCS.resolve("README.md")));
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      assertThat(name.equals("README.md") || links.contains(name)).as(name).isTrue();
    }
  }

  private static List<Path> formats() throws IOException {
    return files(MODULE.resolve("src/main/java"), "Format.java");
  }

  private static List<Path> pages() throws IOException {
    return files(DOCS, ".md");
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
      assertThat(found).as("files below " + directory).isNotEmpty();
      return found;
    }
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }
}
