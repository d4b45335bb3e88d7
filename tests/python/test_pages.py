"""Runs the Python blocks of the how-to page in their order."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "platform/docs/how_to/use_python.md"


class Pages(unittest.TestCase):
    def test_the_blocks_run(self):
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(blocks), 6)
        names = {}
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(folder)
            with contextlib.redirect_stdout(printed):
                for number, block in enumerate(blocks):
                    exec(compile(block, f"{PAGE.name}, block {number}", "exec"), names)
            os.chdir("/")
        text = printed.getvalue()
        for expected in ("noc_exchange.rounds", " cycles\n", "cycles_a_round", "b'chunk'"):
            self.assertIn(expected, text)


if __name__ == "__main__":
    unittest.main()
