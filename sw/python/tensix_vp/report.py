"""Reports of runs (report.json)."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Union

from .errors import UsageError
from .table import Table, as_array

_SCHEMA = 1

PathLike = Union[str, "os.PathLike[str]"]


def read_json(path: PathLike, what: str) -> Any:
    """The content of a JSON file, which `what` names in errors."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"'{path}': {error.strerror}: expected {what}") from error
    except ValueError as error:
        raise UsageError(f"'{path}': {error}: expected {what}") from error


class Metric(NamedTuple):
    value: float
    unit: str


@dataclass(frozen=True)
class HeatMap:
    """`values[row][column]`; a hole is NaN with numpy, else None."""

    name: str
    unit: str
    rows: list[str]
    columns: list[str]
    values: Any


@dataclass(frozen=True)
class Curve:
    """A diagram. `series` has for each name the arrays x and y."""

    name: str
    x_label: str
    y_label: str
    x_scale: str
    y_scale: str
    series: dict[str, tuple[Any, Any]]


def _labels(value: Any) -> list[str]:
    """Labels of rows or columns, which a report can give as their number."""
    return [str(i) for i in range(value)] if isinstance(value, int) else list(value)


class Report:
    """A report.json. `raw` is its whole content."""

    def __init__(self, raw: dict[str, Any]) -> None:
        if not isinstance(raw, dict) or raw.get("schema") != _SCHEMA:
            found = raw.get("schema") if isinstance(raw, dict) else type(raw).__name__
            raise UsageError(f"a report has schema {found}: expected {_SCHEMA}")
        self.raw = raw

    @classmethod
    def read(cls, path: PathLike) -> "Report":
        return cls(read_json(path, "a report.json"))

    def save(self, path: PathLike) -> None:
        Path(path).write_text(json.dumps(self.raw, ensure_ascii=False, indent=1), encoding="utf-8")

    @property
    def workload(self) -> str:
        return str(self.raw["workload"])

    @property
    def system(self) -> str:
        return str(self.raw["system"])

    @property
    def status(self) -> str:
        """ "passed", "hang" and so on."""
        return str(self.raw["status"])

    @property
    def exit_code(self) -> int:
        return int(self.raw["exit_code"])

    @property
    def passed(self) -> bool:
        return bool(self.raw["passed"])

    @property
    def reason(self) -> str:
        """Why the run did not pass."""
        return str(self.raw["reason"])

    @property
    def warnings(self) -> list[str]:
        return list(self.raw["warnings"])

    @property
    def simulated_ps(self) -> int:
        return int(self.raw["simulated_ps"])

    @property
    def simulated_ns(self) -> float:
        return float(self.raw["simulated_ns"])

    @property
    def wall_s(self) -> float:
        return float(self.raw["wall_s"])

    @property
    def seed(self) -> int:
        return int(self.raw["seed"])

    @property
    def state_digest(self) -> str:
        """Hash of memories and time of all devices."""
        return str(self.raw["state_digest"])

    @property
    def command(self) -> str:
        """The line for a shell that repeats the run."""
        return str(self.raw["command"])

    @property
    def error(self) -> dict[str, float]:
        """Errors of the result: max_abs, max_rel, and the bound."""
        return {name: float(value) for name, value in self.raw["error"].items()}

    @property
    def phases(self) -> Table:
        """name, begin_ns, end_ns, duration_ns."""
        rows = [
            {**phase, "duration_ns": phase["end_ns"] - phase["begin_ns"]}
            for phase in self.raw["phases"]
        ]
        return Table.of_rows(rows, ("name", "begin_ns", "end_ns", "duration_ns"))

    @property
    def metrics(self) -> dict[str, Metric]:
        return {
            name: Metric(float(metric["value"]), metric["unit"])
            for name, metric in self.raw["metrics"].items()
        }

    @property
    def timeline(self) -> Table:
        """row, name, begin_ns, end_ns of each span."""
        rows = self.raw.get("timeline", [])
        return Table.of_rows(rows, ("row", "name", "begin_ns", "end_ns"))

    @property
    def heatmaps(self) -> dict[str, HeatMap]:
        return {
            entry["name"]: HeatMap(
                entry["name"],
                entry["unit"],
                _labels(entry["rows"]),
                _labels(entry["columns"]),
                as_array(entry["values"]),
            )
            for entry in self.raw.get("heatmaps", [])
        }

    @property
    def curves(self) -> dict[str, Curve]:
        return {
            entry["name"]: Curve(
                entry["name"],
                entry["x_label"],
                entry["y_label"],
                entry.get("x_scale", "linear"),
                entry.get("y_scale", "linear"),
                {s["name"]: (as_array(s["x"]), as_array(s["y"])) for s in entry["series"]},
            )
            for entry in self.raw.get("curves", [])
        }

    @property
    def cores(self) -> Table:
        return Table.of_rows(self.raw["cores"])

    @property
    def links(self) -> Table:
        return Table.of_rows(self.raw["links"])

    @property
    def dram(self) -> Table:
        return Table.of_rows(self.raw["dram"])

    @property
    def settings(self) -> dict[str, str]:
        """The value of every key, as text."""
        return {key: entry["value"] for key, entry in self.raw["settings"].items()}

    def __repr__(self) -> str:
        return (
            f"<Report: {self.workload} on {self.system}, {self.status}, {self.simulated_ns:g} ns>"
        )


def _figures(report: Report) -> dict[str, tuple[float, str]]:
    figures: dict[str, tuple[float, str]] = {"simulated time": (report.simulated_ns, "ns")}
    for phase in report.phases.rows():
        figures[f"phase {phase['name']}"] = (phase["duration_ns"], "ns")
    figures.update({name: (m.value, m.unit) for name, m in report.metrics.items()})
    return figures


def compare(a: Report, b: Report) -> Table:
    """Figures of two reports: name, unit, a, b, difference. A figure that one lacks is None there."""
    of_a, of_b = _figures(a), _figures(b)
    rows = []
    for name in dict.fromkeys([*of_a, *of_b]):
        unit = (of_a.get(name) or of_b[name])[1]
        left = of_a[name][0] if name in of_a else None
        right = of_b[name][0] if name in of_b else None
        difference = None if left is None or right is None else right - left
        rows.append({"name": name, "unit": unit, "a": left, "b": right, "difference": difference})
    return Table.of_rows(rows)
