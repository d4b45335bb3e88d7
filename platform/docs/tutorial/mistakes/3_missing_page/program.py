"""Copies five pages in DRAM by a reader and a writer: program.py READER."""

import sys
from pathlib import Path

from tensix_vp import Program, TensixError, open_mesh

PAGE = 2048
PAGES = 5
CORE = (0, 0)

with open_mesh("single_chip") as mesh:
    source = mesh.buffer(PAGES * PAGE, PAGE)
    target = mesh.buffer(PAGES * PAGE, PAGE)
    content = bytes(i // PAGE + 1 for i in range(PAGES * PAGE))
    source.write(content)
    program = Program()
    program.circular_buffer(0, CORE, pages=2, page_bytes=PAGE)
    in_dram = source.accessor_args()
    reader = program.kernel(Path(sys.argv[1]), CORE, "reader", compile_args=in_dram)
    reader.set_args([source.address, PAGES])
    file = Path(__file__).with_name("writer.cpp")
    writer = program.kernel(file, CORE, "writer", compile_args=in_dram)
    writer.set_args([target.address, PAGES])
    try:
        mesh.run(program)
    except TensixError as error:
        print(error.text)
        sys.exit(error.exit_code)
    wrong = target.difference(content)
    print(wrong or "right")
    sys.exit(1 if wrong else 0)
