"""Sessions of all kinds: what does not match is told, and what was there stays."""

import os
import subprocess
import sys
from pathlib import Path

import obelus
import obelus._session as under_test
import pytest
from pyspark.sql import SparkSession


def test_another_spark_or_scala_is_named():
    with pytest.raises(
        obelus.ObelusError, match="Spark 3.5 for Scala 2.12, but /opt/spark has Spark 3.5.9 for Scala 2.13"
    ):
        under_test._check_spark("spark-core_2.13-3.5.9.jar", "/opt/spark")
    with pytest.raises(obelus.ObelusError, match="has Spark 4.0.0 for Scala 2.13.*SPARK_HOME"):
        under_test._check_spark("spark-core_2.13-4.0.0.jar", "/opt/spark")
    under_test._check_spark("spark-core_2.12-3.5.4-vendor-1.jar", "/opt/spark")


def test_another_pyspark_is_named(monkeypatch):
    monkeypatch.setattr("pyspark.__version__", "4.0.1")
    with pytest.raises(obelus.ObelusError, match="needs PySpark 3.5, but 4.0.1 is installed: pip install"):
        obelus.configure(SparkSession.builder)


def test_spark_connect_is_refused(monkeypatch):
    monkeypatch.setenv("SPARK_REMOTE", "sc://there")
    with pytest.raises(obelus.ObelusError, match="SPARK_REMOTE asks for Spark Connect: unset it"):
        obelus.configure(SparkSession.builder)


def test_another_java_is_named(monkeypatch, tmp_path):
    for release, expected in [
        ('JAVA_VERSION="11.0.2"', 11),
        ('JAVA_VERSION="1.8.0_392"', 8),
        ('JAVA_VERSION="17"', 17),
    ]:
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / "java").touch()
        (tmp_path / "release").write_text(release)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        assert under_test._java()[0] == expected
    with pytest.raises(obelus.ObelusError, match="needs Java 17, but /jdk/bin/java is Java 11: set JAVA_HOME"):
        under_test._check_java(11, "/jdk/bin/java")
    with pytest.raises(obelus.ObelusError, match="there is no java on the PATH: install a JDK 17"):
        under_test._check_java(None, "java on the PATH")
    with pytest.warns(UserWarning, match="Java 17 at most, but j is Java 21"):
        under_test._check_java(21, "j")


def test_a_setting_that_is_none_of_sparks_is_refused(spark):
    with pytest.raises(TypeError, match="no argument 'warehuose'"):
        obelus.session(warehuose="/tmp/lake")


def test_the_running_session_is_given_again(spark):
    assert obelus.session() is spark


SCRIPT = """
import obelus
from pyspark.sql import SparkSession
{before}
spark = obelus.session(warehouse="lake", **{{"spark.ui.enabled": False}})
obelus.ObelusTable.create(spark, "obelus.db.t", "id INT NOT NULL", primary_key="id", options={{"bucket": 1}})
t = obelus.ObelusTable.for_name(spark, "obelus.db.t")
t.upsert(spark.range(3).selectExpr("CAST(id AS INT) AS id"))
print("ROWS", t.df().count(), t.compact(), spark.sparkContext.master)
"""


def run(tmp_path, command, script):
    (tmp_path / "job.py").write_text(script)
    activated = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    done = subprocess.run(
        [*command, "job.py"], cwd=tmp_path, env=activated, capture_output=True, encoding="utf-8", timeout=300
    )
    return done, [line for line in done.stdout.splitlines() if line.startswith(("ROWS", "ERROR"))]


def test_spark_submit_needs_no_settings_of_ours(tmp_path):
    submit = Path(sys.executable).with_name("spark-submit")
    done, told = run(tmp_path, [submit, "--master", "local[1]"], SCRIPT.format(before=""))
    assert done.returncode == 0, done.stderr[-3000:]
    assert told[0].startswith("ROWS 3 compaction: ") and told[0].endswith("local[1]")


def test_a_session_without_obelus_must_be_stopped_before(tmp_path):
    before = """
plain = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
try:
    obelus.session()
except obelus.ObelusError as error:
    print("ERROR", error)
plain.stop()
"""
    done, told = run(tmp_path, [sys.executable], SCRIPT.format(before=before))
    assert done.returncode == 0, done.stderr[-3000:]
    assert "A Spark session without Obelus is running. Call its stop() before" in told[0]
    assert told[1].startswith("ROWS 3 ")


def test_in_a_notebook_the_log_is_short_unless_the_user_has_a_configuration(monkeypatch, tmp_path):
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS", raising=False)
    (options,) = under_test._errors_only().values()
    assert options.endswith("obelus/log4j2.properties") and under_test.LOGGING.is_file()
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--driver-java-options -Dx=1 pyspark-shell")
    assert under_test._errors_only() == {}
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.extraJavaOptions -Dx=1\n")
    assert under_test._errors_only() == {}
    (tmp_path / "spark-defaults.conf").unlink()
    (tmp_path / "log4j2.properties").write_text("")
    assert under_test._errors_only() == {}
