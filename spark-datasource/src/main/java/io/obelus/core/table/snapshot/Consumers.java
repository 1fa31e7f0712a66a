package io.obelus.core.table.snapshot;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.MetadataJson;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Streams of other engines that have told the table how far they have read (spec chapter 12). Their
 * files are {@code consumer/consumer-<id>}: <code>{"nextSnapshot" : n}</code>.
 */
public record Consumers(Storage storage, TableDirectory directory) {

  private static final String PREFIX = "consumer-";

  /** The oldest snapshot that one of them has still to read; empty if there are none. */
  public OptionalLong next() throws IOException {
    OptionalLong next = OptionalLong.empty();
    for (Storage.Entry entry : storage.list(directory.consumers())) {
      if (!entry.isDirectory() && entry.name().startsWith(PREFIX)) {
        String file = directory.consumers() + "/" + entry.name();
        try {
          long own = MetadataJson.read(file, storage.read(file)).number("nextSnapshot");
          next = OptionalLong.of(Math.min(own, next.orElse(own)));
        } catch (FileNotFoundException e) {
          continue; // it has left since it was listed
        }
      }
    }
    return next;
  }
}
