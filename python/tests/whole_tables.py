"""Nothing may be wrong with the tables that are made here, be it by a test, a notebook or the README."""

# For a process of its own; `spark` is its session.
CHECK = """
def check_all_tables():
    for database in [row[0] for row in spark.sql("SHOW DATABASES IN obelus").collect()]:
        for table in [row.tableName for row in spark.sql(f"SHOW TABLES IN obelus.`{database}`").collect()]:
            found = spark.sql(f"CALL obelus.sys.verify('{database}.{table}', 'full')").collect()
            assert not found, found


check_all_tables()
"""
