"""Names and expressions as SQL text."""

from typing import Any, List, Sequence, Union

from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

Condition = Union[str, Column]


def quoted(name: str) -> str:
    """A column or one part of a table's name, in backticks.

    >>> quoted("a`b c")
    '`a``b c`'
    """
    return "`" + name.replace("`", "``") + "`"


def dotted(parts: Sequence[str]) -> str:
    """The quoted parts with dots between.

    >>> dotted(["obelus", "my shop", "t"])
    '`obelus`.`my shop`.`t`'
    """
    return ".".join(quoted(part) for part in parts)


def text_literal(text: str) -> str:
    """A string literal of Spark SQL.

    >>> text_literal("it's")
    "'it\\\\'s'"
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def parts_of(spark: SparkSession, name: str) -> List[str]:
    """The parts of a table's name as Spark's parser sees them."""
    sequence = spark._jsparkSession.sessionState().sqlParser().parseMultipartIdentifier(name)
    return [sequence.apply(i) for i in range(sequence.length())]


def column_of(spark: SparkSession, name: str) -> str:
    """A column's name for SQL; the caller quotes what is no plain name, for ``t.a`` is the column ``a`` of ``t``."""
    return dotted(parts_of(spark, name))


def sql_of(condition: Any) -> str:
    """SQL text: strings are SQL already, Columns are written out, other values become literals."""
    if isinstance(condition, str):
        return condition
    column = condition if isinstance(condition, Column) else F.lit(condition)
    return str(column._jc.expr().sql())


def is_path(name: str) -> bool:
    """As the data source sees it: a name with a slash is a path."""
    return "/" in name
