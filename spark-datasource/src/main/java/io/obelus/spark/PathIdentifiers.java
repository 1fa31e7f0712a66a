package io.obelus.spark;

import java.nio.file.Path;
import org.apache.spark.sql.connector.catalog.Identifier;

/** Tables named by their directory: identifiers without a namespace whose name is a path. */
final class PathIdentifiers {

  private PathIdentifiers() {}

  /** Whether a name is a path: it holds a slash, as every path with a scheme does. */
  static boolean isPath(String name) {
    return name.indexOf('/') >= 0;
  }

  /** Also {@code obelus.`/dir/t`}, which a session catalog sees as a namespace and a name. */
  static boolean isPath(Identifier identifier) {
    String[] namespace = identifier.namespace();
    return isPath(identifier.name())
        && (namespace.length == 0
            || (namespace.length == 1 && namespace[0].equals(ObelusSource.NAME)));
  }

  static Identifier of(String path) {
    return Identifier.of(new String[0], absolute(path));
  }

  /** The path as the storage takes it: a relative one is below the working directory. */
  static String absolute(String path) {
    String bare = path;
    while (bare.length() > 1 && bare.endsWith("/")) {
      bare = bare.substring(0, bare.length() - 1);
    }
    return bare.startsWith("/") || hasScheme(bare)
        ? bare
        : Path.of(bare).toAbsolutePath().normalize().toString();
  }

  private static boolean hasScheme(String path) {
    int colon = path.indexOf(':');
    return colon > 0 && colon < path.indexOf('/');
  }
}
