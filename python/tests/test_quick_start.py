"""The quick start of the README, on a plain Spark with nothing but the jar.

Each run is a process of its own that adds the jar as a user does, with --jars: Spark then loads it in a child class
loader. One run serializes with Kryo.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import obelus
import pytest
from whole_tables import CHECK

README = Path(__file__).resolve().parents[2] / "README.md"

RUNNER = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
for statement in sys.argv[1].split(";\\n"):
    rows = spark.sql(statement).collect()
for row in rows:
    print("ROW", *row, sep="|")
exec(sys.argv[2])
for row in spark.table("obelus.shop.large").orderBy("id").collect():
    print("LARGE", *row, sep="|")
"""


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)


def quick_start(directory, *more_settings):
    settings = re.findall(r"--conf (\S+)", "".join(blocks("sh")))
    assert len(settings) == 2
    arguments = ["--master", "local[2]", "--jars", obelus.jar()]
    for setting in [*settings, "spark.ui.enabled=false", "spark.sql.shuffle.partitions=2", *more_settings]:
        arguments += ["--conf", setting]
    sql = "".join(blocks("sql")).rstrip().rstrip(";")
    sql = re.sub(r";[ \t]*(--[^\n]*)?\n", ";\n", sql)
    done = subprocess.run(
        [sys.executable, "-c", RUNNER + CHECK + "spark.stop()", sql, blocks("python")[0]],
        cwd=directory,
        env={**os.environ, "PYSPARK_SUBMIT_ARGS": " ".join([*arguments, "pyspark-shell"])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout.splitlines()


def rows(output, mark):
    return [tuple(line.split("|")[1:]) for line in output if line.startswith(mark + "|")]


@pytest.mark.parametrize(
    "settings",
    [[], ["spark.serializer=org.apache.spark.serializer.KryoSerializer"]],
    ids=["java-serializer", "kryo"],
)
def test_the_quick_start_of_the_readme_does_what_it_says(tmp_path, settings):
    output = quick_start(tmp_path, *settings)
    table = re.findall(r"^\| (\d+) \| (\w+) \| (\S+) \|$", README.read_text(encoding="utf-8"), re.M)
    assert len(table) == 4
    assert rows(output, "ROW") == table
    assert rows(output, "LARGE") == [(id, customer.upper(), total) for id, customer, total in table]
    assert any("147.50" in line for line in output)
