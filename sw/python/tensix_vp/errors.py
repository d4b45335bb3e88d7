"""Exceptions. Each class stands for an exit code of tensix-vp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from .report import Report


class TensixError(Exception):
    """A run or a host program that did not pass.

    `str(error)` is the first line of the reason, `text` all of it.
    """

    exit_code = 70

    def __init__(
        self,
        text: str,
        report: Optional["Report"] = None,
        warnings: Sequence[str] = (),
    ) -> None:
        lines = text.strip().splitlines()
        super().__init__(lines[0] if lines else "no reason was given")
        self.text = text.strip()
        #: The report of the run, if it has written one.
        self.report = report
        #: Warnings of the platform until the error.
        self.warnings = list(warnings)


class WrongResult(TensixError):
    """The result differs from the golden result."""

    exit_code = 1


class UsageError(TensixError):
    """An argument, a setting or a description is wrong."""

    exit_code = 2


class InstallationError(UsageError):
    """The program or a library of tensix-vp was not found."""


class FirmwareFault(TensixError):
    """A kernel did what silicon leaves undefined."""

    exit_code = 3


class CompileError(FirmwareFault):
    """A kernel does not compile. `text` has the messages of the compiler."""


class FirmwareWarning(FirmwareFault):
    """The platform warned about a kernel, and the mesh was opened with warnings="raise"."""


class Hang(TensixError):
    """Kernels wait for events that will never come. `text` says who waits for what."""

    exit_code = 4


class TimeLimit(TensixError):
    """The limit of simulated time came first."""

    exit_code = 5


class PlatformDefect(TensixError):
    """A defect of the platform, or something that it does not model."""

    exit_code = 70


class MachineError(TensixError):
    """The machine that the platform runs on failed: a full disk, no memory."""

    exit_code = 71


class Interrupted(TensixError):
    """A signal or a debugger ended the run."""

    exit_code = 130


_BY_EXIT_CODE: dict[int, type[TensixError]] = {
    kind.exit_code: kind
    for kind in (
        WrongResult,
        UsageError,
        FirmwareFault,
        Hang,
        TimeLimit,
        PlatformDefect,
        MachineError,
        Interrupted,
    )
}


def error_class(exit_code: int) -> type[TensixError]:
    """The class for an exit code. An unknown one, for example of a signal, is a defect."""
    return _BY_EXIT_CODE.get(exit_code, PlatformDefect)
