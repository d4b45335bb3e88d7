"""Host programs through libtensix_vp_host.so, and the C ABI of libtensix_vp.so."""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import tensix_vp
from tensix_vp import CoreRange, DataFormat, abi

TILE = 2048

READER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t address = get_arg_val<uint32_t>(0);
  const uint32_t pages = get_arg_val<uint32_t>(1);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto from = TensorAccessor(args, address, get_tile_size(3));
  for (uint32_t page = 0; page < pages; ++page) {
    cb_reserve_back(3, 1);
    noc_async_read_page(page, from, get_write_ptr(3));
    noc_async_read_barrier();
    cb_push_back(3, 1);
  }
}
"""

WRITER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t address = get_arg_val<uint32_t>(0);
  const uint32_t pages = get_common_arg_val<uint32_t>(0);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(args, address, get_tile_size(3));
  for (uint32_t page = 0; page < pages; ++page) {
    cb_wait_front(3, 1);
    noc_async_write_page(page, to, get_read_ptr(3));
    noc_async_write_barrier();
    cb_pop_front(3, 1);
  }
}
"""


def data_movement(body):
    """The text of a kernel."""
    return f'#include "api/dataflow/dataflow_api.h"\nvoid kernel_main() {{\n{body}\n}}\n'


def content(size, seed):
    return bytes((i * 7 + i // 256 + seed) % 256 for i in range(size))


class Memories(unittest.TestCase):
    def test_devices_of_a_system(self):
        with tensix_vp.open_mesh("small_ring") as mesh:
            self.assertEqual([device.chip for device in mesh], [0, 1, 2, 3])
            device = mesh[3]
            self.assertEqual((device.grid, device.dram_banks), ((4, 4), 4))
            self.assertEqual(device.noc0((0, 0)), (1, 1))
            with self.assertRaisesRegex(tensix_vp.UsageError, "4"):
                device.noc0((4, 0))

    def test_l1_and_dram_keep_what_was_written(self):
        with tensix_vp.open_mesh() as mesh:
            device = mesh[0]
            device.write_l1((2, 5), 0x31000, content(333, 1))
            device.write_dram(3, 0x54320, content(777, 2))
            self.assertEqual(device.read_l1((2, 5), 0x31000, 333), content(333, 1))
            self.assertEqual(device.read_dram(3, 0x54320, 777), content(777, 2))
            self.assertEqual(device.read_l1((2, 5), 0x31000, 0), b"")
            for access in (
                lambda: device.read_l1((2, 5), device.l1_bytes - 8, 9),
                lambda: device.read_dram(device.dram_banks, 0, 4),
                lambda: device.read_dram(0, device.dram_bank_bytes, 1),
                lambda: device.read_dram(0, -1, 1),
                lambda: device.read_l1((2, -1), 0, 1),
                lambda: device.read_l1((2, 5), 1 << 32, 1),
                lambda: device.write_l1((2, 5), 0, "text"),
                lambda: device.read_l1("01", 0, 1),
            ):
                with self.assertRaisesRegex(tensix_vp.UsageError, "expected"):
                    access()
            with self.assertRaisesRegex(tensix_vp.UsageError, r"\(2, 99\).*grid of 8 x 10"):
                device.write_l1((2, 99), 0x31000, b"a")

    def test_buffers(self):
        with tensix_vp.open_mesh("pair") as mesh:
            buffer = mesh.buffer(5 * 96, 96, "l1")
            buffer.write(content(480, 3), device=1)
            buffer.write(b"xy", device=1)
            expected = b"xy" + content(480, 3)[2:]
            self.assertEqual(buffer.read(1), expected)
            self.assertEqual(buffer.difference(expected, 1), "")
            self.assertIn("page", buffer.difference(content(480, 4), 1))
            sharded = mesh.sharded_buffer(CoreRange((0, 0), (2, 1)), 64)
            self.assertEqual(sharded.size, 6 * 64)
            sharded.write(content(384, 5))
            third = mesh[0].read_l1((2, 0), sharded.address, 64)
            self.assertEqual(third, content(384, 5)[128:192])
            with self.assertRaises(tensix_vp.UsageError):
                buffer.write(bytes(481))
            with self.assertRaises(tensix_vp.UsageError):
                buffer.read(device=2)
            with self.assertRaises(tensix_vp.UsageError):
                mesh.buffer(100, 96)
            with self.assertRaisesRegex(tensix_vp.UsageError, "expected dram or l1"):
                mesh.buffer(96, 96, "sram")
            buffer.free()
            with self.assertRaisesRegex(tensix_vp.UsageError, "it is freed"):
                buffer.read()
        with self.assertRaisesRegex(tensix_vp.UsageError, "it is closed"):
            sharded.read()

    def test_one_mesh_at_a_time(self):
        with tensix_vp.open_mesh():
            with self.assertRaisesRegex(tensix_vp.UsageError, "already open"):
                tensix_vp.open_mesh()
        with tensix_vp.open_mesh("pair") as mesh:
            self.assertEqual(len(mesh), 2)
        with self.assertRaisesRegex(tensix_vp.UsageError, "it is closed"):
            mesh.report()

    def test_bad_settings_are_named(self):
        with self.assertRaisesRegex(tensix_vp.UsageError, "sngle_chip"):
            tensix_vp.open_mesh("sngle_chip")
        with self.assertRaisesRegex(tensix_vp.UsageError, "noc.hop_cycless"):
            tensix_vp.open_mesh(settings={"noc.hop_cycless": 3})
        with self.assertRaisesRegex(tensix_vp.UsageError, "without a line break"):
            tensix_vp.open_mesh(settings={"noc.hop_cycles": "3\nthreads=2"})
        with self.assertRaisesRegex(tensix_vp.UsageError, "expected one of print, collect, raise"):
            tensix_vp.open_mesh(warnings="never")
        tensix_vp.open_mesh().close()

    def test_missing_libraries_are_named(self):
        for variable in ("TENSIX_VP_LIBRARY", "TENSIX_VP_HOST_LIBRARY"):
            with mock.patch.dict(os.environ, {variable: "/nowhere/lib.so"}):
                with self.assertRaisesRegex(tensix_vp.InstallationError, variable):
                    tensix_vp.open_mesh()
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            with mock.patch.dict(os.environ, {"TENSIX_VP_HOST_LIBRARY": file.name}):
                with self.assertRaisesRegex(tensix_vp.InstallationError, "cannot be loaded"):
                    tensix_vp.open_mesh()
        other = os.environ["TENSIX_VP_LIBRARY"]
        with mock.patch.dict(os.environ, {"TENSIX_VP_HOST_LIBRARY": other}):
            with self.assertRaisesRegex(tensix_vp.InstallationError, "no tensix_vp_host_version"):
                tensix_vp.open_mesh()


class Programs(unittest.TestCase):
    def setUp(self):
        self.mesh = tensix_vp.open_mesh(warnings="collect")
        self.addCleanup(self.mesh.close)

    def copy(self, pages, pushed=None):
        """A program that copies pages over circular buffer 3, and its destination."""
        source = self.mesh.buffer(pages * TILE, TILE)
        target = self.mesh.buffer(pages * TILE, TILE)
        source.write(content(source.size, pages))
        program = tensix_vp.Program()
        program.circular_buffer(3, (1, 2), 2, format=DataFormat.UInt16, page_bytes=TILE)
        program.kernel(
            READER,
            (1, 2),
            "reader",
            args=[source.address, pages if pushed is None else pushed],
            compile_args=source.accessor_args(),
        )
        writer = program.kernel(WRITER, (1, 2), "writer", compile_args=target.accessor_args())
        writer.set_args([target.address])
        writer.set_common_args([pages])
        return program, source, target

    def test_a_copy_from_source_text(self):
        program, source, target = self.copy(7)
        self.mesh.run(program)
        self.assertEqual(target.read(), source.read())
        self.assertEqual(self.mesh.warnings, [])
        times = self.mesh[0].run_times((1, 2))
        self.assertGreater(times.cycles, 7 * TILE // 32)
        self.assertGreater(self.mesh.time_ps, times.cycles * 1000)

    def test_a_hang_names_who_is_missing(self):
        program, _, _ = self.copy(5, pushed=4)
        with self.assertRaises(tensix_vp.Hang) as caught:
            self.mesh.run(program)
        self.assertRegex(str(caught.exception), r"circular buffer 3")
        self.assertNotIn("\n", str(caught.exception))
        self.assertGreater(len(caught.exception.text), len(str(caught.exception)))

    def test_a_fault_names_core_and_line(self):
        program = tensix_vp.Program()
        program.kernel(
            data_movement("*reinterpret_cast<volatile uint32_t*>(0xE0000000) = 1;"), (2, 2), "brisc"
        )
        with self.assertRaises(tensix_vp.FirmwareFault) as caught:
            self.mesh.run(program)
        self.assertNotIsInstance(caught.exception, tensix_vp.CompileError)
        self.assertIn("kernel_1.cpp:3", caught.exception.text)
        self.assertRegex(caught.exception.text, r"0x[eE]0000000")

    def test_a_kernel_that_does_not_compile(self):
        program = tensix_vp.Program()
        program.kernel(data_movement("no_such_function();"), (0, 0), "ncrisc")
        with self.assertRaises(tensix_vp.CompileError) as caught:
            self.mesh.run(program)
        self.assertIn("does not compile", str(caught.exception))
        self.assertIn("no_such_function", caught.exception.text)

    def test_semaphores_and_arguments_of_each_core(self):
        cores = CoreRange((0, 3), (2, 3))
        program = tensix_vp.Program()
        done = program.semaphore(cores, 0)
        x, y = self.mesh[0].for_kernels((0, 3))
        result = self.mesh.sharded_buffer((0, 3), 16)
        signal_first = data_movement(
            f"""noc_semaphore_inc(get_noc_addr({x}, {y}, get_semaphore({done})),
                                  get_arg_val<uint32_t>(0));
                noc_async_atomic_barrier();"""
        )
        wait = data_movement(
            f"""auto* s = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore({done}));
                noc_semaphore_wait(s, 30);
                *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = *s + 1;"""
        )
        sender = program.kernel(signal_first, [(1, 3), (2, 3)], "writer")
        sender.set_args([10], (1, 3))
        sender.set_args([20], (2, 3))
        program.kernel(wait, (0, 3), "writer", args=[result.address])
        self.mesh.run(program)
        self.assertEqual(int.from_bytes(result.read()[:4], "little"), 31)

    def test_a_global_semaphore_has_its_value(self):
        address = self.mesh.global_semaphore(CoreRange((0, 0), (1, 1)), 77)
        self.assertEqual(self.mesh[0].read_l1((1, 1), address, 4), (77).to_bytes(4, "little"))

    def test_compute_with_defines(self):
        compute = """
#include "api/compute/common.h"
#include "api/compute/eltwise_binary.h"
void kernel_main() {
  binary_op_init_common(0, 0, 16);
  add_tiles_init(0, 0);
  for (uint32_t tile = 0; tile < TILES; ++tile) {
    cb_wait_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_acquire();
    add_tiles(0, 0, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_pop_front(0, 1);
    cb_push_back(16, 1);
  }
}
"""
        tiles = 3
        core = (5, 4)
        source = self.mesh.buffer(tiles * TILE, TILE)
        target = self.mesh.buffer(tiles * TILE, TILE)
        values = [float(i % 61 - 30) for i in range(tiles * TILE // 2)]
        source.write(tensix_vp.bfloat16_bytes(values))
        program = tensix_vp.Program()
        for index in (0, 16):
            program.circular_buffer(index, core, 2, page_bytes=TILE)
        program.kernel(
            READER.replace("(3", "(0"),
            core,
            "reader",
            args=[source.address, tiles],
            compile_args=source.accessor_args(),
        )
        program.kernel(
            compute, core, "compute", defines={"TILES": str(tiles)}, math_fidelity="HiFi2"
        )
        program.kernel(
            WRITER.replace("(3", "(16"),
            core,
            "writer",
            args=[target.address],
            compile_args=target.accessor_args(),
        ).set_common_args([tiles])
        self.mesh.run(program)
        self.assertEqual(
            list(tensix_vp.bfloat16_values(target.read())), [2 * value for value in values]
        )

    def test_bad_descriptions_are_named(self):
        program = tensix_vp.Program()
        for add, expected in (
            (
                lambda: program.kernel("a.cpp", (0, 0), "reader", opt_level="O7"),
                "opt_level.*O7.*expected one of O0",
            ),
            (lambda: program.kernel("a.cpp", (0, 0), "reader", noc=2), "noc is 2: expected 0 or 1"),
            (
                lambda: program.kernel("a.cpp", (0, 0), "reader", fidelity="LoFi"),
                "unknown key fidelity",
            ),
            (
                lambda: program.kernel("a.cpp", (0, 0), "reader", math_fidelity="LoFi"),
                "unknown key math_fidelity",
            ),
            (
                lambda: program.kernel("a.cpp", (0, 0), "reader", compile_args=[-1]),
                "compile_args is -1",
            ),
            (
                lambda: program.kernel("a.cpp", (0, 0), "reader", compile_args=[1 << 32]),
                "compile_args is 4294967296",
            ),
            (
                lambda: program.kernel("a.cpp", (0, 0), "reader", defines={"A": 3}),
                "defines.*names with texts",
            ),
            (
                lambda: program.kernel("a.cpp", (0, 0), "fast"),
                "kind is 'fast': expected one of reader",
            ),
            (lambda: program.kernel("", (0, 0), "reader"), "source is missing"),
            (lambda: program.kernel("a.cpp", [], "reader"), "expected at least one"),
            (lambda: program.kernel("a.cpp", (0, 0, 0), "reader"), "expected a column and a row"),
            (lambda: program.semaphore((0, 0), -1), "initial is -1"),
            (lambda: program.circular_buffer(300, (0, 0), 2, page_bytes=64), "index 300"),
            (
                lambda: program.circular_buffer(1, (0, 0), 1 << 20, page_bytes=1 << 20),
                "expected an integer",
            ),
        ):
            with self.subTest(expected):
                with self.assertRaisesRegex(tensix_vp.UsageError, expected):
                    add()
        kernel = program.kernel(READER, (0, 0), "reader")
        with self.assertRaises(tensix_vp.UsageError):
            kernel.set_args([1], (3, 3))
        with self.assertRaisesRegex(tensix_vp.UsageError, "argument is -5"):
            kernel.set_args([-5])
        with self.assertRaisesRegex(tensix_vp.UsageError, "device 1"):
            self.mesh.enqueue(program, 1)

    def test_threads_take_turns(self):
        device = self.mesh[0]
        wrong = []

        def use(row):
            for number in range(200):
                device.write_l1((0, row), 0x30000, content(257, number + row))
                if device.read_l1((0, row), 0x30000, 257) != content(257, number + row):
                    wrong.append((row, number))

        threads = [threading.Thread(target=use, args=(row,)) for row in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_program_keeps_to_its_mesh(self):
        shards = self.mesh.sharded_buffer((0, 0), 64)
        program = tensix_vp.Program()
        program.circular_buffer(0, (0, 0), 1, page_bytes=64, over=shards)
        program.kernel(data_movement(""), (0, 0), "brisc")
        self.mesh.run(program)
        shards.free()
        with self.assertRaisesRegex(tensix_vp.UsageError, "it is freed"):
            self.mesh.run(program)
        program = tensix_vp.Program()
        shards = self.mesh.sharded_buffer((0, 0), 64)
        program.circular_buffer(0, (0, 0), 1, page_bytes=64, over=shards)
        program.kernel(data_movement(""), (0, 0), "brisc")
        self.mesh.close()
        with tensix_vp.open_mesh() as other:
            with self.assertRaisesRegex(tensix_vp.UsageError, "of another mesh"):
                other.run(program)

    def test_ctrl_c_ends_a_wait(self):
        program = tensix_vp.Program()
        program.kernel(
            data_movement("volatile uint32_t n = 0; while (n < 4000000000u) n = n + 1;"),
            (0, 0),
            "brisc",
        )
        self.mesh.enqueue(program)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            self.mesh.finish()
        timer.join()


class Warnings(unittest.TestCase):
    def stray(self, warnings):
        """Runs a writer that pops a page before it is sent."""
        with tensix_vp.open_mesh(warnings=warnings) as mesh:
            source = mesh.buffer(TILE, TILE)
            target = mesh.buffer(TILE, TILE)
            program = tensix_vp.Program()
            program.circular_buffer(3, (0, 0), 2, format=DataFormat.UInt16, page_bytes=TILE)
            accessor = source.accessor_args()
            hasty = WRITER.replace("    noc_async_write_barrier();\n", "")
            self.assertNotEqual(hasty, WRITER)
            program.kernel(
                READER, (0, 0), "reader", args=[source.address, 1], compile_args=accessor
            )
            writer = program.kernel(
                hasty, (0, 0), "writer", args=[target.address], compile_args=accessor
            )
            writer.set_common_args([1])
            try:
                mesh.run(program)
            finally:
                self.collected = mesh.warnings

    def test_warnings_are_collected(self):
        self.stray("collect")
        self.assertTrue(
            any("kernel_2.cpp:10" in warning for warning in self.collected), self.collected
        )

    def test_warnings_are_raised(self):
        with self.assertRaises(tensix_vp.FirmwareWarning) as caught:
            self.stray("raise")
        self.assertEqual(caught.exception.warnings, self.collected)
        self.assertIn("kernel_2.cpp:10", caught.exception.text)


class Prints(unittest.TestCase):
    PRINTS = data_movement('DPRINT << "seven " << 7 << ENDL();').replace(
        "#include", '#include "api/debug/dprint.h"\n#include', 1
    )

    def test_lines_of_kernels_come_to_the_host(self):
        lines = []
        with tensix_vp.open_mesh(dprint=lines.append) as mesh:
            program = tensix_vp.Program()
            program.kernel(self.PRINTS, (1, 0), "ncrisc")
            mesh.run(program)
        self.assertEqual(len(lines), 1)
        self.assertIn("seven 7", lines[0])

    def test_an_exception_of_the_callback_reaches_the_caller(self):
        def refuse(line):
            raise ArithmeticError(line)

        with tensix_vp.open_mesh(dprint=refuse) as mesh:
            program = tensix_vp.Program()
            program.kernel(self.PRINTS, (1, 0), "ncrisc")
            with self.assertRaisesRegex(ArithmeticError, "seven 7"):
                mesh.run(program)


class Observed(unittest.TestCase):
    def test_exec_observes_a_program_and_chooses_its_system(self):
        text = (
            "import tensix_vp\n"
            "with tensix_vp.open_mesh('single_chip') as mesh:\n"
            "    program = tensix_vp.Program()\n"
            "    program.kernel('#include \"api/dataflow/dataflow_api.h\"\\nvoid kernel_main() {}\\n',"
            " (1, 1), 'brisc')\n"
            "    mesh.run(program, len(mesh) - 1)\n"
            "    print(len(mesh), 'devices')\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            report, waves = Path(folder) / "r.json", Path(folder) / "w.fst"
            command = [tensix_vp.installation.program(), "exec", "--system", "pair"]
            command += ["--report", report, "--wave", waves, "--", sys.executable, "-c", text]
            ended = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stdout), (0, "2 devices\n"), ended.stderr)
            self.assertTrue(tensix_vp.Report.read(report).passed)
            state = tensix_vp.read_waves(waves)["chip1.tensix_2_2.BRISC.state"]
            self.assertIn("running", state["value"])


class TheCAbi(unittest.TestCase):
    def test_bad_pointers_and_numbers_are_refused(self):
        host = abi.host()
        core = (abi.Range * 1)()
        owner = tensix_vp.Program()
        program = owner._handle
        for call, expected in (
            (("open", None, None, None, None), "null pointer as mesh"),
            (("devices", None, None), "null pointer as mesh"),
            (
                (
                    "open",
                    None,
                    b"",
                    ctypes.byref(abi.Options(size=4)),
                    ctypes.byref(ctypes.c_void_p()),
                ),
                "size is 4",
            ),
            (("buffer_address", None, None), "null pointer as buffer"),
            (("program_create", None), "null pointer as program"),
            (
                ("kernel", None, b"{}", core, 1, ctypes.byref(ctypes.c_uint32())),
                "null pointer as program",
            ),
            (("kernel", program, b'{"source": "a"}', core, 1, None), "null pointer as kernel"),
            (("kernel", program, b'{"source": "a"}', None, 1, None), "null pointer as"),
            (("fst_to_vcd", None, b"a"), "null pointer as fst"),
        ):
            with self.subTest(call):
                with self.assertRaisesRegex(tensix_vp.UsageError, expected):
                    host.call(*call)
        host.close(None)
        host.buffer_free(None)
        host.program_free(None)

    def test_a_kernel_that_is_no_json_object(self):
        program = tensix_vp.Program()
        number = ctypes.c_uint32()
        for text in (b"[1]", b"{", b'{"source": 3}', b'{"source": "a", "kind": "x"}'):
            with self.assertRaisesRegex(tensix_vp.UsageError, "expected"):
                ranges = (abi.Range * 1)()
                abi.host().call("kernel", program._handle, text, ranges, 1, ctypes.byref(number))


class TheLibrary(unittest.TestCase):
    def test_tiles_of_a_chip(self):
        with tensix_vp.Library("n150") as library:
            self.assertEqual(library.system["name"], "n150")
            library.write_tile(1, 1, 0x40000, content(99, 9))
            self.assertEqual(library.read_tile(1, 1, 0x40000, 99), content(99, 9))
            library.clock(1500)
            self.assertIn(library.state, ("running", "idle"))
            self.assertEqual(library.report()["warnings"], [])

    def test_units_of_a_pim_system(self):
        with tensix_vp.Library("pim_rank") as library:
            unit = library.system["units"] - 1
            library.write_bank(unit, 0x100, content(64, 1))
            library.write_wram(unit, 0x40, content(32, 2))
            self.assertEqual(library.read_bank(unit, 0x100, 64), content(64, 1))
            self.assertEqual(library.read_wram(unit, 0x40, 32), content(32, 2))
            self.assertEqual(library.pim_state(unit).state, "stopped")
            with self.assertRaises(tensix_vp.UsageError):
                library.read_bank(unit + 1, 0, 4)

    def test_errors_are_typed(self):
        with self.assertRaisesRegex(tensix_vp.UsageError, "noc.hopp"):
            tensix_vp.Library("n150", {"noc.hopp": 1})
        with self.assertRaisesRegex(tensix_vp.InstallationError, "/nowhere.so"):
            tensix_vp.Library("n150", path="/nowhere.so")
        with tensix_vp.Library("single_chip") as library:
            with self.assertRaisesRegex(tensix_vp.UsageError, "expected one of BRISC"):
                library.load_program("a.elf", 1, 1, "brisc")
            with self.assertRaisesRegex(tensix_vp.UsageError, "a.elf"):
                library.load_program("/nowhere/a.elf", 1, 1)


if __name__ == "__main__":
    unittest.main()
