package io.obelus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of documentation, and the code and pages that they speak of. */
class DocsTest {

  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  @Test
  void every_format_class_is_on_the_page_of_formats() throws IOException {
    Path main = module().resolve("src/main/java/io/obelus");
    List<String> formats =
        files(main, "Format.java").stream().map(file -> main.relativize(file).toString()).toList();
    String page = Files.readString(module().resolve("docs/format/README.md"));
    assertThat(formats)
        .isNotEmpty()
        .filteredOn(format -> !page.contains("/" + format + ")"))
        .as("classes named *Format that docs/format/README.md does not list")
        .isEmpty();
  }

  @Test
  void every_link_in_the_docs_leads_somewhere() throws IOException {
    Path top = module().getParent();
    List<Path> pages = new ArrayList<>(files(module().resolve("docs"), ".md"));
    pages.addAll(files(top.resolve("spark-procedures/docs"), ".md"));
    pages.add(top.resolve("README.md"));
    pages.add(top.resolve("CONTRIBUTING.md"));
    assertThat(pages)
        .isNotEmpty()
        .allSatisfy(
            page ->
                assertThat(links(page))
                    .filteredOn(link -> !Files.exists(page.getParent().resolve(link)))
                    .as("dead links in " + page)
                    .isEmpty());
  }

  private static List<String> links(Path page) throws IOException {
    return LINK.matcher(Files.readString(page)).results().map(DocsTest::target).toList();
  }

  private static String target(MatchResult link) {
    return link.group(1);
  }

  private static List<Path> files(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }

  private static Path module() {
    Path here = Path.of("").toAbsolutePath();
    Path below = here.resolve("spark-datasource");
    return Files.exists(below) ? below : here;
  }
}
