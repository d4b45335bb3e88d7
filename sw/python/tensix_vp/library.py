"""The C ABI of libtensix_vp.so itself (tensix_vp/libttsim.h)."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from ctypes import POINTER, byref, c_char_p, c_int32, c_uint32, c_uint64, c_void_p
from typing import Any, NamedTuple, Optional

from . import abi, installation
from .errors import (
    FirmwareFault,
    InstallationError,
    Interrupted,
    MachineError,
    PlatformDefect,
    TensixError,
    UsageError,
)
from .report import PathLike
from .runs import Value, _text

_ABI_VERSION = 1
_ERRORS: dict[int, type[TensixError]] = {
    2: UsageError,
    3: FirmwareFault,
    4: PlatformDefect,
    5: PlatformDefect,
    6: Interrupted,
    7: MachineError,
}
_CORES = {"BRISC": 0, "NCRISC": 1, "TRISC0": 2, "TRISC1": 3, "TRISC2": 4, "ERISC": 5}
_STATES = ("not started", "running", "idle", "fault", "time limit")
_UNIT_STATES = ("stopped", "running", "exited")


class _Program(ctypes.Structure):
    _fields_ = [
        ("ended", c_uint32),
        ("tohost", c_uint32),
        ("instructions", c_uint64),
        ("slept_instructions", c_uint64),
        ("cycles", c_uint64),
        ("duration_ps", c_uint64),
    ]


class _Unit(ctypes.Structure):
    _fields_ = [
        ("state", c_uint32),
        ("exit_status", c_uint32),
        ("started_cycle", c_uint64),
        ("ended_cycle", c_uint64),
        ("instructions", c_uint64),
        ("slept_instructions", c_uint64),
    ]


class ProgramResult(NamedTuple):
    """A bare program so far. It has passed if `tohost` is 1."""

    ended: bool
    tohost: int
    instructions: int
    slept_instructions: int
    cycles: int
    duration_ps: int


class PimUnit(NamedTuple):
    """A unit of a PIM system."""

    state: str
    exit_status: int
    started_cycle: int
    ended_cycle: int
    instructions: int
    slept_instructions: int


_TEXT = (c_char_p, c_uint32)
_TILE = (c_uint32, c_uint32, c_uint64, c_void_p, c_uint32)
#: Result and arguments of the functions.
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "libttsim_init": (None, ()),
    "libttsim_exit": (None, ()),
    "libttsim_clock": (None, (c_uint32,)),
    "libttsim_tile_rd_bytes": (None, _TILE),
    "libttsim_tile_wr_bytes": (None, _TILE),
    "tensix_vp_abi_version": (c_uint32, ()),
    "tensix_vp_configure": (c_int32, (c_char_p,)),
    "tensix_vp_time_ps": (c_uint64, ()),
    "tensix_vp_status": (c_uint32, ()),
    "tensix_vp_last_error": (c_uint32, (POINTER(c_uint32), *_TEXT)),
    "tensix_vp_system": (c_uint32, _TEXT),
    "tensix_vp_report": (c_uint32, _TEXT),
    "tensix_vp_settings": (c_uint32, _TEXT),
    "tensix_vp_load_program": (c_int32, (*[c_uint32] * 4, c_char_p, c_char_p)),
    "tensix_vp_program_result": (c_int32, (c_int32, POINTER(_Program))),
    "tensix_vp_pim_own": (c_int32, (c_uint32, c_uint32)),
    "tensix_vp_pim_bank": (c_int32, (c_uint32, c_uint64, c_void_p, c_uint64, c_uint32)),
    "tensix_vp_pim_wram": (c_int32, (c_uint32, c_uint32, c_void_p, c_uint32, c_uint32)),
    "tensix_vp_pim_load": (c_int32, (c_uint32, c_char_p)),
    "tensix_vp_pim_start": (c_int32, (POINTER(c_uint32), c_uint32)),
    "tensix_vp_pim_state": (c_int32, (c_uint32, POINTER(_Unit))),
    "tensix_vp_pim_output": (c_uint32, (c_uint32, *_TEXT)),
}


class Library:
    """A simulation without the host runtime: tiles by NoC 0 coordinates, bare programs, PIM units.

    Every function raises the error that stopped the simulation, if one did. `with Library(…)`
    ends the simulation.
    """

    def __init__(
        self,
        system: str,
        settings: Optional[Mapping[str, Value]] = None,
        path: Optional[PathLike] = None,
    ) -> None:
        file = installation.library(installation.SIMULATOR) if path is None else str(path)
        self._library = abi.load(file)
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = self._library[name]
            except AttributeError as error:
                raise InstallationError(
                    f"'{file}' has no {name}: expected {installation.SIMULATOR}"
                ) from error
            function.restype = result
            function.argtypes = arguments
        version = self._library["tensix_vp_abi_version"]()
        if version < _ABI_VERSION:
            raise InstallationError(f"'{file}' has ABI {version}: expected {_ABI_VERSION}")
        pairs: dict[str, Value] = {"system": system, **(settings or {})}
        lines = "".join(f"{key}={_text(value)}\n" for key, value in pairs.items())
        self._refused(self._library["tensix_vp_configure"](lines.encode()))
        self._call("libttsim_init")

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the simulation. Another one can then begin."""
        self._library["libttsim_exit"]()

    def clock(self, cycles: int) -> None:
        """Lets time pass."""
        self._call("libttsim_clock", cycles)

    @property
    def time_ps(self) -> int:
        time: int = self._call("tensix_vp_time_ps")
        return time

    @property
    def state(self) -> str:
        """ "running", "idle" if nothing happens without the host, "fault" or "time limit"."""
        return _STATES[self._library["tensix_vp_status"]()]

    @property
    def system(self) -> dict[str, Any]:
        """Chips, links and units."""
        content: dict[str, Any] = json.loads(self._text("tensix_vp_system"))
        return content

    @property
    def settings(self) -> list[dict[str, Any]]:
        """All keys with their value, default and meaning."""
        content: list[dict[str, Any]] = json.loads(self._text("tensix_vp_settings"))
        return content

    def report(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._text("tensix_vp_report"))
        return content

    def read_tile(self, x: int, y: int, address: int, size: int) -> bytes:
        """Reads the address space of a tile of the first chip."""
        content = ctypes.create_string_buffer(size)
        self._call("libttsim_tile_rd_bytes", x, y, address, content, size)
        return content.raw

    def write_tile(self, x: int, y: int, address: int, data: bytes) -> None:
        self._call("libttsim_tile_wr_bytes", x, y, address, data, len(data))

    def load_program(
        self, elf: PathLike, x: int, y: int, core: str = "BRISC", chip: int = 0, options: str = ""
    ) -> int:
        """Starts a bare RV32IM program and returns its number."""
        if core not in _CORES:
            raise UsageError(f"core is '{core}': expected one of {', '.join(_CORES)}")
        number: int = self._library["tensix_vp_load_program"](
            chip, x, y, _CORES[core], str(elf).encode(), options.encode()
        )
        self._refused(0 if number >= 0 else 1)
        return number

    def program_result(self, number: int) -> ProgramResult:
        found = _Program()
        self._refused(self._library["tensix_vp_program_result"](number, byref(found)))
        fields = [getattr(found, name) for name, _ in _Program._fields_]
        return ProgramResult(bool(fields[0]), *fields[1:])

    def pim_own(self, unit: int, processor: bool) -> None:
        """Hands the bank of a unit to its processor, or to the host."""
        self._refused(self._library["tensix_vp_pim_own"](unit, int(processor)))

    def read_bank(self, unit: int, address: int, size: int) -> bytes:
        """Reads the bank of a PIM unit."""
        content = ctypes.create_string_buffer(size)
        self._refused(self._library["tensix_vp_pim_bank"](unit, address, content, size, 0))
        return content.raw

    def write_bank(self, unit: int, address: int, data: bytes) -> None:
        self._refused(self._library["tensix_vp_pim_bank"](unit, address, data, len(data), 1))

    def read_wram(self, unit: int, address: int, size: int) -> bytes:
        """Reads the working memory of a PIM unit."""
        content = ctypes.create_string_buffer(size)
        self._refused(self._library["tensix_vp_pim_wram"](unit, address, content, size, 0))
        return content.raw

    def write_wram(self, unit: int, address: int, data: bytes) -> None:
        self._refused(self._library["tensix_vp_pim_wram"](unit, address, data, len(data), 1))

    def pim_load(self, unit: int, elf: PathLike) -> None:
        """Loads an RV32IM file into a PIM unit."""
        self._refused(self._library["tensix_vp_pim_load"](unit, str(elf).encode()))

    def pim_start(self, units: Sequence[int]) -> None:
        """Starts the programs of units in the same cycle."""
        words = (c_uint32 * len(units))(*units)
        self._refused(self._library["tensix_vp_pim_start"](words, len(units)))

    def pim_state(self, unit: int) -> PimUnit:
        found = _Unit()
        self._refused(self._library["tensix_vp_pim_state"](unit, byref(found)))
        fields = [getattr(found, name) for name, _ in _Unit._fields_]
        return PimUnit(_UNIT_STATES[fields[0]], *fields[1:])

    def pim_output(self, unit: int) -> str:
        """The output of the program of a unit."""
        return self._text("tensix_vp_pim_output", unit)

    def _call(self, name: str, *arguments: Any) -> Any:
        result = self._library[name](*arguments)
        self._check()
        return result

    def _refused(self, result: int) -> None:
        """Raises the error of a call that returned a number other than 0."""
        self._check()
        if result != 0:
            raise UsageError("the library refused a call without a reason")

    def _text(self, name: str, *arguments: Any) -> str:
        function = self._library[name]
        buffer = ctypes.create_string_buffer(function(*arguments, None, 0) + 1)
        function(*arguments, buffer, len(buffer))
        self._check()
        return buffer.value.decode("utf-8", "replace")

    def _check(self) -> None:
        kind = c_uint32()
        function = self._library["tensix_vp_last_error"]
        length = function(byref(kind), None, 0)
        if kind.value == 0 and length == 0:
            return
        buffer = ctypes.create_string_buffer(length + 1)
        function(byref(kind), buffer, len(buffer))
        raise _ERRORS.get(kind.value, PlatformDefect)(buffer.value.decode("utf-8", "replace"))
