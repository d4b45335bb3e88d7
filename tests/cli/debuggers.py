"""Debuggers of other vendors follow a run: lldb, a client of the Debug Adapter Protocol, and gdb's machine interface with
the launch.json of platform/docs/how_to/use_gdb.md."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOW_TO = ROOT / "platform/docs/how_to/use_gdb.md"
LLDB = shutil.which("lldb-16")
LLDB_ADAPTER = shutil.which("lldb-vscode-16")
LINKER_SCRIPT = """ENTRY(_start)
SECTIONS {
  . = 0x1000;
  .text : { *(.text.start) *(.text*) }
  .data : { *(.data*) *(.sdata*) *(.sbss*) *(.bss*) *(.rodata*) }
}
"""
SECONDS = 60


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def json_blocks():
    """The JSON examples of the how-to, in order."""
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", HOW_TO.read_text(), re.DOTALL)]


class Run:
    """A run that waits for a debugger."""

    def __init__(self, *arguments):
        self.port = free_port()
        self.process = subprocess.Popen([os.environ["TENSIX_VP_PROGRAM"], "run", *arguments, "--gdb", str(self.port)],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output = ""
        while "waiting for" not in self.output:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"the run ended: {self.output}")
            self.output += line

    def end(self):
        """The exit code."""
        self.output += self.process.communicate(timeout=SECONDS)[0]
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class Adapter:
    """A client of the Debug Adapter Protocol: requests, their responses, and the events in between."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.sequence = 0
        self.events = []
        self.responses = {}

    def send(self, command, **arguments):
        self.sequence += 1
        body = json.dumps({"seq": self.sequence, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.sequence

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        if length == 0:
            raise AssertionError("the adapter ended")
        message = json.loads(self.process.stdout.read(length))
        if message["type"] == "event":
            self.events.append(message)
        elif message["type"] == "response":
            self.responses[message["request_seq"]] = message

    def response(self, sequence):
        while sequence not in self.responses:
            self.receive()
        message = self.responses.pop(sequence)
        if not message["success"]:
            raise AssertionError(message)
        return message.get("body", {})

    def request(self, command, **arguments):
        return self.response(self.send(command, **arguments))

    def event(self, name):
        """The next event of this name; forgets those before it."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["event"] == name:
                    return event.get("body", {})
            self.receive()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class Debuggers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.source = ROOT / "tests/cli/programs/debugged.c"
        cls.program = cls.folder / "debugged.elf"
        script = cls.folder / "program.ld"
        script.write_text(LINKER_SCRIPT)
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-g", "-O0", "-ffreestanding",
                        "-nostdlib", "-nostartfiles", "-static", "-Wl,--no-relax,--no-warn-rwx-segments", "-T", script,
                        cls.source, "-o", cls.program], check=True)
        text = cls.source.read_text().splitlines()
        cls.line = next(number for number, line in enumerate(text, 1) if "counter = sum" in line)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def elf_run(self):
        return Run("elf", "--set", f"elf.file={self.program}")

    def assert_in_order(self, text, parts):
        at = 0
        for part in parts:
            found = text.find(part, at)
            self.assertGreaterEqual(found, 0, f"no '{part}' behind the others in\n{text}")
            at = found + len(part)

    @unittest.skipUnless(LLDB, "needs Debian's lldb-16")
    def test_lldb_stops_steps_and_shows_variables(self):
        with self.elf_run() as run:
            commands = [f"gdb-remote 127.0.0.1:{run.port}", "breakpoint set -n sum_of_squares", "continue", "bt",
                        "frame variable n", f"breakpoint set -f debugged.c -l {self.line}", "continue",
                        "frame variable sum i", "next", "stepi", "register read pc", "memory read -c 4 &counter",
                        "breakpoint delete -f", "finish", "expression p.y", "continue"]
            options = [part for command in commands for part in ("-o", command)]
            lldb = subprocess.run([LLDB, "-x", "-b", self.program, *options], capture_output=True, text=True,
                                  timeout=SECONDS, check=True)
            self.assert_in_order(lldb.stdout, [
                "stop reason = breakpoint 1.1", "sum_of_squares(n=5) at debugged.c",
                "frame #1:", "run", "(int) n = 5", "breakpoint 2.1", "(int) sum = 1", "(int) i = 1",
                "stop reason = step over", "stop reason = instruction step into", "pc = 0x",
                "stop reason = step out", "(int) $1 = 4", "exited with status = 0"])
            self.assertEqual(run.end(), 0, run.output)

    @unittest.skipUnless(LLDB_ADAPTER, "needs Debian's lldb-16")
    def test_an_adapter_attaches_with_the_arguments_of_the_how_to(self):
        with self.elf_run() as run, Adapter([LLDB_ADAPTER]) as adapter:
            arguments = json_blocks()[1]
            self.assertEqual(arguments.pop("request"), "attach")
            arguments |= {"program": str(self.program), "attachCommands": [f"gdb-remote 127.0.0.1:{run.port}"]}
            adapter.request("initialize", adapterID="lldb", linesStartAt1=True, pathFormat="path")
            attached = adapter.send("attach", **arguments)
            adapter.event("initialized")
            places = adapter.request("setBreakpoints", source={"path": str(self.source)},
                                     breakpoints=[{"line": self.line}])
            self.assertEqual([place["verified"] for place in places["breakpoints"]], [True])
            adapter.request("configurationDone")
            adapter.response(attached)
            thread = adapter.request("threads")["threads"][0]["id"]
            sums = []
            for _ in range(3):
                adapter.request("continue", threadId=thread)
                while adapter.event("stopped")["reason"] != "breakpoint":
                    pass
                frames = adapter.request("stackTrace", threadId=thread)["stackFrames"]
                self.assertEqual([frame["name"] for frame in frames[:2]], ["sum_of_squares", "run"])
                self.assertEqual(frames[0]["line"], self.line)
                scope = adapter.request("scopes", frameId=frames[0]["id"])["scopes"][0]
                variables = adapter.request("variables", variablesReference=scope["variablesReference"])["variables"]
                sums.append(next(int(each["value"]) for each in variables if each["name"] == "sum"))
            self.assertEqual(sums, [1, 5, 14])
            adapter.request("next", threadId=thread)
            self.assertEqual(adapter.event("stopped")["reason"], "step")
            adapter.request("setBreakpoints", source={"path": str(self.source)}, breakpoints=[])
            adapter.request("continue", threadId=thread)
            self.assertEqual(adapter.event("exited")["exitCode"], 0)
            self.assertEqual(run.end(), 0, run.output)

    def test_the_launch_json_of_the_how_to_debugs_kernels(self):
        launch = json_blocks()[0]["configurations"][0]
        with Run("dram_loopback") as run:
            text = [command["text"].replace(":3333", f"127.0.0.1:{run.port}")
                    for command in launch["customLaunchSetupCommands"]]
            text += ["-break-insert -f loopback/reader.cpp:13", "-" + launch["launchCompleteCommand"],
                     "-stack-list-frames", "-stack-list-variables --simple-values", "-exec-next", "-thread-info",
                     "-break-delete 1", "-exec-continue"]
            # With customLaunchSetupCommands the extension loads no program.
            gdb = subprocess.Popen([launch["miDebuggerPath"], launch["miDebuggerArgs"], "--interpreter=mi3"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            output = ""
            with gdb:
                try:
                    for number, command in enumerate(text):
                        gdb.stdin.write(f"{number}{command}\n")
                        gdb.stdin.flush()
                        moves = command.startswith("-exec")
                        answer = ""
                        while not re.search(rf"^{number}\^", answer, re.MULTILINE) or (
                                moves and "*stopped" not in answer):
                            line = gdb.stdout.readline()
                            self.assertTrue(line, output + answer)
                            answer += line
                        self.assertNotIn(f"{number}^error", answer)
                        output += answer
                finally:
                    gdb.kill()
            self.assert_in_order(output, ['pending="loopback/reader.cpp:13"', 'reason="breakpoint-hit"',
                                          'func="kernel_main"', 'line="13"', 'name="pages"',
                                          'reason="end-stepping-range"', "D0 (1,1) NCRISC", 'reason="exited-normally"'])
            self.assertEqual(run.end(), 0, run.output)


if __name__ == "__main__":
    unittest.main()
