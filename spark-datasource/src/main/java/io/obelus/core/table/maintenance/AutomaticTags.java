package io.obelus.core.table.maintenance;

import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TagPeriod;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Tags that a table asks for by its options, one for each day or hour (spec chapter 12): the first
 * commit after a period has ended is tagged with the name of that period. A period without a commit
 * after it, before the next one ends, has no tag.
 */
final class AutomaticTags {

  private AutomaticTags() {}

  /**
   * Makes the tag that is due, and deletes the oldest automatic ones beyond {@code
   * tag.num-retained-max} and all tags whose time is over. Costs one look if none is due.
   *
   * @return the tag; empty if there is none to make
   */
  static Optional<Tag> after(Table table, Snapshot committed) throws IOException {
    Optional<TagPeriod> period = table.options().automaticTags();
    if (period.isEmpty()
        || table.tags().find(period.get().due(committed.timeMillis())).isPresent()) {
      return Optional.empty();
    }
    TableOptions options = table.options();
    Tag made;
    try {
      made =
          table
              .tags()
              .create(
                  period.get().due(committed.timeMillis()),
                  committed,
                  options.tagTimeRetained().orElse(null));
    } catch (IllegalArgumentException e) {
      if (table.tags().find(period.get().due(committed.timeMillis())).isPresent()) {
        return Optional.empty(); // another commit was faster
      }
      throw e;
    }
    deleteOld(table, period.get(), made);
    return Optional.of(made);
  }

  private static void deleteOld(Table table, TagPeriod period, Tag made) throws IOException {
    LocalDateTime now = LocalDateTime.now();
    List<Tag> automatic =
        table.tags().all().stream()
            .filter(tag -> period.isName(tag.name()))
            .sorted(
                Comparator.comparingLong((Tag tag) -> tag.snapshot().id()).thenComparing(Tag::name))
            .toList();
    long tooMany = automatic.size() - (long) table.options().tagsRetainedMax();
    for (int i = 0; i < tooMany; i++) {
      DeleteTag.of(table, automatic.get(i).name());
    }
    for (Tag tag : table.tags().all()) {
      if (tag.created() != null
          && tag.retained() != null
          && !tag.name().equals(made.name())
          && tag.created().plus(tag.retained()).isBefore(now)) {
        DeleteTag.of(table, tag.name());
      }
    }
  }
}
