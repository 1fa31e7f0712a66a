package io.obelus.spark;

import io.obelus.spark.option.BranchOption;
import io.obelus.spark.option.ScanPosition;
import io.obelus.spark.option.SchemaMergeOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsCatalogOptions;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.collection.JavaConverters;

/**
 * {@code spark.read.format("obelus").load(…)} and {@code df.write.format("obelus").save(…)}.
 *
 * <p>What is loaded is a path, if it holds a slash or a scheme, else the name of a table: {@code
 * cat.db.t}, {@code db.t} or {@code t}, looked up like any name in SQL. Option {@code branch} names
 * one of its branches.
 */
public final class ObelusSource implements SupportsCatalogOptions, DataSourceRegister {

  /** What goes into {@code format(…)} and {@code USING}. */
  public static final String NAME = "obelus";

  /** The catalog of paths; registered in the session when first needed. */
  private static final String PATH_CATALOG = "obelus_paths";

  private static final String PATH = "path";

  /**
   * Whether a table of these properties, as Spark hands them to a catalog, is ours. Without a word
   * about it, the session's default source decides.
   */
  static boolean isNamedIn(Map<String, String> properties) {
    String provider = properties.get(TableCatalog.PROP_PROVIDER);
    String wanted = provider != null ? provider : SQLConf.get().defaultDataSourceName();
    return wanted.equalsIgnoreCase(NAME) || wanted.equals(ObelusSource.class.getName());
  }

  @Override
  public String shortName() {
    return NAME;
  }

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public Identifier extractIdentifier(CaseInsensitiveStringMap options) {
    Identifier identifier = identifier(options);
    return SchemaMergeOption.of(options).isPresent()
        ? new MergingIdentifier(identifier)
        : identifier;
  }

  private static Identifier identifier(CaseInsensitiveStringMap options) {
    String wanted = wanted(options);
    if (PathIdentifiers.isPath(wanted)) {
      return PathIdentifiers.of(wanted + BranchOption.suffix(options));
    }
    List<String> parts = parts(wanted);
    int first = isCatalog(parts) ? 1 : 0;
    String[] namespace = parts.subList(first, parts.size() - 1).toArray(String[]::new);
    if (namespace.length == 0 && first == 0) {
      namespace = manager().currentNamespace();
    }
    return Identifier.of(namespace, parts.get(parts.size() - 1) + BranchOption.suffix(options));
  }

  @Override
  public String extractCatalog(CaseInsensitiveStringMap options) {
    String wanted = wanted(options);
    if (PathIdentifiers.isPath(wanted)) {
      String key = "spark.sql.catalog." + PATH_CATALOG;
      if (!session().conf().contains(key)) {
        session().conf().set(key, ObelusCatalog.class.getName());
      }
      return PATH_CATALOG;
    }
    List<String> parts = parts(wanted);
    return isCatalog(parts) ? parts.get(0) : manager().currentCatalog().name();
  }

  @Override
  public Optional<String> extractTimeTravelVersion(CaseInsensitiveStringMap options) {
    return ScanPosition.of(options).flatMap(ScanPosition::version);
  }

  @Override
  public Optional<String> extractTimeTravelTimestamp(CaseInsensitiveStringMap options) {
    return ScanPosition.of(options).flatMap(ScanPosition::timestamp);
  }

  private static String wanted(CaseInsensitiveStringMap options) {
    String wanted = options.get(PATH);
    if (wanted == null || wanted.isBlank()) {
      throw new IllegalArgumentException(
          "format(\"obelus\") needs a path or a table's name: load(\"/lake/db.db/t\"),"
              + " save(\"cat.db.t\") or option(\"path\", …)"
              + (options.containsKey("paths") ? "; several paths at once cannot be read" : ""));
    }
    return wanted;
  }

  private static List<String> parts(String name) {
    try {
      return JavaConverters.seqAsJavaList(
          session().sessionState().sqlParser().parseMultipartIdentifier(name));
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "'" + name + "' is neither a path nor the name of a table", e);
    }
  }

  private static boolean isCatalog(List<String> parts) {
    return parts.size() > 1 && manager().isCatalogRegistered(parts.get(0));
  }

  private static SparkSession session() {
    return SparkSession.active();
  }

  private static CatalogManager manager() {
    return session().sessionState().catalogManager();
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return table(options).schema();
  }

  @Override
  public Transform[] inferPartitioning(CaseInsensitiveStringMap options) {
    return table(options).partitioning();
  }

  /** For streams, which come here and not to a catalog. */
  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return table(new CaseInsensitiveStringMap(properties));
  }

  private static ObelusTable table(CaseInsensitiveStringMap options) {
    String wanted = wanted(options);
    if (!PathIdentifiers.isPath(wanted)) {
      throw new IllegalArgumentException(
          "a stream names its table by path, not '"
              + wanted
              + "'; or use toTable(\""
              + wanted
              + "\")");
    }
    return ObelusCatalog.atPath(wanted + BranchOption.suffix(options), false);
  }
}
