"""Runs and sweeps of workloads."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Optional, Union

from . import installation
from .errors import UsageError, error_class
from .report import PathLike, Report, read_json
from .table import Table

Value = Union[str, int, float, bool]


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _set_options(settings: Optional[Mapping[str, Value]], keys: Mapping[str, Value]) -> list[str]:
    options: list[str] = []
    for key, value in {**(settings or {}), **keys}.items():
        quoted = _text(value).replace('"', '""')
        options += ["--set", f'{key}="{quoted}"']
    return options


def _execute(command: list[str]) -> tuple[int, str]:
    """Exit code and standard error."""
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    return ended.returncode, ended.stderr.decode("utf-8", "replace")


def _reason(stderr: str) -> str:
    """The message of the program without its name in front."""
    lines = [line.split(": ", 1)[-1] for line in stderr.strip().splitlines()]
    return "\n".join(lines)


def run(
    workload: str,
    system: Optional[str] = None,
    *,
    settings: Optional[Mapping[str, Value]] = None,
    seed: Optional[int] = None,
    max_time: Optional[str] = None,
    wave: Optional[PathLike] = None,
    wave_scope: Optional[str] = None,
    trace: Optional[PathLike] = None,
    page: Optional[PathLike] = None,
    device: Optional[PathLike] = None,
    lockstep: bool = False,
    check: bool = True,
    **keys: Value,
) -> Report:
    """Runs a workload and returns its report.

    Keys of the workload are arguments (`head_dim=192`). Keys with a dot go into `settings`
    (`{"noc.hop_cycles": 18}`). The files are those of `tensix-vp run`. If the run does not pass, a
    TensixError of the class for its exit code is raised; `check=False` returns the report instead,
    if there is one.
    """
    with tempfile.TemporaryDirectory(prefix="tensix_vp_") as folder:
        file = Path(folder) / "report.json"
        command = [installation.program(), "run", workload, "--quiet", "--report", str(file)]
        named: dict[str, Any] = {
            "--system": system,
            "--seed": seed,
            "--max-time": max_time,
            "--wave": wave,
            "--wave-scope": wave_scope,
            "--trace": trace,
            "--page": page,
            "--device": device,
        }
        for option, value in named.items():
            if value is not None:
                command += [option, str(value)]
        if lockstep:
            command.append("--lockstep")
        code, stderr = _execute(command + _set_options(settings, keys))
        report = Report.read(file) if file.is_file() else None
    if report is not None and (code == 0 or not check):
        return report
    if report is None:
        raise error_class(code)(_reason(stderr) or f"tensix-vp ended with {code}")
    raise error_class(code)(report.reason or report.status, report, report.warnings)


class Sweep:
    """The results of a sweep (sweep.json)."""

    def __init__(self, folder: PathLike) -> None:
        self.folder = Path(folder)
        self.raw: dict[str, Any] = read_json(self.folder / "sweep.json", "a sweep.json")

    @property
    def keys(self) -> list[str]:
        """The varied keys."""
        return [entry["key"] for entry in self.raw["keys"]]

    @property
    def units(self) -> dict[str, str]:
        """Units of keys and figures."""
        entries = [*self.raw["keys"], *self.raw["figures"]]
        return {entry.get("key", entry.get("name")): entry["unit"] for entry in entries}

    @property
    def table(self) -> Table:
        """A row for each run: varied keys, status, exit_code, and all figures."""
        rows = [
            {
                **run["values"],
                "status": run["status"],
                "exit_code": run["exit_code"],
                **run.get("figures", {}),
            }
            for run in self.raw["runs"]
        ]
        return Table.of_rows(rows, (*self.keys, "status", "exit_code"))

    def reports(self) -> list[Optional[Report]]:
        """The report of each run; None for a run without one."""
        files = [self.folder / run["report"] for run in self.raw["runs"]]
        return [Report.read(file) if file.is_file() else None for file in files]


def _axis(key: str, values: Union[str, Iterable[Value]]) -> str:
    """The text of --vary: a range as it is ("9:27:9"), or a list."""
    if isinstance(values, str):
        return f"{key}={values}"
    texts = [_text(value) for value in values]
    for text in texts:
        if "," in text:
            raise UsageError(f"{key}: the value '{text}' has a comma: expected none in a sweep")
    return f"{key}=" + ",".join(texts)


def sweep(
    workload: str,
    vary: Mapping[str, Union[str, Iterable[Value]]],
    out: PathLike,
    *,
    system: Optional[str] = None,
    settings: Optional[Mapping[str, Value]] = None,
    seed: Optional[int] = None,
    where: Iterable[str] = (),
    jobs: Optional[int] = None,
    slurm: bool = False,
    max_time: Optional[str] = None,
    check: bool = True,
    **keys: Value,
) -> Sweep:
    """Runs a workload with all combinations of the values of `vary`.

    Values are a list, or a range or sample as text ("9:27:9", "1:64:lhs20"). `where` holds
    conditions between keys; other combinations are skipped. With `slurm` the runs are a job array.
    The folder `out` receives the reports, sweep.json, tables and sweep.html. It keeps finished runs
    of an earlier sweep with the same settings. If a run does not pass, a TensixError of the
    class for its exit code is raised, unless `check` is False.
    """
    command = [installation.program(), "sweep", workload, "--quiet", "--out", str(out)]
    for key, values in vary.items():
        command += ["--vary", _axis(key, values)]
    for condition in where:
        command += ["--where", condition]
    if slurm:
        command.append("--slurm")
    named: dict[str, Any] = {
        "--system": system,
        "--seed": seed,
        "--jobs": jobs,
        "--max-time": max_time,
    }
    for option, value in named.items():
        if value is not None:
            command += [option, str(value)]
    code, stderr = _execute(command + _set_options(settings, keys))
    if code != 0:
        # A run that did not pass is in the table. Bad usage ends before there is one.
        done = Sweep(out) if (Path(out) / "sweep.json").is_file() else None
        failed = [run for run in done.raw["runs"] if run["exit_code"] == code] if done else []
        if not failed or check:
            reason = failed[0]["reason"] if failed else ""
            raise error_class(code)(reason or _reason(stderr) or f"tensix-vp ended with {code}")
    return Sweep(out)
