"""Adds two vectors in DRAM by a compute kernel: add_vectors.py KERNEL."""

import sys
from pathlib import Path

from tensix_vp import Program, TensixError, bfloat16_bytes, open_mesh

TILE = 2048
TILES = 3
CORE = (0, 0)
# Kernels of the example, which are found in the source tree and in an installation.
READER = "sw/examples/eltwise/kernels/reader.cpp"
WRITER = "sw/examples/eltwise/kernels/writer.cpp"

with open_mesh("single_chip") as mesh:
    left, right, total = (mesh.buffer(TILES * TILE, TILE) for _ in range(3))
    lefts = [i % 50 for i in range(TILES * 1024)]
    rights = [i % 13 for i in range(TILES * 1024)]
    left.write(bfloat16_bytes(lefts))
    right.write(bfloat16_bytes(rights))
    program = Program()
    for index in (0, 1, 16):
        program.circular_buffer(index, CORE, pages=2, page_bytes=TILE)
    in_dram = left.accessor_args()
    reader = program.kernel(READER, CORE, "reader", compile_args=in_dram)
    reader.set_args([left.address, right.address, TILES])
    program.kernel(Path(sys.argv[1]), CORE, "compute", args=[TILES])
    writer = program.kernel(WRITER, CORE, "writer", compile_args=in_dram)
    writer.set_args([total.address, TILES])
    try:
        mesh.run(program)
    except TensixError as error:
        print(error.text)
        sys.exit(error.exit_code)
    wrong = total.difference(bfloat16_bytes(a + b for a, b in zip(lefts, rights)))
    print(wrong or "right")
    sys.exit(1 if wrong else 0)
