"""Tables with named columns."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_numpy: Any = None
try:
    _numpy = importlib.import_module("numpy")
except ImportError:
    pass  # numpy is optional


def as_array(values: Sequence[Any]) -> Any:
    """A numpy array if numpy is installed and the values are numbers, else a list."""
    if _numpy is None or not all(
        value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
        for row in values
        for value in (row if isinstance(row, (list, tuple)) else (row,))
    ):
        return list(values)
    if any(value is None for row in values for value in (row if isinstance(row, list) else (row,))):
        return _numpy.array(values, dtype=float)  # None becomes NaN
    return _numpy.array(values)


class Table(Mapping[str, Any]):
    """Columns by name, all of one length.

    A column is a numpy array if numpy is installed and it holds numbers, else a list.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self._lists = {name: list(values) for name, values in columns.items()}
        lengths = {len(values) for values in self._lists.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns have different lengths: {sorted(lengths)}")
        self._rows = lengths.pop() if lengths else 0

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> "Table":
        """A table of dicts. A value that a row lacks is None. `names` come first."""
        order = dict.fromkeys(names)
        for row in rows:
            order.update(dict.fromkeys(row))
        return cls({name: [row.get(name) for row in rows] for name in order})

    def __getitem__(self, column: str) -> Any:
        if column not in self._lists:
            raise KeyError(f"no column '{column}': expected one of {', '.join(self._lists)}")
        return as_array(self._lists[column])

    def __iter__(self) -> Iterator[str]:
        return iter(self._lists)

    def __len__(self) -> int:
        """The number of columns, as of any mapping. `count` is the number of rows."""
        return len(self._lists)

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._rows

    @property
    def columns(self) -> list[str]:
        return list(self._lists)

    def rows(self) -> list[dict[str, Any]]:
        names = list(self._lists)
        return [dict(zip(names, row)) for row in zip(*self._lists.values())]

    def where(self, **values: Any) -> "Table":
        """The rows that have these values."""
        for name in values:
            self[name]  # names an unknown column
        chosen = [row for row in self.rows() if all(row[k] == v for k, v in values.items())]
        return Table.of_rows(chosen, self.columns)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. Needs pandas."""
        return importlib.import_module("pandas").DataFrame(self._lists)

    def __repr__(self) -> str:
        shown = 20
        texts = [self.columns]
        for row in self.rows()[:shown]:
            texts.append([f"{v:.6g}" if isinstance(v, float) else str(v) for v in row.values()])
        widths = [max(len(line[i]) for line in texts) for i in range(len(self.columns))]
        lines = ["  ".join(t.ljust(w) for t, w in zip(line, widths)).rstrip() for line in texts]
        if self._rows > shown:
            lines.append(f"… {self._rows} rows")
        return "\n".join(lines)
