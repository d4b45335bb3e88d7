"""Prints signals of a wave file: show_wave.py FILE SIGNAL... [--from NS]."""

import argparse

from tensix_vp import read_waves

parser = argparse.ArgumentParser(description="print signals of a wave file")
parser.add_argument("file")
parser.add_argument("signals", nargs="+")
parser.add_argument("--from", dest="begin", type=int, default=0, help="first time, in ns")
options = parser.parse_args()

waves = read_waves(options.file)
for signal in options.signals:
    print(signal)
    if signal not in waves:
        print("  has never changed")
        continue
    for row in waves[signal].rows():
        if row["time_ps"] >= options.begin * 1000:
            print(f"  {row['time_ps'] // 1000:6} ns  {row['value']}")
