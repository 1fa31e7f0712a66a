"""MERGE INTO, built call by call."""

import uuid
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

from obelus._errors import InvalidRequestError, short_errors
from obelus._names import Condition, column_of, quoted, sql_of
from obelus._progress import bar
from obelus._results import Snapshot
from pyspark.sql import DataFrame

if TYPE_CHECKING:
    from obelus._table import ObelusTable


class MergeBuilder:
    """A MERGE INTO in the making: each call adds a clause, and ``execute()`` runs it as one snapshot.

    The clauses of a kind are tried in the order in which they were added; the first whose condition holds
    is taken. A value is SQL text, a Column, or a plain Python value that is not text.
    """

    def __init__(
        self,
        table: "ObelusTable",
        source: Union[DataFrame, "ObelusTable", str],
        on: Union[Condition, Sequence[str]],
        target_alias: str,
        source_alias: str,
    ):
        self._table, self._source = table, source
        self._target, self._other = quoted(target_alias), quoted(source_alias)
        if not isinstance(on, str) and isinstance(on, Sequence):
            if not on:
                raise InvalidRequestError("merge: 'on' names no column")
            on = " AND ".join(f"{self._target}.{quoted(c)} = {self._other}.{quoted(c)}" for c in on)
        self._on = sql_of(on)
        self._clauses: List[Tuple[str, str]] = []

    def when_matched_update(self, set: Mapping[str, Any], condition: Optional[Condition] = None) -> "MergeBuilder":
        """Sets columns of the rows that both sides have."""
        return self._add("WHEN MATCHED", condition, f"UPDATE SET {self._assignments(set)}")

    def when_matched_update_all(self, condition: Optional[Condition] = None) -> "MergeBuilder":
        """Sets each column to the source's column of that name."""
        return self._add("WHEN MATCHED", condition, "UPDATE SET *")

    def when_matched_delete(self, condition: Optional[Condition] = None) -> "MergeBuilder":
        """Deletes the rows that both sides have."""
        return self._add("WHEN MATCHED", condition, "DELETE")

    def when_not_matched_insert(
        self, values: Mapping[str, Any], condition: Optional[Condition] = None
    ) -> "MergeBuilder":
        """Inserts rows that only the source has, with these values."""
        if not values:
            raise InvalidRequestError("merge: 'values' names no column")
        columns = ", ".join(column_of(self._table.spark, name) for name in values)
        given = ", ".join(sql_of(value) for value in values.values())
        return self._add("WHEN NOT MATCHED", condition, f"INSERT ({columns}) VALUES ({given})")

    def when_not_matched_insert_all(self, condition: Optional[Condition] = None) -> "MergeBuilder":
        """Inserts rows that only the source has, each column from the source's column of that name."""
        return self._add("WHEN NOT MATCHED", condition, "INSERT *")

    def when_not_matched_by_source_update(
        self, set: Mapping[str, Any], condition: Optional[Condition] = None
    ) -> "MergeBuilder":
        """Sets columns of the rows that only this table has."""
        return self._add("WHEN NOT MATCHED BY SOURCE", condition, f"UPDATE SET {self._assignments(set)}")

    def when_not_matched_by_source_delete(self, condition: Optional[Condition] = None) -> "MergeBuilder":
        """Deletes the rows that only this table has."""
        return self._add("WHEN NOT MATCHED BY SOURCE", condition, "DELETE")

    def sql(self, source: Optional[str] = None) -> str:
        """The statement; source: the SQL name of the source where it is a DataFrame."""
        if not self._clauses:
            raise InvalidRequestError("merge: there is nothing to do; add a when_… call before execute()")
        if source is None:
            source = self._source_name() or "<source>"
        # MERGE wants the clauses of a kind together, and the kinds in this order.
        kinds = ("WHEN MATCHED", "WHEN NOT MATCHED", "WHEN NOT MATCHED BY SOURCE")
        ordered = [text for kind in kinds for of, text in self._clauses if of == kind]
        return "\n".join(
            [
                f"MERGE INTO {self._table.sql_name} AS {self._target}",
                f"USING {source} AS {self._other}",
                f"ON {self._on}",
                *ordered,
            ]
        )

    def execute(self) -> Optional[Snapshot]:
        """Runs it; returns the newest snapshot then."""
        with short_errors(), bar(self._table.spark, "merge"):
            name = self._source_name()
            if name is not None:
                self._table.spark.sql(self.sql(name))
            else:
                view = f"obelus_source_{uuid.uuid4().hex}"
                assert isinstance(self._source, DataFrame)
                self._source.createOrReplaceTempView(view)
                try:
                    self._source.sparkSession.sql(self.sql(quoted(view)))
                finally:
                    self._source.sparkSession.catalog.dropTempView(view)
        return self._table.snapshot()

    def _source_name(self) -> Optional[str]:
        if isinstance(self._source, DataFrame):
            return None
        return self._source if isinstance(self._source, str) else self._source.sql_name

    def _assignments(self, set: Mapping[str, Any]) -> str:
        return assignments(self._table, set)

    def _add(self, kind: str, condition: Optional[Condition], action: str) -> "MergeBuilder":
        more = "" if condition is None else f" AND ({sql_of(condition)})"
        self._clauses.append((kind, f"{kind}{more} THEN {action}"))
        return self

    def __repr__(self) -> str:
        return self.sql() if self._clauses else f"<merge into {self._table.name}, no clause yet>"


def assignments(table: "ObelusTable", set: Mapping[str, Any]) -> str:
    """``a = 1, b = t.b + 1``."""
    if not set:
        raise InvalidRequestError("'set' names no column")
    return ", ".join(f"{column_of(table.spark, name)} = {sql_of(value)}" for name, value in set.items())
