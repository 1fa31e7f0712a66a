"""What calls return reads well in a terminal and in a notebook."""

import datetime as dt

from obelus import BucketCompaction, Compaction, Snapshot


def test_a_snapshot_is_a_sentence_or_a_table_of_its_fields():
    snapshot = Snapshot(3, "APPEND", dt.datetime(2024, 1, 2, 3, 4, 5, 678000), 1234, 1)
    assert repr(snapshot) == "<snapshot 3: APPEND of 2024-01-02 03:04:05, 1,234 rows stored>"
    shown = snapshot._repr_html_()
    assert ">2024-01-02 03:04:05.678<" in shown and ">1,234<" in shown


def test_a_compaction_of_many_buckets_shows_the_first_ones_and_how_many_there_are():
    shown = Compaction(tuple(BucketCompaction("<a>", n, 2, 1, 10, 9, 0, 5) for n in range(60)))._repr_html_()
    assert shown.startswith("<b>compaction: 60 buckets, 120 files became 60, 600 B became 540 B, 300 struck-out rows")
    assert shown.count("<tr>") == 51 and "and 10 more" in shown and "<a>" not in shown
