"""The jar is found, or the error says what to do."""

import zipfile

import obelus
import pytest


def test_the_jar_of_this_source_tree_is_found(monkeypatch):
    monkeypatch.delenv("OBELUS_JAR", raising=False)
    assert obelus.jar().endswith(".jar")


def test_a_named_jar_wins(monkeypatch, tmp_path):
    named = tmp_path / "mine.jar"
    named.write_bytes(b"")
    monkeypatch.setenv("OBELUS_JAR", str(named))
    assert obelus.jar() == str(named)


def test_a_named_jar_that_is_missing_is_an_error_with_its_path(monkeypatch, tmp_path):
    monkeypatch.setenv("OBELUS_JAR", str(tmp_path / "none.jar"))
    with pytest.raises(FileNotFoundError, match="OBELUS_JAR should name .*none.jar"):
        obelus.jar()


def test_the_jar_holds_our_classes_and_nothing_that_spark_ships():
    with zipfile.ZipFile(obelus.jar()) as jar:
        files = [name for name in jar.namelist() if not name.endswith("/")]
    foreign = [n for n in files if not n.startswith(("io/obelus/", "META-INF/"))]
    assert foreign == []
    assert "META-INF/LICENSE" in files
    assert "META-INF/services/org.apache.spark.sql.sources.DataSourceRegister" in files
