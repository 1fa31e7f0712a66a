"""Paimon's own Python reader, which needs no JVM, sees the rows that we wrote.

Version 1.3.2 reads such a table without its deletion bitmaps, and deleted rows come back. So the version matters.
"""

import obelus
import pytest
from obelus import ObelusTable
from pypaimon import CatalogFactory

COLUMNS = """id BIGINT NOT NULL, part STRING NOT NULL, small INT, flag BOOLEAN, ratio DOUBLE, price DECIMAL(10, 2),
  day DATE, at TIMESTAMP_NTZ, word STRING"""


def rows(spark, first, end, word):
    return spark.range(first, end).selectExpr(
        "id",
        "concat('p', id % 2) AS part",
        "CAST(nullif(id % 7, 3) AS INT) AS small",
        "id % 2 = 0 AS flag",
        "id / 8 AS ratio",
        "CAST(id / 4 AS DECIMAL(10, 2)) AS price",
        "date_add(DATE '2024-01-01', CAST(id % 500 AS INT)) AS day",
        "CAST(timestamp_millis(1700000000123 + id * 1000) AS TIMESTAMP_NTZ) AS at",
        f"concat('{word}', id) AS word",
    )


def by_pypaimon(warehouse, name):
    builder = CatalogFactory.create({"warehouse": warehouse}).get_table(name).new_read_builder()
    return builder.new_read().to_arrow(builder.new_scan().plan().splits()).to_pylist()


@pytest.mark.parametrize("partitioned_by", [(), ("part",)], ids=["whole", "partitioned"])
def test_pypaimon_reads_the_same_rows_through_our_bitmaps(spark, partitioned_by):
    table = ObelusTable.create(
        spark,
        "obelus.open.t",
        COLUMNS,
        primary_key=["id", "part"],
        partitioned_by=partitioned_by,
        options={"bucket": 2},
    )
    warehouse = spark.conf.get("spark.sql.catalog.obelus.warehouse")
    try:
        table.upsert(rows(spark, 0, 2000, "first"))
        table.upsert(rows(spark, 1900, 2100, "second"))
        table.delete("id % 10 = 3")
        assert sum(row.struck_out_count for row in table.deletion_bitmaps().collect()) > 200
        for _ in ("with bitmaps", "compacted"):
            ours = [row.asDict() for row in obelus.read(spark, table.name).orderBy("id").collect()]
            theirs = sorted(by_pypaimon(warehouse, "open.t"), key=lambda row: row["id"])
            assert len(ours) == 1890
            assert theirs == ours
            table.compact()
    finally:
        table.drop()
