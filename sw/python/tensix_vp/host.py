"""Host programs: devices, buffers, kernels."""

from __future__ import annotations

import ctypes
import enum
import json
import shutil
import signal
import tempfile
import threading
import weakref
from collections.abc import Iterable, Mapping, Sequence
from ctypes import byref, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional, Union, cast

from . import abi, installation
from .errors import FirmwareWarning, Interrupted, TensixError, UsageError
from .runs import Value, _text

Core = tuple[int, int]


class CoreRange(NamedTuple):
    """All cores from `first` to `last`, both included."""

    first: Core
    last: Core


#: A core (x, y), a CoreRange, or several of them.
Cores = Union[Core, CoreRange, Iterable[Union[Core, CoreRange]]]
Data = Union[bytes, bytearray, memoryview, Any]


class DataFormat(enum.IntEnum):
    """tt-metal's numbers of data formats."""

    Float32 = 0
    Float16 = 1
    Bfp8 = 2
    Bfp4 = 3
    Tf32 = 4
    Float16_b = 5
    Bfp8_b = 6
    Bfp4_b = 7
    Int32 = 8
    UInt16 = 9
    Lf8 = 10
    Bfp2 = 11
    Int8 = 14
    Bfp2_b = 15
    UInt32 = 24
    UInt8 = 30


class RunTimes(NamedTuple):
    """Cycles of a core's last program at its go signal and at its end."""

    go: int
    done: int

    @property
    def cycles(self) -> int:
        return self.done - self.go


_LARGEST_WORD = 0xFFFFFFFF


def _word(value: int, what: str) -> int:
    """ctypes would cut larger numbers silently."""
    if not isinstance(value, int) or not 0 <= value <= _LARGEST_WORD:
        raise UsageError(f"{what} is {value}: expected an integer from 0 to {_LARGEST_WORD}")
    return int(value)


def _is_core(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(v, int) for v in value)


def _core(value: Core) -> Core:
    if not _is_core(value):
        raise UsageError(f"core {value!r}: expected a column and a row, as (0, 1)")
    return _word(value[0], "column"), _word(value[1], "row")


def _several(cores: Cores) -> list[Union[Core, CoreRange]]:
    if _is_core(cores) or isinstance(cores, CoreRange):
        return [cast(Core, cores)]
    return list(cast("Iterable[Union[Core, CoreRange]]", cores))


def _ranges(cores: Cores) -> tuple[Any, int]:
    """The arguments of the C ABI for some cores."""
    found = []
    for one in _several(cores):
        first, last = one if isinstance(one, CoreRange) else (one, one)
        found.append(abi.Range(*_core(first), *_core(last)))
    return (abi.Range * len(found))(*found), len(found)


def _words(values: Iterable[int], what: str) -> tuple[Any, int]:
    words = [_word(value, what) for value in values]
    return (c_uint32 * len(words))(*words), len(words)


def _bytes(data: Data) -> bytes:
    """The content of bytes, of a numpy array, or of another object with a buffer."""
    try:
        return memoryview(data).tobytes()
    except TypeError as error:
        raise UsageError(
            f"data of type {type(data).__name__}: expected bytes or an array"
        ) from error


class Buffer:
    """Memory with one address on all devices of a mesh."""

    def __init__(self, mesh: "Mesh", handle: int, size: int) -> None:
        self._mesh = mesh
        self._handle = handle
        self.size = size
        self._finalizer = weakref.finalize(self, abi.host().buffer_free, handle)

    @property
    def address(self) -> int:
        address = c_uint64()
        abi.host().call("buffer_address", self._live(), byref(address))
        return address.value

    def write(self, data: Data, device: int = 0) -> None:
        """Writes the content, or its beginning if `data` is shorter."""
        content = _bytes(data)
        number = _word(device, "device")
        abi.host().call("buffer_access", self._live(), number, content, len(content), 1)

    def read(self, device: int = 0) -> bytes:
        content = ctypes.create_string_buffer(self.size)
        number = _word(device, "device")
        abi.host().call("buffer_access", self._live(), number, content, self.size, 0)
        return content.raw

    def difference(self, expected: Data, device: int = 0) -> str:
        """Says which pages differ and which core wrote the first of them; "" if none does."""
        content = _bytes(expected)
        number = _word(device, "device")
        return abi.host().text("buffer_difference", self._live(), number, content, len(content))

    def accessor_args(self) -> list[int]:
        """Compile-time arguments for a kernel's TensorAccessorArgs."""
        count = c_uint32()
        abi.host().call("buffer_accessor", self._live(), None, 0, byref(count))
        words = (c_uint32 * count.value)()
        abi.host().call("buffer_accessor", self._live(), words, count, byref(count))
        return list(words)

    def free(self) -> None:
        """Frees the memory. The object cannot be used afterwards."""
        self._finalizer()

    def _live(self) -> int:
        if not self._finalizer.alive:
            raise UsageError("buffer: it is freed: expected a buffer that is allocated")
        self._mesh._live()
        return self._handle


class Kernel:
    """A kernel of a program."""

    def __init__(self, program: "Program", number: int, cores: Cores) -> None:
        self._program = program
        self._number = number
        self._cores = cores

    def set_args(self, args: Sequence[int], cores: Optional[Cores] = None) -> None:
        """Sets the run-time arguments on some cores, or on all cores of the kernel."""
        abi.host().call(
            "runtime_args",
            self._program._handle,
            self._number,
            *_ranges(self._cores if cores is None else cores),
            *_words(args, "argument"),
        )

    def set_common_args(self, args: Sequence[int]) -> None:
        """Sets the arguments that all cores share."""
        abi.host().call(
            "common_args", self._program._handle, self._number, *_words(args, "argument")
        )


_KINDS: dict[str, dict[str, Any]] = {
    # As ReaderDataMovementConfig and WriterDataMovementConfig: reads come over NoC 0.
    "reader": {"kind": "data_movement", "processor": 1, "noc": 0},
    "writer": {"kind": "data_movement", "processor": 0, "noc": 1},
    "brisc": {"kind": "data_movement", "processor": 0, "noc": 0},
    "ncrisc": {"kind": "data_movement", "processor": 1, "noc": 1},
    "compute": {"kind": "compute"},
    "ethernet": {"kind": "ethernet"},
}


class Program:
    """Kernels, circular buffers and semaphores that one launch starts on a device."""

    def __init__(self) -> None:
        handle = c_void_p()
        abi.host().call("program_create", byref(handle))
        assert handle.value is not None
        self._handle = handle.value
        self._finalizer = weakref.finalize(self, abi.host().program_free, self._handle)
        self._sources: Optional[Path] = None
        self._kernels = 0
        self._buffers: list[Buffer] = []

    def kernel(
        self,
        source: Union[str, Path],
        cores: Cores,
        kind: str,
        *,
        args: Optional[Sequence[int]] = None,
        compile_args: Sequence[int] = (),
        named_compile_args: Optional[Mapping[str, int]] = None,
        defines: Optional[Mapping[str, str]] = None,
        **options: Any,
    ) -> Kernel:
        """Adds a kernel.

        `source` is a file, or the text of a kernel if it has a line break. `kind` is "reader",
        "writer", "brisc", "ncrisc", "compute" or "ethernet". `options` are those of
        tensix_vp_host_kernel in tensix_vp/host.h: noc, opt_level, include_paths, math_fidelity,
        fp32_dest_acc_en and others. The kernel is compiled at the first launch.
        """
        if kind not in _KINDS:
            raise UsageError(f"kernel: kind is '{kind}': expected one of {', '.join(_KINDS)}")
        description = {
            "source": self._file_of(source),
            **_KINDS[kind],
            "compile_args": list(compile_args),
            "named_compile_args": dict(named_compile_args or {}),
            "defines": dict(defines or {}),
            **options,
        }
        chosen = _several(cores)  # an iterator could be read only once
        number = c_uint32()
        abi.host().call(
            "kernel",
            self._handle,
            json.dumps(description).encode(),
            *_ranges(chosen),
            byref(number),
        )
        kernel = Kernel(self, number.value, chosen)
        if args is not None:
            kernel.set_args(args)
        return kernel

    def circular_buffer(
        self,
        index: int,
        cores: Cores,
        pages: int,
        *,
        format: DataFormat = DataFormat.Float16_b,
        page_bytes: int,
        over: Optional[Buffer] = None,
    ) -> None:
        """Adds a circular buffer. With `over`, its memory is the core's shard of this buffer."""
        total = _word(_word(pages, "pages") * _word(page_bytes, "page_bytes"), "pages * page_bytes")
        if over is not None:
            self._buffers.append(over)
        abi.host().call(
            "circular_buffer",
            self._handle,
            _word(index, "index"),
            int(format),
            total,
            page_bytes,
            None if over is None else over._live(),
            *_ranges(cores),
        )

    def semaphore(self, cores: Cores, initial: int = 0) -> int:
        """Adds a semaphore and returns its number for kernels."""
        number = c_uint32()
        abi.host().call(
            "semaphore", self._handle, *_ranges(cores), _word(initial, "initial"), byref(number)
        )
        return number.value

    def _file_of(self, source: Union[str, Path]) -> str:
        self._kernels += 1
        if isinstance(source, Path) or "\n" not in source:
            return str(source)
        if self._sources is None:
            self._sources = Path(tempfile.mkdtemp(prefix="tensix_vp_"))
            weakref.finalize(self, shutil.rmtree, self._sources, ignore_errors=True)
        file = self._sources / f"kernel_{self._kernels}.cpp"
        file.write_text(source, encoding="utf-8")
        return str(file)


class Device:
    """One chip of a mesh."""

    def __init__(self, mesh: "Mesh", number: int) -> None:
        self._mesh = mesh
        self.number = number
        info = abi.DeviceInfo()
        abi.host().call("device_info", mesh._live(), number, byref(info))
        self.chip: int = info.chip
        #: Columns and rows of the workers.
        self.grid: Core = (info.columns, info.rows)
        self.dram_banks: int = info.dram_banks
        self.ethernet_channels: int = info.ethernet_channels
        self.l1_bytes: int = info.l1_bytes
        self.dram_bank_bytes: int = info.dram_bank_bytes

    def read_l1(self, core: Core, address: int, size: int) -> bytes:
        content = ctypes.create_string_buffer(size)
        self._l1(core, address, content, size, 0)
        return content.raw

    def write_l1(self, core: Core, address: int, data: Data) -> None:
        content = _bytes(data)
        self._l1(core, address, content, len(content), 1)

    def _l1(self, core: Core, address: int, data: Any, size: int, write: int) -> None:
        abi.host().call(
            "l1",
            self._mesh._live(),
            self.number,
            *_core(core),
            _word(address, "address"),
            data,
            size,
            write,
        )

    def read_dram(self, bank: int, address: int, size: int) -> bytes:
        content = ctypes.create_string_buffer(size)
        self._dram(bank, address, content, size, 0)
        return content.raw

    def write_dram(self, bank: int, address: int, data: Data) -> None:
        content = _bytes(data)
        self._dram(bank, address, content, len(content), 1)

    def _dram(self, bank: int, address: int, data: Any, size: int, write: int) -> None:
        if address < 0:
            raise UsageError(f"address is {address}: expected at least 0")
        number = _word(bank, "bank")
        mesh = self._mesh._live()
        abi.host().call("dram", mesh, self.number, number, address, data, size, write)

    def noc0(self, core: Core) -> Core:
        """The coordinates of a worker in reports."""
        return self._coordinates(core, 0)

    def for_kernels(self, core: Core) -> Core:
        """The coordinates of a worker for kernels of this device."""
        return self._coordinates(core, 1)

    def _coordinates(self, core: Core, kind: int) -> Core:
        x, y = c_uint32(), c_uint32()
        abi.host().call(
            "worker", self._mesh._live(), self.number, *_core(core), kind, byref(x), byref(y)
        )
        return x.value, y.value

    def run_times(self, core: Core) -> RunTimes:
        """Cycles of the last program of a worker."""
        go, done = c_uint64(), c_uint64()
        abi.host().call(
            "run_times", self._mesh._live(), self.number, *_core(core), byref(go), byref(done)
        )
        return RunTimes(go.value, done.value)


class Mesh(Sequence[Device]):
    """All devices of a system, in their order. `open_mesh` opens it.

    `with open_mesh(…) as mesh:` closes it. A process has one open mesh at a time.
    """

    def __init__(
        self,
        system: str,
        settings: Optional[Mapping[str, Value]],
        warnings: str,
        dprint: Optional[Callable[[str], None]],
        watcher: bool,
    ) -> None:
        choices = ("print", "collect", "raise")
        if warnings not in choices:
            raise UsageError(f"warnings is '{warnings}': expected one of {', '.join(choices)}")
        self._handle: Optional[int] = None
        self._raises_warnings = warnings == "raise"
        self._seen = 0
        self._signalled = False
        self._failure: Optional[Exception] = None
        pairs: dict[str, Value] = {"system": system, **(settings or {})}
        if warnings != "print":
            pairs["warnings"] = "report"
        lines = []
        for key, value in pairs.items():
            if "\n" in f"{key}{_text(value)}":
                raise UsageError(f"{key!r}: expected a key and a value without a line break")
            lines.append(f"{key}={_text(value)}\n")

        # ctypes' callbacks live as long as the mesh.
        def print_line(line: bytes, _user: Any) -> None:
            assert dprint is not None
            try:
                dprint(line.decode("utf-8", "replace"))
            except Exception as error:  # none can pass through C
                self._failure = self._failure or error

        self._print = abi.PrintFunction(print_line) if dprint else abi.PrintFunction(0)
        self._poll = abi.PollFunction(
            lambda _user: int(self._signalled or self._failure is not None)
        )
        options = abi.Options(
            ctypes.sizeof(abi.Options),
            dprint is not None,
            watcher,
            False,
            self._print,
            self._poll,
            None,
        )
        handle = c_void_p()
        library = installation.library(installation.SIMULATOR)
        abi.host().call(
            "open", library.encode(), "".join(lines).encode(), byref(options), byref(handle)
        )
        self._handle = handle.value
        self._finalizer = weakref.finalize(self, abi.host().close, self._handle)
        count = c_uint32()
        abi.host().call("devices", self._live(), byref(count))
        self._devices = [Device(self, number) for number in range(count.value)]

    def __enter__(self) -> "Mesh":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the simulation. Another mesh can then be opened."""
        self._finalizer()

    def __len__(self) -> int:
        return len(self._devices)

    def __getitem__(self, index: Any) -> Any:
        return self._devices[index]

    def buffer(self, size: int, page_size: int, memory: str = "dram") -> Buffer:
        """A buffer whose pages are interleaved over the banks of "dram" or "l1"."""
        kinds = {"dram": 0, "l1": 1}
        if memory not in kinds:
            raise UsageError(f"memory is '{memory}': expected dram or l1")
        if size < 0 or page_size < 0:
            raise UsageError(
                f"a buffer of {size} bytes in pages of {page_size}: expected no less than 0"
            )
        handle = c_void_p()
        abi.host().call(
            "buffer_interleaved", self._live(), kinds[memory], size, page_size, byref(handle)
        )
        assert handle.value is not None
        return Buffer(self, handle.value, size)

    def sharded_buffer(self, cores: Cores, shard_size: int) -> Buffer:
        """A buffer with a shard in the L1 of each core."""
        ranges, count = _ranges(cores)
        handle = c_void_p()
        size = _word(shard_size, "shard_size")
        abi.host().call("buffer_sharded", self._live(), ranges, count, size, byref(handle))
        assert handle.value is not None
        places = sum((r.last_x - r.first_x + 1) * (r.last_y - r.first_y + 1) for r in ranges)
        return Buffer(self, handle.value, size * places)

    def global_semaphore(self, cores: Cores, initial: int = 0) -> int:
        """The address of a semaphore that outlives programs."""
        address = c_uint32()
        abi.host().call(
            "global_semaphore",
            self._live(),
            *_ranges(cores),
            _word(initial, "initial"),
            byref(address),
        )
        return address.value

    def run(self, program: Program, device: int = 0) -> None:
        """Starts a program and waits for its end."""
        self.enqueue(program, device)
        self.finish()

    def enqueue(self, program: Program, device: int = 0) -> None:
        """Compiles the kernels of a program and starts it."""
        number = _word(device, "device")
        for buffer in program._buffers:
            if buffer._mesh is not self:
                raise UsageError(
                    "program: a circular buffer is over a buffer of another mesh: "
                    "expected buffers of the mesh that runs it"
                )
            buffer._live()
        self._waiting("enqueue", number, program._handle)

    def finish(self) -> None:
        """Waits until all programs have ended. Raises FirmwareFault, Hang, TimeLimit and others."""
        self._waiting("finish")
        if self._raises_warnings:
            warnings = self.warnings
            new = warnings[self._seen :]
            self._seen = len(warnings)
            if new:
                raise FirmwareWarning("\n".join(new), warnings=new)

    @property
    def warnings(self) -> list[str]:
        """All warnings so far."""
        return list(self.report()["warnings"])

    def report(self) -> dict[str, Any]:
        """The report of the library: warnings, cores, links, dram, metrics, waiting and others."""
        content: dict[str, Any] = json.loads(abi.host().text("report", self._live()))
        return content

    @property
    def time_ps(self) -> int:
        """Simulated time."""
        time = c_uint64()
        abi.host().call("time_ps", self._live(), byref(time))
        return time.value

    def _live(self) -> int:
        if self._handle is None or not self._finalizer.alive:
            raise UsageError("mesh: it is closed: expected an open mesh")
        return self._handle

    def _waiting(self, name: str, *arguments: Any) -> None:
        """A call during which time passes: Ctrl-C ends it, and it can find mistakes."""
        self._failure = None
        self._signalled = False
        # Python would raise KeyboardInterrupt in a callback, from which it cannot pass through C.
        before = signal.getsignal(signal.SIGINT)
        takes_signals = threading.current_thread() is threading.main_thread() and callable(before)
        if takes_signals:
            signal.signal(signal.SIGINT, self._take_signal)
        try:
            abi.host().call(name, self._live(), *arguments)
        except Interrupted:
            if not self._signalled and self._failure is None:
                raise
        except TensixError as error:
            error.warnings = self._warnings_after_error()
            raise
        finally:
            if takes_signals:
                signal.signal(signal.SIGINT, before)
        if self._signalled:
            signal.raise_signal(signal.SIGINT)
        if self._failure is not None:
            raise self._failure

    def _take_signal(self, _number: int, _frame: Any) -> None:
        self._signalled = True

    def _warnings_after_error(self) -> list[str]:
        try:
            return self.warnings
        except TensixError:
            return []  # the library has no report any more; the first error is what counts


def open_mesh(
    system: str = "single_chip",
    settings: Optional[Mapping[str, Value]] = None,
    *,
    warnings: str = "print",
    dprint: Optional[Callable[[str], None]] = None,
    watcher: bool = False,
) -> Mesh:
    """Opens all devices of a system, by its name or the file of its description.

    `settings` are keys of `tensix-vp list`. Warnings about kernels are printed when they arise
    ("print"), only kept in `Mesh.warnings` ("collect"), or raised by `Mesh.finish` ("raise").
    `dprint` receives the lines of DPRINT.
    """
    return Mesh(system, settings, warnings, dprint, watcher)
