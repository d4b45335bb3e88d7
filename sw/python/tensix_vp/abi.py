"""The C ABI of the host runtime (tensix_vp/host.h) by ctypes."""

from __future__ import annotations

import ctypes
import functools
import threading
from ctypes import POINTER, c_char_p, c_double, c_int32, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Optional

from . import installation
from .errors import CompileError, InstallationError, TensixError, error_class

VERSION = 1
_COMPILE = 6

PrintFunction = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)
PollFunction = ctypes.CFUNCTYPE(c_int32, c_void_p)


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("dprint", c_uint32),
        ("watcher", c_uint32),
        ("profile", c_uint32),
        ("print", PrintFunction),
        ("poll", PollFunction),
        ("user", c_void_p),
    ]


class DeviceInfo(ctypes.Structure):
    _fields_ = [
        ("chip", c_uint32),
        ("columns", c_uint32),
        ("rows", c_uint32),
        ("dram_banks", c_uint32),
        ("ethernet_channels", c_uint32),
        ("l1_bytes", c_uint32),
        ("dram_bank_bytes", c_uint64),
    ]


class Range(ctypes.Structure):
    _fields_ = [
        ("first_x", c_uint32),
        ("first_y", c_uint32),
        ("last_x", c_uint32),
        ("last_y", c_uint32),
    ]


_RANGES = (POINTER(Range), c_uint32)
_WORDS = (POINTER(c_uint32), c_uint32)

#: Arguments of the functions that return an error.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "open": (c_char_p, c_char_p, POINTER(Options), POINTER(c_void_p)),
    "devices": (c_void_p, POINTER(c_uint32)),
    "device_info": (c_void_p, c_uint32, POINTER(DeviceInfo)),
    "worker": (c_void_p, *[c_uint32] * 4, POINTER(c_uint32), POINTER(c_uint32)),
    "l1": (c_void_p, *[c_uint32] * 4, c_void_p, c_uint64, c_uint32),
    "dram": (c_void_p, c_uint32, c_uint32, c_uint64, c_void_p, c_uint64, c_uint32),
    "report": (c_void_p, c_char_p, c_uint64, POINTER(c_uint64)),
    "time_ps": (c_void_p, POINTER(c_uint64)),
    "compile_seconds": (c_void_p, POINTER(c_double)),
    "buffer_interleaved": (c_void_p, c_uint32, c_uint64, c_uint64, POINTER(c_void_p)),
    "buffer_sharded": (c_void_p, *_RANGES, c_uint32, POINTER(c_void_p)),
    "buffer_address": (c_void_p, POINTER(c_uint64)),
    "buffer_access": (c_void_p, c_uint32, c_void_p, c_uint64, c_uint32),
    "buffer_difference": (
        c_void_p,
        c_uint32,
        c_char_p,
        c_uint64,
        c_char_p,
        c_uint64,
        POINTER(c_uint64),
    ),
    "buffer_accessor": (c_void_p, *_WORDS, POINTER(c_uint32)),
    "global_semaphore": (c_void_p, *_RANGES, c_uint32, POINTER(c_uint32)),
    "program_create": (POINTER(c_void_p),),
    "kernel": (c_void_p, c_char_p, *_RANGES, POINTER(c_uint32)),
    "circular_buffer": (c_void_p, *[c_uint32] * 4, c_void_p, *_RANGES),
    "semaphore": (c_void_p, *_RANGES, c_uint32, POINTER(c_uint32)),
    "runtime_args": (c_void_p, c_uint32, *_RANGES, *_WORDS),
    "common_args": (c_void_p, c_uint32, *_WORDS),
    "enqueue": (c_void_p, c_uint32, c_void_p),
    "finish": (c_void_p,),
    "run_times": (c_void_p, *[c_uint32] * 3, POINTER(c_uint64), POINTER(c_uint64)),
    "fst_to_vcd": (c_char_p, c_char_p),
}


def load(path: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise InstallationError(f"'{path}' cannot be loaded: {error}") from error


class HostLibrary:
    """Calls the functions of libtensix_vp_host.so and raises its errors."""

    def __init__(self, path: str) -> None:
        library = load(path)
        prefix = "tensix_vp_host_"
        try:
            version: int = library[prefix + "version"]()
        except AttributeError as error:
            raise InstallationError(
                f"'{path}' has no {prefix}version: expected {installation.HOST}"
            ) from error
        if version < VERSION:
            raise InstallationError(f"'{path}' has version {version}: expected {VERSION} or later")
        # Functions are not reentrant. A callback of the same thread may call some.
        self._turn = threading.RLock()
        self._functions: dict[str, Callable[..., int]] = {}
        for name, arguments in _FUNCTIONS.items():
            function = library[prefix + name]
            function.argtypes = arguments
            function.restype = c_int32
            self._functions[name] = function
        for name in ("close", "buffer_free", "program_free"):
            function = library[prefix + name]
            function.argtypes = (c_void_p,)
            function.restype = None
            setattr(self, name, function)
        self._last_error = library[prefix + "last_error"]
        self._last_error.argtypes = (c_char_p, c_uint32)
        self._last_error.restype = c_uint32

    close: Callable[[Optional[int]], None]
    buffer_free: Callable[[Optional[int]], None]
    program_free: Callable[[Optional[int]], None]

    def call(self, name: str, *arguments: Any) -> None:
        with self._turn:
            code = self._functions[name](*arguments)
            if code != 0:
                raise self._error(code)

    def text(self, name: str, *arguments: Any) -> str:
        """Calls a function that returns a text and its length."""
        length = c_uint64()
        with self._turn:
            self.call(name, *arguments, None, 0, ctypes.byref(length))
            buffer = ctypes.create_string_buffer(length.value + 1)
            self.call(name, *arguments, buffer, len(buffer), ctypes.byref(length))
        return buffer.value.decode("utf-8", "replace")

    def fst_to_vcd(self, fst: str, vcd: str) -> None:
        self.call("fst_to_vcd", fst.encode(), vcd.encode())

    def _error(self, code: int) -> TensixError:
        buffer = ctypes.create_string_buffer(self._last_error(None, 0) + 1)
        self._last_error(buffer, len(buffer))
        text = buffer.value.decode("utf-8", "replace")
        return CompileError(text) if code == _COMPILE else error_class(code)(text)


@functools.lru_cache(maxsize=None)
def _host_at(path: str) -> HostLibrary:
    return HostLibrary(path)


def host() -> HostLibrary:
    return _host_at(installation.library(installation.HOST))
