"""Copies four pages in DRAM by one core. The argument names the kernel."""

import sys
from pathlib import Path

from tensix_vp import Program, TensixError, open_mesh

PAGE = 2048
PAGES = 4
CORE = (0, 0)

with open_mesh("single_chip") as mesh:
    source = mesh.buffer(PAGES * PAGE, PAGE)
    target = mesh.buffer(PAGES * PAGE, PAGE)
    content = bytes(i // PAGE + 1 for i in range(PAGES * PAGE))
    source.write(content)
    program = Program()
    program.circular_buffer(0, CORE, pages=1, page_bytes=PAGE)
    kernel = Path(__file__).with_name(sys.argv[1] + ".cpp")
    copy = program.kernel(kernel, CORE, "brisc", compile_args=source.accessor_args())
    copy.set_args([source.address, target.address, PAGES])
    try:
        mesh.run(program)
    except TensixError as error:
        print(error.text)
        sys.exit(error.exit_code)
    wrong = target.difference(content)
    print(wrong or "right")
    sys.exit(1 if wrong else 0)
