"""Finds the program and the libraries that belong to this module."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Optional

from .errors import InstallationError

_PROGRAM = "tensix-vp"
#: The library of the simulator, and that of the host runtime.
SIMULATOR = "libtensix_vp.so"
HOST = "libtensix_vp_host.so"

_FOLDER = Path(__file__).resolve().parent


def _from_environment(variable: str) -> Optional[Path]:
    value = os.environ.get(variable)
    if not value:
        return None
    if not Path(value).is_file():
        raise InstallationError(f"${variable} is '{value}': there is no such file")
    return Path(value)


def _prefixes() -> list[Path]:
    """Folders above lib/python3*/dist-packages/tensix_vp, the nearest first."""
    return list(_FOLDER.parents)[1:5]


def _build_folder() -> Path:
    """The folder of the built program, if this module is in the source tree."""
    return _FOLDER.parents[2] / "build" / "release" / "platform"


def program() -> str:
    """The path of tensix-vp: $TENSIX_VP_PROGRAM, beside this module, or in $PATH."""
    named = _from_environment("TENSIX_VP_PROGRAM")
    if named is not None:
        return str(named)
    places = [prefix / "bin" / _PROGRAM for prefix in _prefixes()]
    places.append(_build_folder() / _PROGRAM)
    for place in places:
        if place.is_file():
            return str(place)
    found = shutil.which(_PROGRAM)
    if found is not None:
        return found
    raise InstallationError(
        f"there is no program {_PROGRAM} in $PATH or near {_FOLDER}: "
        "install tensix-vp, or set $TENSIX_VP_PROGRAM"
    )


def library(name: str) -> str:
    """The path of a library: named by the environment, or beside this module."""
    variable = "TENSIX_VP_LIBRARY" if name == SIMULATOR else "TENSIX_VP_HOST_LIBRARY"
    named = _from_environment(variable)
    if named is not None:
        return str(named)
    places: list[Path] = []
    for prefix in _prefixes():
        places.append(prefix / "lib" / name)
        places.extend(sorted((prefix / "lib").glob(f"*/{name}")))
    places.append(_build_folder() / name)
    for place in places:
        if place.is_file():
            return str(place)
    raise InstallationError(
        f"there is no library {name} near {_FOLDER}: install tensix-vp, or set ${variable}"
    )
