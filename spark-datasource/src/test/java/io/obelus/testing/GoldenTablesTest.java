package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenTablesTest {

  @TempDir private Path directory;

  @Test
  void every_table_unpacks_and_says_what_it_holds() throws IOException {
    assertThat(GoldenTables.names()).hasSize(18);
    for (String name : GoldenTables.names()) {
      Path table = GoldenTables.unpack(name, directory.resolve(name));
      assertThat(table.resolve("schema/schema-0")).isRegularFile();
      assertThat(Files.readString(table.resolve("schema/schema-0"))).startsWith("{").endsWith("}");
      assertThat(GoldenTables.expected(name)).isNotEmpty();
      assertThat(GoldenTables.description(name)).startsWith("{");
    }
  }
}
