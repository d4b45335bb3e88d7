"""Prints how often Tensix instructions were executed: show_opcodes.py REPORT PREFIX."""

import sys

from tensix_vp import Report

opcodes = Report.read(sys.argv[1]).raw["opcodes"]
for name, count in sorted(opcodes.items()):
    if name.startswith(sys.argv[2]):
        print(name, count)
