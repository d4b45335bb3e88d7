"""Waves as tables (FST and VCD files)."""

from __future__ import annotations

import bisect
import fnmatch
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Optional, Union

from . import abi
from .errors import UsageError
from .report import PathLike
from .table import Table

WaveValue = Union[int, float, str, None]

_UNITS_PS = {"ps": 1, "ns": 1000, "us": 1000_000, "ms": 1000_000_000, "s": 1000_000_000_000}
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(text: str) -> str:
    """Text without the escapes that the FST library writes into VCD, as \\040 for a blank."""

    def one(match: "re.Match[str]") -> str:
        body = match.group(1)
        return chr(int(body, 8)) if len(body) == 3 else _ESCAPED.get(body, body)

    return _ESCAPE.sub(one, text)


class Waves(Mapping[str, Table]):
    """Signals by path. A signal is a table of time_ps and value.

    A value is a number for wires and counters, a text for states, or None while it is unknown.
    """

    def __init__(self, changes: dict[str, tuple[list[int], list[WaveValue]]]) -> None:
        self._changes = changes

    def __getitem__(self, path: str) -> Table:
        times, values = self._of(path)
        return Table({"time_ps": times, "value": values})

    def __iter__(self) -> Iterator[str]:
        return iter(self._changes)

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def signals(self) -> list[str]:
        return list(self._changes)

    def _of(self, path: str) -> tuple[list[int], list[WaveValue]]:
        if path not in self._changes:
            raise KeyError(f"no signal '{path}' among {len(self._changes)}")
        return self._changes[path]

    def at(self, path: str, time_ps: int) -> WaveValue:
        """The value of a signal at a time; None before its first."""
        times, values = self._of(path)
        index = bisect.bisect_right(times, time_ps)
        return values[index - 1] if index else None

    def table(self) -> Table:
        """All changes: signal, time_ps, value, in the order of time."""
        rows = [
            (time, path, value)
            for path, (times, values) in self._changes.items()
            for time, value in zip(times, values)
        ]
        rows.sort(key=lambda row: row[0])
        return Table(
            {
                "signal": [row[1] for row in rows],
                "time_ps": [row[0] for row in rows],
                "value": [row[2] for row in rows],
            }
        )


def _bits(text: str) -> Optional[int]:
    return int(text, 2) if set(text) <= {"0", "1"} else None


class _VcdReader:
    """Reads a VCD file whose paths match a pattern."""

    def __init__(self, path: Path, scope: str, escaped: bool) -> None:
        self._path = path
        self._scope = scope
        self._escaped = escaped
        self._unit_ps = 1
        self._changes: dict[str, tuple[list[int], list[WaveValue]]] = {}
        self._by_id: dict[str, list[tuple[list[int], list[WaveValue]]]] = {}

    def read(self) -> Waves:
        with open(self._path, encoding="utf-8", errors="replace") as file:
            try:
                self._read_header(file)
                self._read_changes(file)
            except (ValueError, IndexError, KeyError) as error:
                raise UsageError(f"'{self._path}': this is no VCD file ({error})") from error
        return Waves(self._changes)

    def _read_header(self, lines: Iterator[str]) -> None:
        scopes: list[str] = []
        entry: list[str] = []
        for line in lines:
            entry += line.split()
            if not entry or entry[-1] != "$end":
                continue
            word = entry[0]
            if word == "$timescale":
                text = "".join(entry[1:-1])
                number = text.rstrip("pnums")
                self._unit_ps = int(number) * _UNITS_PS[text[len(number) :]]
            elif word == "$scope":
                scopes.append(entry[2])
            elif word == "$upscope":
                scopes.pop()
            elif word == "$var":
                self._add(entry[3], ".".join([*scopes, entry[4]]))
            elif word == "$enddefinitions":
                return
            entry = []
        raise ValueError("the header does not end")

    def _add(self, identifier: str, path: str) -> None:
        if not fnmatch.fnmatchcase(path, self._scope):
            return
        self._changes[path] = ([], [])
        self._by_id.setdefault(identifier, []).append(self._changes[path])

    def _read_changes(self, lines: Iterator[str]) -> None:
        now = 0
        for line in lines:
            line = line.rstrip("\n")
            kind = line[:1]
            if kind == "#":
                now = int(line[1:]) * self._unit_ps
            elif kind in "01xzXZ" and kind:
                self._change(line[1:], now, int(kind) if kind in "01" else None)
            elif kind in "bB" and kind:
                bits, identifier = line[1:].split()
                self._change(identifier, now, _bits(bits))
            elif kind in "rR" and kind:
                number, identifier = line[1:].split()
                self._change(identifier, now, float(number))
            elif kind in "sS" and kind:
                text, _, identifier = line[1:].rpartition(" ")
                self._change(identifier, now, _unescaped(text) if self._escaped else text)

    def _change(self, identifier: str, time: int, value: WaveValue) -> None:
        for times, values in self._by_id.get(identifier, ()):
            if values and values[-1] == value:
                continue
            if times and times[-1] == time:
                values[-1] = value  # the last change of a time counts
                continue
            times.append(time)
            values.append(value)


def read_waves(path: PathLike, scope: str = "*") -> Waves:
    """Reads an FST or VCD file. `scope` is a pattern of paths, as "chip0.tensix_1_2.*"."""
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"'{path}': there is no such file: expected a wave file")
    if file.suffix == ".vcd":
        waves = _VcdReader(file, scope, escaped=False).read()
    elif file.suffix == ".fst":
        with tempfile.TemporaryDirectory(prefix="tensix_vp_") as folder:
            text = Path(folder) / "waves.vcd"
            abi.host().fst_to_vcd(str(file), str(text))
            waves = _VcdReader(text, scope, escaped=True).read()
    else:
        raise UsageError(f"'{path}': expected a file that ends in .fst or .vcd")
    if not waves and scope != "*":
        raise UsageError(f"'{path}': no signal matches '{scope}'")
    return waves
