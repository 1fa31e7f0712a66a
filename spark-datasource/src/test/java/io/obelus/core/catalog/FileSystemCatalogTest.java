package io.obelus.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.table.schema.ColumnChange;
import io.obelus.core.table.schema.ColumnChanges;
import io.obelus.core.table.schema.NewTable;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemCatalogTest {

  private static final Storage STORAGE = new HadoopStorage(new Configuration(false));
  private static final NewTable ORDERS =
      NewTable.of(
          StructType.fromDDL("id BIGINT, day DATE, note STRING"),
          List.of("day"),
          Map.of("primary-key", "id,day"),
          "what was ordered");

  @TempDir private Path warehouse;
  private FileSystemCatalog catalog;

  @BeforeEach
  void an_empty_warehouse() {
    catalog = new FileSystemCatalog(STORAGE, "file:" + warehouse + "/");
  }

  private List<String> files(String directory) throws IOException {
    return STORAGE.list(warehouse + "/" + directory).stream()
        .map(Storage.Entry::name)
        .sorted()
        .toList();
  }

  @Test
  void databases_are_directories_and_default_is_always_there() throws IOException {
    assertThat(catalog.databases()).containsExactly("default");
    assertThat(catalog.tables("default")).isEmpty();
    catalog.createDatabase("sales");
    Files.createDirectory(warehouse.resolve("no-database"));
    Files.createFile(warehouse.resolve("file.db"));
    assertThat(catalog.databases()).containsExactly("default", "sales");
    assertThat(catalog.databaseExists("sales")).isTrue();
    assertThat(catalog.databaseExists("other")).isFalse();
    assertThat(catalog.databaseExists("../sales")).isFalse();
    assertThatThrownBy(() -> catalog.createDatabase("sales"))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessage("database 'sales' exists already; choose another name or drop it first");
    assertThatThrownBy(() -> catalog.createDatabase("a/b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("database name 'a/b' cannot name a directory");
    assertThatThrownBy(() -> catalog.tables("other"))
        .isInstanceOf(NoSuchDatabaseException.class)
        .hasMessage(
            "there is no database 'other' in file:%s; there are [default, sales]"
                .formatted(warehouse));
  }

  @Test
  void a_database_is_dropped_when_it_is_empty_or_with_all_in_it() throws IOException {
    catalog.createDatabase("sales");
    catalog.create("sales", "orders", ORDERS);
    assertThatThrownBy(() -> catalog.dropDatabase("sales", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("database 'sales' is not empty")
        .hasMessageContaining("holds [orders]");
    catalog.dropDatabase("sales", true);
    assertThat(catalog.databases()).containsExactly("default");
    assertThatThrownBy(() -> catalog.dropDatabase("sales", true))
        .isInstanceOf(NoSuchDatabaseException.class);
  }

  @Test
  void a_warehouse_that_is_not_there_is_refused() throws IOException {
    catalog.checkWarehouse();
    FileSystemCatalog lost = new FileSystemCatalog(STORAGE, warehouse + "/lost");
    assertThatThrownBy(lost::checkWarehouse)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "warehouse %s/lost does not exist; check the path, or make the directory"
                .formatted(warehouse));
  }

  @Test
  void a_table_is_made_found_and_dropped() throws IOException {
    Table made = catalog.create("default", "orders", ORDERS);
    assertThat(made.name()).isEqualTo("default.orders");
    assertThat(files("default.db/orders/schema")).containsExactly("schema-0");
    Table found = catalog.table("default", "orders").orElseThrow();
    assertThat(found.schema()).isEqualTo(made.schema());
    assertThat(catalog.tableAt(made.directory().root()).orElseThrow().schema())
        .isEqualTo(made.schema());
    assertThat(catalog.tables("default")).containsExactly("orders");
    assertThat(catalog.table("default", "../default.db/orders")).isEmpty();
    assertThatThrownBy(() -> catalog.create("default", "orders", ORDERS))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageStartingWith("table 'default.orders' exists already");
    assertThatThrownBy(() -> catalog.create("nowhere", "orders", ORDERS))
        .isInstanceOf(NoSuchDatabaseException.class);
    catalog.drop(found);
    assertThat(files("default.db")).isEmpty();
    assertThat(catalog.table("default", "orders")).isEmpty();
    assertThatThrownBy(() -> catalog.drop(found))
        .isInstanceOf(NoSuchTableException.class)
        .hasMessage(
            "there is no table 'default.orders': file:%s/default.db/orders has no schema file"
                .formatted(warehouse));
  }

  @Test
  void paimon_opens_a_new_table_and_finds_what_was_asked_for() throws Exception {
    catalog.create("default", "orders", ORDERS);
    org.apache.paimon.schema.TableSchema schema =
        new PaimonTables(warehouse.resolve("paimon"))
            .open(warehouse.resolve("default.db/orders"))
            .table()
            .schema();
    assertThat(schema.primaryKeys()).containsExactly("id", "day");
    assertThat(schema.partitionKeys()).containsExactly("day");
    assertThat(schema.comment()).isEqualTo("what was ordered");
    assertThat(schema.logicalRowType().asSQLString())
        .isEqualTo("ROW<`id` BIGINT NOT NULL, `day` DATE NOT NULL, `note` STRING>");
    assertThat(schema.options()).containsEntry("deletion-vectors.enabled", "true");
  }

  @Test
  void files_of_something_else_do_not_become_part_of_a_table() throws IOException {
    Files.createDirectories(warehouse.resolve("default.db/orders/snapshot"));
    assertThatThrownBy(() -> catalog.create("default", "orders", ORDERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the directory is no table but holds [snapshot]");
  }

  @Test
  void making_a_table_that_dies_at_any_step_can_be_repeated() throws IOException {
    for (int step = 1; ; step++) {
      String name = "t" + step;
      FailingStorage broken = FailingStorage.dyingAt(step, STORAGE);
      FileSystemCatalog dying = new FileSystemCatalog(broken, catalog.warehouse());
      try {
        dying.create("default", name, ORDERS);
      } catch (IOException e) {
        assertThat(e).hasMessageStartingWith("broken on purpose");
        assertThat(catalog.table("default", name)).isEmpty();
        catalog.create("default", name, ORDERS);
      }
      assertThat(catalog.table("default", name)).isPresent();
      if (!broken.hasFailed()) {
        assertThat(step).isGreaterThan(2);
        return;
      }
    }
  }

  @Test
  void of_two_who_make_a_table_one_does() {
    FailingStorage overtaken =
        FailingStorage.counting(STORAGE)
            .before(
                operation -> operation.startsWith("createIfAbsent"),
                () -> catalog.create("default", "orders", ORDERS));
    FileSystemCatalog slow = new FileSystemCatalog(overtaken, catalog.warehouse());
    assertThatThrownBy(() -> slow.create("default", "orders", ORDERS))
        .isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  void a_drop_that_dies_at_any_step_leaves_the_table_or_none() throws IOException {
    for (int step = 1; ; step++) {
      Table table = catalog.create("default", "orders", ORDERS);
      FailingStorage broken = FailingStorage.dyingAt(step, STORAGE);
      try {
        new FileSystemCatalog(broken, catalog.warehouse()).drop(table);
      } catch (IOException e) {
        assertThat(catalog.tables("default")).isIn(List.of("orders"), List.of());
        if (!catalog.tables("default").isEmpty()) {
          catalog.drop(table);
        }
      }
      assertThat(catalog.table("default", "orders")).isEmpty();
      if (!broken.hasFailed()) {
        return;
      }
    }
  }

  @Test
  void a_table_moves_to_another_name() throws IOException {
    catalog.createDatabase("sales");
    Table table = catalog.create("default", "orders", ORDERS);
    Table moved = catalog.rename(table, "sales", "bookings");
    assertThat(moved.name()).isEqualTo("sales.bookings");
    assertThat(catalog.tables("default")).isEmpty();
    assertThat(catalog.tables("sales")).containsExactly("bookings");
    Table other = catalog.create("default", "orders", ORDERS);
    assertThatThrownBy(() -> catalog.rename(other, "sales", "bookings"))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> catalog.rename(table, "nowhere", "x"))
        .isInstanceOf(NoSuchDatabaseException.class);
  }

  @Test
  void columns_change_on_top_of_what_others_change() throws IOException {
    Table table = catalog.create("default", "orders", ORDERS);
    int highest = table.schema().highestFieldId();
    FailingStorage overtaken =
        FailingStorage.counting(STORAGE)
            .before(operation -> operation.endsWith("schema-1"), () -> add(catalog, table, "one"));
    FileSystemCatalog slow = new FileSystemCatalog(overtaken, catalog.warehouse());
    Table changed = add(slow, table, "two");
    assertThat(changed.schema().id()).isEqualTo(2);
    assertThat(changed.schema().rowType().names()).endsWith("one", "two");
    assertThat(changed.schema().rowType().highestId()).isEqualTo(highest + 2);
    assertThatThrownBy(() -> add(catalog, table, "one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column 'one' is there already");
  }

  private static Table add(FileSystemCatalog catalog, Table table, String name) throws IOException {
    ColumnChange add =
        new ColumnChange.Add(
            List.of(name), DataTypes.IntegerType, true, null, ColumnChange.Position.LAST);
    return catalog.alter(table, new ColumnChanges(List.of(add)));
  }

  @Test
  void options_change_on_top_of_what_others_change() throws IOException {
    Table table = catalog.create("default", "orders", ORDERS);
    FailingStorage overtaken =
        FailingStorage.counting(STORAGE)
            .before(
                operation -> operation.endsWith("schema-1"),
                () -> catalog.alter(table, Map.of("write-only", "true"), Set.of()));
    FileSystemCatalog slow = new FileSystemCatalog(overtaken, catalog.warehouse());
    Table changed = slow.alter(table, Map.of("bucket", "8"), Set.of());
    assertThat(changed.schema().id()).isEqualTo(2);
    assertThat(catalog.table("default", "orders").orElseThrow().schema().options())
        .containsEntry("bucket", "8")
        .containsEntry("write-only", "true");
    assertThat(catalog.alter(changed, Map.of(), Set.of("unknown")).schema().id()).isEqualTo(2);
  }
}
