"""Number formats of the chip."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

from .table import as_array

_NAN = 0x7FC0


def _bfloat16(value: float) -> int:
    if value != value:
        return _NAN
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:  # beyond a float
        return 0x7F80 if value > 0 else 0xFF80
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def bfloat16_bytes(values: Iterable[float]) -> bytes:
    """Numbers as BF16, rounded to the nearest, ties to even."""
    words = [_bfloat16(float(value)) for value in values]
    return struct.pack(f"<{len(words)}H", *words)


def bfloat16_values(data: bytes) -> Any:
    """The numbers of BF16 data: a numpy array if numpy is installed, else a list."""
    words = struct.unpack(f"<{len(data) // 2}H", data)
    return as_array(
        list(
            struct.unpack(
                f"<{len(words)}f", struct.pack(f"<{len(words)}I", *(w << 16 for w in words))
            )
        )
    )
