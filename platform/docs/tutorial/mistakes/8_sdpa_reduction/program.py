"""Merges two partial results of attention: program.py KERNEL."""

import math
import random
import sys
from pathlib import Path

from tensix_vp import Program, TensixError, bfloat16_bytes, bfloat16_values, open_mesh

TILE = 2048
CORE = (0, 0)
BOUND = 0.02
FOLDER = Path(__file__).parent
# Found in the source tree and in an installation.
WRITER = "sw/examples/eltwise/kernels/writer.cpp"


def tile(low: float, high: float) -> list[float]:
    """Random BF16 numbers."""
    return list(bfloat16_values(bfloat16_bytes(random.uniform(low, high) for _ in range(1024))))


random.seed(3)
# Numerator, sum and maximum of each partial result, for each element.
partials = [(tile(-2, 2), tile(1, 8), tile(-3, 3)) for _ in range(2)]
golden = []
for place in zip(*(zip(*partial) for partial in partials)):
    top = max(maximum for _, _, maximum in place)
    factors = [math.exp(maximum - top) for _, _, maximum in place]
    numerator = sum(n * factor for (n, _, _), factor in zip(place, factors))
    golden.append(numerator / sum(s * factor for (_, s, _), factor in zip(place, factors)))

with open_mesh("single_chip", dprint=print) as mesh:
    source = mesh.buffer(6 * TILE, TILE)
    target = mesh.buffer(TILE, TILE)
    source.write(b"".join(bfloat16_bytes(numbers) for partial in partials for numbers in partial))
    program = Program()
    program.circular_buffer(0, CORE, pages=6, page_bytes=TILE)
    program.circular_buffer(16, CORE, pages=1, page_bytes=TILE)
    in_dram = source.accessor_args()
    reader = FOLDER.parent / "3_missing_page/repaired.cpp"
    program.kernel(reader, CORE, "reader", args=[source.address, 6], compile_args=in_dram)
    program.kernel(Path(sys.argv[1]), CORE, "compute")
    writer = program.kernel(WRITER, CORE, "writer", compile_args=in_dram)
    writer.set_args([target.address, 1])
    try:
        mesh.run(program)
    except TensixError as error:
        print(error.text)
        sys.exit(error.exit_code)
    errors = [abs(a - b) for a, b in zip(bfloat16_values(target.read()), golden)]
    worst = errors.index(max(errors))
    print(f"largest error {max(errors):.4f}, at element {worst}")
    maxima = [partial[2][worst] for partial in partials]
    print("maxima there:", *maxima)
    sys.exit(0 if max(errors) < BOUND else 1)
