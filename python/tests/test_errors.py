"""What the JVM throws arrives as one sentence, with the stack behind it."""

from pathlib import Path

import obelus
import pytest
from obelus import ObelusTable


@pytest.fixture
def table(spark):
    made = ObelusTable.create(spark, "obelus.test.e", "id INT NOT NULL, v INT", primary_key="id", options={"bucket": 1})
    made.upsert(spark.createDataFrame([(1, 1), (2, 2)], "id INT, v INT"))
    yield made
    made.drop()


def test_a_refused_option_is_named(spark):
    with pytest.raises(obelus.InvalidRequestError, match="'merge-engine' = 'what'") as told:
        ObelusTable.create(
            spark, "obelus.test.bad", "id INT NOT NULL", primary_key="id", options={"merge-engine": "what"}
        )
    assert "\n" not in str(told.value) and told.value.java_class == "java.lang.IllegalArgumentException"
    assert told.value.__cause__ is not None


def test_a_procedure_says_what_there_is(table):
    with pytest.raises(obelus.InvalidRequestError, match="has no snapshot 77; it has 1"):
        table.tag("x", 77)


def test_damage_found_by_a_task_is_told_with_file_and_byte(table):
    file = Path(table.files().first().file_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:-8] + b"nonsense")
    for crc in file.parent.glob(".*.crc"):
        crc.unlink()
    with pytest.raises(obelus.CorruptFileError, match=r"\.parquet at byte \d+: ") as told:
        table.update({"v": "v + 1"})
    assert "Exception" not in str(told.value) and len(str(told.value)) < 600
    assert "io.obelus.core.io.CorruptFileException" in str(told.value.__cause__)
    file.write_bytes(whole)


def test_an_error_in_the_rows_is_one_line(spark, table):
    spark.sparkContext.setLogLevel("OFF")
    with pytest.raises(obelus.ObelusError, match="^RuntimeException: too bad$"):
        table.upsert(spark.range(2).selectExpr("CAST(id AS INT) AS id", "CAST(raise_error('too bad') AS INT) AS v"))
    spark.sparkContext.setLogLevel("ERROR")
    assert table.df().count() == 2


def test_what_spark_says_shortly_is_left_as_it_is(table):
    from pyspark.errors import AnalysisException

    with pytest.raises(AnalysisException, match="`?nope`?"):
        table.delete("nope = 1")
