package io.obelus.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Makes the directories of {@code @TempDir}: {@link WholeTables} watches them. */
public final class WatchedDirectories implements TempDirFactory {

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    return WholeTables.watch(Files.createTempDirectory("obelus-"));
  }
}
