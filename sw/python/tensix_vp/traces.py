"""Traces as tables (trace.json, the files of --trace)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import UsageError
from .report import PathLike, read_json
from .table import Table

_NS_PER_US = 1000.0


@dataclass(frozen=True)
class Trace:
    """The events of a trace.

    `spans` has process, row, name, begin_ns, end_ns. `counters` has process, row, time_ns, value.
    """

    spans: Table
    counters: Table


def read_trace(path: PathLike) -> Trace:
    """Reads a trace in the format of Chrome's trace events."""
    content = read_json(path, "a trace of --trace")
    events = content.get("traceEvents") if isinstance(content, dict) else content
    if not isinstance(events, list):
        raise UsageError(f"'{path}': there are no traceEvents: expected a trace of --trace")
    processes: dict[Any, str] = {}
    rows: dict[tuple[Any, Any], str] = {}
    spans: list[dict[str, Any]] = []
    counters: list[dict[str, Any]] = []
    opened: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
    for event in events:
        kind = event.get("ph")
        place = (event.get("pid"), event.get("tid"))
        if kind == "M":
            if event["name"] == "process_name":
                processes[place[0]] = event["args"]["name"]
            elif event["name"] == "thread_name":
                rows[place] = event["args"]["name"]
            continue
        if kind not in ("X", "B", "E", "C"):
            continue
        at = event["ts"] * _NS_PER_US
        if kind == "C":
            counters.append(
                {
                    "place": place,
                    "row": event["name"],
                    "time_ns": at,
                    "value": next(iter(event["args"].values())),
                }
            )
        elif kind == "E":
            if opened.get(place):
                opened[place].pop()["end_ns"] = at
        else:
            end = at + event["dur"] * _NS_PER_US if kind == "X" else None
            span = {"place": place, "name": event["name"], "begin_ns": at, "end_ns": end}
            spans.append(span)
            if kind == "B":
                opened.setdefault(place, []).append(span)
    # Names can follow the events.
    for entry in [*spans, *counters]:
        place = entry["place"]
        entry["process"] = processes.get(place[0], str(place[0]))
        entry.setdefault("row", rows.get(place, str(place[1])))
    columns = ("process", "row", "name", "begin_ns", "end_ns")
    of_counters = ("process", "row", "time_ns", "value")
    return Trace(
        Table({name: [span[name] for span in spans] for name in columns}),
        Table({name: [entry[name] for entry in counters] for name in of_counters}),
    )
