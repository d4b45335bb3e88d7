"""Sends words from one core to another, which adds them up: program.py SENDER."""

import sys
from pathlib import Path

from tensix_vp import Program, TensixError, open_mesh

WORDS = 2048
SENDER = (0, 0)
RECEIVER = (3, 2)

with open_mesh("single_chip") as mesh:
    device = mesh[0]
    words = mesh.sharded_buffer([SENDER, RECEIVER], 4 * WORDS)
    result = mesh.sharded_buffer(RECEIVER, 16)
    device.write_l1(SENDER, words.address, (1).to_bytes(4, "little") * WORDS)
    device.write_l1(RECEIVER, words.address, bytes(4 * WORDS))
    program = Program()
    program.semaphore([SENDER, RECEIVER])
    sender = program.kernel(Path(sys.argv[1]), SENDER, "brisc")
    sender.set_args([*device.for_kernels(RECEIVER), words.address])
    receiver = program.kernel(Path(__file__).with_name("receiver.cpp"), RECEIVER, "brisc")
    receiver.set_args([words.address, result.address])
    try:
        mesh.run(program)
    except TensixError as error:
        print(error.text)
        sys.exit(error.exit_code)
    total = int.from_bytes(result.read()[:4], "little")
    print("the sum of", WORDS, "ones is", total)
    sys.exit(0 if total == WORDS else 1)
