"""A table from Python: rows, upkeep, and what it is made of."""

import obelus
import pytest
from obelus import ObelusTable
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType, LongType, StringType, StructField, StructType

ODD = "obelus.`od'd`.`my t`"  # a quote and a space in its name, a space and a dot in its columns


@pytest.fixture
def table(spark):
    """Keys 0 to 99 with value key % 7, two buckets."""
    made = ObelusTable.create(
        spark,
        "obelus.test.t",
        "id BIGINT NOT NULL, v INT, name STRING",
        primary_key="id",
        options={"bucket": 2, "file-index.bitmap.columns": "name"},
    )
    made.upsert(numbers(spark, 100))
    yield made
    made.drop()


def numbers(spark, count):
    return spark.range(count).selectExpr("id", "CAST(id % 7 AS INT) AS v", "concat('n', id % 10) AS name")


def rows(df):
    return sorted(tuple(row) for row in df.collect())


def values(df):
    return {row.id: row.v for row in df.collect()}


def test_an_upsert_replaces_the_row_of_its_key(spark, table):
    done = table.upsert(spark.createDataFrame([("x", 1000, 5), ("y", 1, 9)], "name STRING, id LONG, v INT"))
    assert (done.id, done.total_rows) == (2, 102)
    assert rows(table.df().where("id IN (1, 5, 1000)")) == [(1, 9, "y"), (5, 5, "n5"), (1000, 5, "x")]
    assert table.df().count() == 101


def test_delete_and_update_take_text_and_columns(table):
    table.delete("id >= 10")
    table.delete(F.col("v") == 3)
    table.update({"v": "v + 100", "name": F.upper("name")}, F.col("id") < 2)
    table.update({"v": -1, "name": None}, "id = 9")
    expected = {id: id % 7 for id in range(10) if id % 7 != 3}
    expected.update({0: 100, 1: 101, 9: -1})
    assert values(table.df()) == expected
    assert rows(table.df().where("id IN (0, 9)")) == [(0, 100, "N0"), (9, -1, None)]


def test_each_kind_of_merge_clause_does_what_it_says(spark, table):
    source = spark.range(95, 110).selectExpr("id", "CAST(-id AS INT) AS v", "'s' AS name")
    merge = (
        table.merge(source, ["id"])
        .when_not_matched_insert({"id": "s.id", "v": F.lit(1)}, "s.id = 100")
        .when_not_matched_insert_all("s.id < 105")
        .when_not_matched_by_source_delete("t.id < 90")
        .when_not_matched_by_source_update({"v": "t.v + 50"}, "t.id = 90")
        .when_matched_delete("s.id = 95")
        .when_matched_update({"v": "s.v * 2"}, "s.id = 96")
        .when_matched_update_all()
    )
    assert merge.execute().id == 2
    expected = {90: 90 % 7 + 50, 96: -192, 100: 1}
    expected.update({id: id % 7 for id in range(91, 95)})
    expected.update({id: -id for id in [97, 98, 99, 101, 102, 103, 104]})
    assert values(table.df()) == expected
    assert not [t for t in spark.catalog.listTables() if t.name.startswith("obelus_source_")]


def test_a_merge_takes_a_table_or_a_name_and_other_aliases(spark, table):
    other = ObelusTable.create(spark, "obelus.test.other", "id BIGINT NOT NULL, v INT, name STRING", primary_key="id")
    other.upsert(numbers(spark, 3))
    on = "mine.id = theirs.id"
    for source in (other, other.name):
        table.merge(source, on, target_alias="mine", source_alias="theirs").when_matched_update(
            {"v": "mine.v + theirs.v + 1"}
        ).execute()
    assert {k: v for k, v in values(table.df()).items() if k < 4} == {0: 2, 1: 5, 2: 8, 3: 3}
    other.drop()


def test_a_merge_without_clauses_says_so(spark, table):
    merge = table.merge(numbers(spark, 1))
    assert repr(merge) == "<merge into obelus.test.t, no clause yet>"
    with pytest.raises(obelus.InvalidRequestError, match="add a when_"):
        merge.execute()
    with pytest.raises(obelus.InvalidRequestError, match="'on' names no column"):
        table.merge(numbers(spark, 1), [])
    with pytest.raises(obelus.InvalidRequestError, match="'set' names no column"):
        table.update({})


def test_odd_names_are_quoted_everywhere(spark):
    schema = StructType(
        [
            StructField("k`e y", LongType(), nullable=False),
            StructField("v.w", IntegerType()),
            StructField("part", StringType(), nullable=False),
        ]
    )
    table = ObelusTable.create(
        spark, ODD, schema, primary_key=["k`e y", "part"], partitioned_by="part", comment="it's", options={"bucket": 1}
    )
    assert ObelusTable.for_name(spark, ODD).name == table.name == ODD
    assert table.primary_key() == ["k`e y", "part"]
    source = spark.createDataFrame([(1, 10, "it's"), (2, 20, "b\\c")], schema)
    table.upsert(source)
    table.merge(source).when_matched_update({"`v.w`": "t.`v.w` + s.`v.w`"}).execute()
    table.update({"`v.w`": F.col("`v.w`") + 1}, F.col("part") == "it's")
    assert rows(table.df()) == [(1, 21, "it's"), (2, 40, "b\\c")]
    assert len(table.compact(F.col("part") == "it's").buckets) == 1
    assert "my t" in str(table.plot_layout())
    table.tag("it's")
    assert obelus.read(spark, ODD, tag="it's").count() == 2
    table.drop()
    assert not table.exists()


def test_upkeep_returns_what_was_done(table):
    table.delete("id < 50")
    assert repr(table.tag("loaded", 1)) == "<tag loaded: snapshot 1>"
    assert obelus.read(table.spark, table.name, tag="loaded").count() == 100
    assert obelus.read(table.spark, table.name, version=1).count() == 100
    planned = table.compact(dry_run=True)
    assert planned.total("files_before") == 2 and planned.total("files_after") is None
    done = table.compact()
    assert done.total("rows_purged") == 50 and len(done.buckets) == 2
    assert "50 struck-out rows gone" in repr(done)
    assert done._repr_html_().count("<tr>") == 3
    expired = table.expire_snapshots(retain_max=1, retain_min=1)
    assert expired.deleted_snapshots_count == 2
    assert [row.snapshot_id for row in table.history().collect()] == [3]
    assert table.rename_tag("loaded", "first") == obelus.Tag("first", 1)
    back = table.rollback(tag="first")
    assert (back.previous_snapshot_id, back.current_snapshot_id) == (3, 1)
    assert table.df().count() == 100
    assert table.delete_tag("first").snapshot_id == 1 and table.tags().count() == 0
    assert table.remove_orphan_files(dry_run=True) == ()


def test_a_purge_rewrites_files_of_which_enough_is_struck_out(table):
    table.delete("id < 50")
    assert table.compact(strategy="purge", threshold=0.9).total("rows_purged") == 0
    assert table.compact(strategy="purge", threshold=0.1).total("rows_purged") == 50
    assert values(table.df()) == {id: id % 7 for id in range(50, 100)}


def test_a_branch_goes_its_own_way_and_the_table_goes_forward_to_it(spark, table, tmp_path):
    table.tag("begin")
    branch = table.create_branch("fix-1", "begin")
    branch.delete("id >= 10")
    assert (branch.df().count(), table.df().count()) == (10, 100)
    assert [row.branch_name for row in table.branches().collect()] == ["fix-1"]
    assert table.branch("fix-1").tag("done").snapshot_id == 2
    table.delete("id < 50")
    assert table.fast_forward("fix-1", dry_run=True).snapshots_removed == 1
    gone = "<went forward from snapshot 2 to 2 of the branch: 1 snapshot and 0 tags removed>"
    assert repr(table.fast_forward("fix-1")) == gone
    assert values(table.df()) == values(branch.df()) and table.df().count() == 10
    table.delete_branch("fix-1")
    with pytest.raises(obelus.InvalidRequestError, match="has no branch 'fix-1'; it has none"):
        table.delete_branch("fix-1")
    by_path = ObelusTable.create(spark, f"{tmp_path}/p", "id INT NOT NULL", primary_key="id")
    assert by_path.create_branch("b").df().count() == 0


@pytest.mark.damages_tables("a data file is cut short")
def test_verify_finds_what_is_damaged(table):
    table.delete("id < 50")
    assert table.verify() == table.verify("full", sample=0.5) == table.verify("full", version=1) == ()
    damaged = table.files().first().file_path
    path = damaged[damaged.index("/") :]
    content = open(path, "rb").read()
    with open(path, "wb") as file:
        file.write(content[:-8])
    (found,) = table.verify()
    assert (found.severity, found.check, found.file) == ("ERROR", "data_file", damaged)
    assert "should have" in found.message and found.remedy.startswith("restore")
    assert str(found).startswith(f"ERROR data_file: {damaged}")


def test_system_tables_are_dataframes(table):
    table.delete("id < 50")
    assert [row.snapshot_id for row in table.history().collect()] == [1, 2]
    assert table.files().count() == 2
    assert sum(row.struck_out_count for row in table.levels().collect()) == 50
    assert sum(row.struck_out_count for row in table.levels(1).collect()) == 0
    assert sum(row.struck_out_count for row in table.deletion_bitmaps().collect()) == 50
    assert {row.column_name for row in table.indexes().collect()} == {"name"}
    assert table.options()["bucket"] == "2"


def test_a_table_by_path_does_the_same(spark, table, tmp_path):
    path = table.files().first().file_path.rsplit("/bucket-", 1)[0]
    same = ObelusTable.for_path(spark, path)
    assert same.primary_key() == ["id"] and same.path == path
    same.upsert(numbers(spark, 120))
    same.delete("id = 7")
    assert same.compact().total("rows_purged") == 101
    assert same.df().count() == table.df().count() == obelus.read(spark, path).count() == 119
    assert obelus.read(spark, path, version=1).count() == 100
    made = ObelusTable.create(
        spark, str(tmp_path / "fresh"), "id BIGINT NOT NULL, v INT, name STRING", primary_key="id"
    )
    assert made.snapshot() is None
    made.upsert(numbers(spark, 5))
    assert ObelusTable.for_path(spark, str(tmp_path / "fresh")).df().count() == 5


def test_a_table_that_is_missing_or_not_ours_is_an_error(spark, tmp_path):
    with pytest.raises(obelus.InvalidRequestError, match="there is no Obelus table obelus.test.none"):
        ObelusTable.for_name(spark, "obelus.test.none")
    with pytest.raises(obelus.InvalidRequestError, match="there is no Obelus table"):
        ObelusTable.for_path(spark, str(tmp_path))
    with pytest.raises(obelus.InvalidRequestError, match="'version' or 'tag'"):
        obelus.read(spark, "obelus.test.none", version=1, tag="a")


def test_if_not_exists_leaves_the_table_as_it_is(spark, table):
    same = ObelusTable.create(spark, table.name, "id BIGINT NOT NULL, other INT", primary_key="id", if_not_exists=True)
    assert same.df().columns == ["id", "v", "name"]
