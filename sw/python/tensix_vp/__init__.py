"""Run workloads and host programs on tensix-vp, and read its reports, waves and traces.

`run`, `sweep` and `compare` start the program tensix-vp. `open_mesh` opens the devices of a system
in this process, for host programs with kernels. `Library` is the C ABI of libtensix_vp.so itself.
"""

from .errors import (
    CompileError,
    FirmwareFault,
    FirmwareWarning,
    Hang,
    InstallationError,
    Interrupted,
    MachineError,
    PlatformDefect,
    TensixError,
    TimeLimit,
    UsageError,
    WrongResult,
)
from .host import (
    Buffer,
    CoreRange,
    DataFormat,
    Device,
    Kernel,
    Mesh,
    Program,
    RunTimes,
    open_mesh,
)
from .library import Library, PimUnit, ProgramResult
from .numbers import bfloat16_bytes, bfloat16_values
from .report import Curve, HeatMap, Metric, Report, compare
from .runs import Sweep, run, sweep
from .table import Table
from .traces import Trace, read_trace
from .waves import Waves, read_waves

__all__ = [
    "Buffer",
    "CompileError",
    "CoreRange",
    "Curve",
    "DataFormat",
    "Device",
    "FirmwareFault",
    "FirmwareWarning",
    "Hang",
    "HeatMap",
    "InstallationError",
    "Interrupted",
    "Kernel",
    "Library",
    "MachineError",
    "Mesh",
    "Metric",
    "PimUnit",
    "PlatformDefect",
    "Program",
    "ProgramResult",
    "Report",
    "RunTimes",
    "Sweep",
    "Table",
    "TensixError",
    "TimeLimit",
    "Trace",
    "UsageError",
    "Waves",
    "WrongResult",
    "bfloat16_bytes",
    "bfloat16_values",
    "compare",
    "open_mesh",
    "read_trace",
    "read_waves",
    "run",
    "sweep",
]
