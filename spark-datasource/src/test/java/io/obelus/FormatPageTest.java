package io.obelus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page {@code docs/format/README.md} lists each kind of file. */
class FormatPageTest {

  private static final Path MODULE = module();
  private static final Path MAIN = MODULE.resolve("src/main/java/io/obelus");

  @Test
  void every_format_class_is_on_the_page() throws IOException {
    String page = Files.readString(MODULE.resolve("docs/format/README.md"));
    assertThat(formats()).isNotEmpty().allSatisfy(format -> assertThat(page).contains(format));
  }

  @Test
  void every_class_on_the_page_exists() throws IOException {
    String page = Files.readString(MODULE.resolve("docs/format/README.md"));
    List<String> listed =
        Stream.of(page.split("`"))
            .filter(word -> word.startsWith("core.") && word.endsWith("Format"))
            .toList();
    assertThat(formats()).containsAll(listed);
  }

  /** {@code core.table.schema.SchemaFormat} and so on. */
  private static List<String> formats() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files
          .map(file -> MAIN.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.endsWith("Format.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .toList();
    }
  }

  private static Path module() {
    Path here = Path.of("").toAbsolutePath();
    Path below = here.resolve("spark-datasource");
    return Files.exists(below) ? below : here;
  }
}
