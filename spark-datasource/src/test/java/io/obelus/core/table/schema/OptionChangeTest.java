package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionChangeTest {

  private static final TableSchema TABLE =
      NewTable.of(
              StructType.fromDDL("k INT, v STRING"),
              List.of(),
              Map.of("primary-key", "k", "write-only", "true"),
              null)
          .schema(1);

  private static TableSchema change(Map<String, String> set, String... removed) {
    return new OptionChange(set, Set.of(removed)).applyTo(TABLE, true, 2);
  }

  @Test
  void the_next_schema_has_the_options_changed_and_all_else_kept() {
    TableSchema next = change(Map.of("bucket", "8", "target-file-size", "1 mb"), "write-only");
    assertThat(next.id()).isEqualTo(1);
    assertThat(next.timeMillis()).isEqualTo(2);
    assertThat(next.rowType()).isEqualTo(TABLE.rowType());
    assertThat(next.options())
        .isEqualTo(
            Map.of("bucket", "8", "deletion-vectors.enabled", "true", "target-file-size", "1 mb"));
  }

  @Test
  void nothing_changed_is_the_same_schema() {
    assertThat(change(Map.of("write-only", "true"), "never-set")).isSameAs(TABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bucket-key | k | option 'bucket-key' cannot be changed from its default to 'k': files that exist",
        "bucket | -1 | option 'bucket' cannot be changed from '4' to '-1': only one number of buckets",
        "merge-engine | first-row | option 'merge-engine' cannot be changed from its default to 'first-row'",
        "partition.legacy-name | false | option 'partition.legacy-name' cannot be changed",
        "deletion-vectors.enabled | false | option 'deletion-vectors.enabled' cannot be changed from 'true' to 'false': rows that were deleted so far would come back",
        "primary-key | v | option 'primary-key' cannot be changed from its default to 'v': it is chosen when",
        "target-file-size | big | option 'target-file-size' is 'big' but should be a size",
        "changelog-producer | lookup | option 'changelog-producer' = 'lookup' is not supported"
      })
  void what_cannot_change_is_refused_by_name(String name, String value, String message) {
    assertThatThrownBy(() -> change(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void removing_is_a_change_too() {
    assertThatThrownBy(() -> change(Map.of(), "bucket"))
        .hasMessageStartingWith("option 'bucket' cannot be changed from '4' to its default");
    assertThatThrownBy(() -> change(Map.of(), "deletion-vectors.enabled"))
        .hasMessageContaining("rows that were deleted so far would come back");
  }

  @Test
  void before_the_first_commit_more_can_change_and_bitmaps_can_come_at_any_time() {
    TableSchema off =
        new OptionChange(Map.of("deletion-vectors.enabled", "false"), Set.of())
            .applyTo(TABLE, false, 2);
    TableSchema on =
        new OptionChange(Map.of("deletion-vectors.enabled", "true"), Set.of())
            .applyTo(off, true, 3);
    assertThat(on.id()).isEqualTo(2);
    assertThat(new TableOptions(on).deletionCoding()).isPresent();
  }
}
