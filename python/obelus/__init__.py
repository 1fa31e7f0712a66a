"""Obelus from PySpark: finds the jar and sets up a session that uses it.

>>> import obelus
>>> spark = obelus.session(warehouse="/tmp/lake")
>>> spark.sql("CREATE TABLE obelus.default.t (id INT NOT NULL, v STRING) TBLPROPERTIES ('primary-key' = 'id')")

All work is done in the jar; there is nothing here that SQL or DataFrames could not do.
"""

from obelus._session import configure, jar, session

__all__ = ["configure", "jar", "session"]
