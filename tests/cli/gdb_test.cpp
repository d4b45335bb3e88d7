// `vp run --gdb`: Debian's gdb-multiarch on runs that must end as without it, and ends that only a
// debugger causes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "foundation/contract/memory_map.h"
#include "tests/cli/gdb_runs.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using test::free_port;
using test::Outcome;
using test::Port;
using Program = test::DebuggedProgram;
using Client = test::RawDebugger;
using Gdb = test::GdbTest;

TEST_F(Gdb, AProgramCanBeFollowedAndEndsAsWithoutIt) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const Session s = debug(elf(program), {"info threads",
                                         "break debugged.c:13",
                                         "continue",
                                         "backtrace",
                                         "print sum",
                                         "print p",
                                         "info registers pc",
                                         "delete",
                                         "watch counter",
                                         "continue",
                                         "continue",
                                         "print counter",
                                         "delete",
                                         "next",
                                         "stepi",
                                         "x/2i $pc",
                                         "monitor time",
                                         "monitor elf",
                                         "tbreak run",
                                         "finish",
                                         "print p.x",
                                         "continue"});
  EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output, {"\"D0 (1,1) BRISC\" (running)",
                                 "Breakpoint 1",
                                 "sum_of_squares (n=",
                                 "counter = sum;  // line 13",
                                 "#0  sum_of_squares",
                                 "#1  0x",
                                 " in run ()",
                                 "$1 = 1",
                                 "$2 = {x = 3, y = 4}",
                                 "<sum_of_squares+",
                                 "Hardware watchpoint 2",
                                 "Old value = 0",
                                 "New value = 1",
                                 "Old value = 1",
                                 "New value = 5",
                                 "$3 = 5",
                                 "=> 0x",
                                 "this core is at cycle",
                                 "add-symbol-file " + program,
                                 "Value returned is $4 = 55",
                                 "$5 = 3",
                                 "exited normally"});
  expect_same(elf(program));
}

TEST_F(Gdb, KernelsAreFoundWhereTheyAreLoaded) {
  const std::string workload = "dram_loopback";
  const Session s = debug(
      workload, {"break loopback/reader.cpp:13", "tbreak loopback/writer.cpp:14", "continue",
                 "backtrace", "info locals", "info sharedlibrary", "next", "continue",
                 "print pages", "monitor cores", "info inferiors", "info threads", "continue"});
  EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output,
                  {"(loopback/reader.cpp:13) pending", "(loopback/writer.cpp:14) pending",
                   "hit Breakpoint 1, kernel_main () at ", "loopback/reader.cpp:13",
                   "#0  kernel_main () at ", "kPageBytes = 2048", "pages = 64", "Yes", "/image.elf",
                   "hit Temporary breakpoint 2", "loopback/writer.cpp:14", "$1 = 64",
                   "D0 (1,1) NCRISC", "\"D0 (1,1) TRISC2\"", "exited normally"});
  expect_same(workload);
}

TEST_F(Gdb, MonitorShowsTheStateOfATile) {
  const std::string workload = "matmul --set kernel.optimize=debug";
  const Session s = debug(workload, {"tbreak kernel_main",
                                     "continue",
                                     "watch *(int*)0x28000",
                                     "continue",
                                     "delete",
                                     "tbreak matmul/reader_writer.cpp:46",
                                     "continue",
                                     "monitor buffers",
                                     "monitor semaphores",
                                     "monitor noc",
                                     "monitor config 2",
                                     "monitor config 3",
                                     "monitor dst 0",
                                     "monitor dst 16",
                                     "monitor srca",
                                     "monitor lreg 99",
                                     "monitor tile 0x14e000",
                                     "monitor tile 0x30 bf17",
                                     "monitor tile 0x30",
                                     "monitor place 0x28801",
                                     "monitor place 0x8010",
                                     "monitor writer 0x28800",
                                     "monitor place banana",
                                     "monitor unknown",
                                     "continue"});
  EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(
      s.gdb.output,
      {"written by NIU 0 or the host: chip0.tensix(1,1).NCRISC has read it from elsewhere",
       "hit Hardware watchpoint",
       "hit Temporary breakpoint",
       "buffer  address   pages  bytes  format  pushed",
       "0       0x28000   32     2048   bf16    ",
       "semaphore      address  value  maximum",
       "coprocessor 7",
       "setting ",
       "packer 0 format in L1 ",
       "bf16",
       "expected a thread: 0, 1 or 2",
       "tile 0 of Dst as bf16",
       "  63 |",
       "expected a tile from 0 to 15",
       "bank 0 of the ",
       "bank 1 of the ",
       "expected a register from 0 to 16",
       "tile at 0x14e000 as bf16",
       "  31 |",
       "expected one of fp32, fp16, bf16",
       "no circular buffer with a known format",
       "circular buffer 0, byte 1 of page 1",
       "semaphore 1",
       "NCRISC has read it from elsewhere",
       "expected an address in L1",
       "monitor time  ",
       "monitor writer",
       "exited normally"});
  expect_same(workload);
}

/// gdb must have read the description of each core: for one without it, it would take Tensix
/// instructions for compressed ones and step with breakpoints of its own.
TEST_F(Gdb, StepsGoThroughTheKernelsOfAllCores) {
  const std::string workload = "matmul";
  for (const char* function : {"chlkc_unpack::unpack_main", "chlkc_math::math_main",
                               "chlkc_pack::pack_main", "kernel_main"}) {
    const Session s =
        debug(workload, {"tbreak " + std::string(function), "continue", "set $steps = 0",
                         "while $steps < 1000", "stepi", "set $steps = $steps + 1", "end",
                         "show osabi", "while $steps < 1015", "next", "set $steps = $steps + 1",
                         "end", "print $steps", "backtrace", "continue"});
    EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
    EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
    expect_in_order(s.gdb.output, {"hit Temporary breakpoint 1", "currently \"none\"", "$1 = 1015",
                                   "#0 ", "exited normally"});
    expect_same(workload);
  }
}

TEST_F(Gdb, DebuggableKernelsShowTheirVariables) {
  const std::string workload = "matmul --set kernel.optimize=debug";
  const Session s = debug(
      workload, {"tbreak matmul/compute.cpp:92", "continue", "info locals", "next", "info locals",
                 "tbreak matmul/reader.cpp:23", "continue", "info locals", "backtrace",
                 "tbreak matmul/reader_writer.cpp:43", "continue", "info locals", "continue"});
  EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output,
                  {"hit Temporary breakpoint 1", "across = 0", "down = 0", "reloads = false",
                   "block = 0", "hit Temporary breakpoint 2", "kernel_main () at ",
                   "matmul/reader.cpp:23", "to = ", "block = ", "kRows = 8", "page_bytes = 2048",
                   "#0  kernel_main () at ", "hit Temporary breakpoint 3",
                   "matmul/reader_writer.cpp:43", "first = ", "from = ", "exited normally"});
  EXPECT_EQ(s.gdb.output.find("<optimized out>"), std::string::npos) << s.gdb.output;
  expect_same(workload);
}

// A large kernel of BRISC moves the kernels of the TRISCs to unusual addresses.
TEST_F(Gdb, KernelsAreFoundWhereOthersMakeThemLie) {
  copy_firmware();
  const std::string name = "firmware/kernels/matmul/reader_writer.cpp";
  std::string source = test::read_file(name);
  const std::string begin = "void kernel_main() {\n";
  ASSERT_NE(source.find(begin), std::string::npos) << "the kernel has changed";
  source.insert(source.find(begin) + begin.size(),
                "  asm volatile(\"j 1f\\n.rept 20480\\nnop\\n.endr\\n1:\");\n");
  write(name, source);
  const std::string compute = test::read_file("firmware/kernels/matmul/compute.cpp");
  const std::size_t at = compute.find("if (reloads) reload();");
  ASSERT_NE(at, std::string::npos) << "the kernel has changed";
  const auto line =
      "matmul/compute.cpp:" +
      std::to_string(
          1 + std::count(compute.begin(), compute.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::string moved = "80 * 1024 + " + std::to_string(contract::kKernelTextBase);
  setenv("TENSIX_VP_ROOT", folder().c_str(), 1);
  const Session s = debug("matmul", {"tbreak " + line, "continue", "backtrace",
                                     "print (unsigned)$pc >= " + moved, "continue"});
  unsetenv("TENSIX_VP_ROOT");
  EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output, {"hit Temporary breakpoint 1", line, "#0 ", "_main () at ", line,
                                 "$1 = true", "exited normally"});
}

TEST_F(Gdb, UnitsOfPimSystemsAreCoresLikeOthers) {
  const std::string workload = "pim_allreduce --set pim_allreduce.bytes=4096";
  const Session s = debug(workload, {"break main", "continue", "next", "next", "backtrace",
                                     "info threads", "delete", "continue"});
  EXPECT_EQ(s.gdb.exit_code, 0) << s.gdb.output;
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output, {"0xffc00000 in _start ()", "(32 locations)", "hit Breakpoint 1",
                                 "main () at ", "#0  main ()", "\"unit 31\"", "exited normally"});
  expect_same(workload);
}

TEST_F(Gdb, FaultsStopWhereTheyHappen) {
  const Session s = debug(elf(assemble("li t0, 0x70000000\nlw a0, 0(t0)\n1: j 1b\n")),
                          {"continue", "x/i $pc", "continue"});
  expect_in_order(s.gdb.output, {"load from unmapped address 0x70000000", "SIGSEGV", "lw\ta0,0(t0)",
                                 "exited with code 03"});
  EXPECT_EQ(s.run.exit_code, 3) << s.run.output;
  EXPECT_EQ(
      debug(elf(assemble(".word 0xffffffff\n")), {"continue", "info registers pc"}).run.exit_code,
      3);
}

TEST_F(Gdb, HangsStopBeforeTheRunEnds) {
  const std::string program = assemble(
      "li t0, 0x4000\npoll: lw a0, 0(t0)\nbeqz a0, poll\nla t1, tohost\nsw a0, 0(t1)\n"
      "1: j 1b\n");
  Session s = debug(elf(program), {"continue", "continue"});
  expect_in_order(s.gdb.output, {"Hang: no core can continue", "waits for L1 0x4000", "SIGTRAP"});
  EXPECT_EQ(s.run.exit_code, 4) << s.run.output;
  // The debugger can write the value that the core waits for.
  s = debug(elf(program), {"continue", "stepi", "stepi", "set var *(int*)0x4000 = 1", "continue"});
  EXPECT_EQ(s.run.exit_code, 0) << s.gdb.output << s.run.output;
}

TEST_F(Gdb, HangsSelectTheCoreThatTheReportNamesFirst) {
  copy_firmware();
  const std::string name = "firmware/kernels/loopback/writer.cpp";
  std::string source = test::read_file(name);
  const std::string pop = "cb_pop_front(kCb, 1);";
  ASSERT_NE(source.find(pop), std::string::npos) << "the kernel has changed";
  source.erase(source.find(pop), pop.size());
  write(name, source);
  setenv("TENSIX_VP_ROOT", folder().c_str(), 1);
  const Session s = debug("dram_loopback --set pages=64", {"continue", "backtrace", "continue"});
  unsetenv("TENSIX_VP_ROOT");
  expect_in_order(s.gdb.output, {"Hang: no core can continue", "chip0.tensix(1,1).NCRISC in ",
                                 "SIGTRAP", "#0 ", "kernel_main () at ", "loopback/reader.cpp:"});
  EXPECT_EQ(s.run.exit_code, 4) << s.run.output;
}

TEST_F(Gdb, ABreakpointInAPollIsMetAgainAndAgain) {
  const std::string program = assemble(
      "li t0, 0x4000\npoll: lw a0, 0(t0)\nbeqz a0, poll\nla t1, tohost\nsw a0, 0(t1)\n"
      "1: j 1b\n");
  const Session s = debug(
      elf(program), {"break poll", "continue", "continue", "continue", "info breakpoints", "kill"});
  expect_in_order(s.gdb.output, {"already hit 3 times", "killed"});
  EXPECT_EQ(s.run.exit_code, 130) << s.run.output;
}

TEST_F(Gdb, DetachingLetsTheRunGoOn) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const Session s = debug(elf(program), {"break sum_of_squares", "continue", "detach"});
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_same(elf(program));
}

TEST_F(Gdb, ALostConnectionLetsTheRunGoOn) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const std::uint16_t port = free_port();
  Program run(elf(program) + " --gdb " + std::to_string(port) + " --report " +
              path("debugged.json"));
  ASSERT_TRUE(run.read_to("waiting for gdb-multiarch"));
  {
    Client client(port);
    EXPECT_EQ(client.ask("?").substr(0, 3), "T05");
    client.send_raw("+$m1000,4#00");  // damaged
    EXPECT_EQ(client.hear(), "-");
    EXPECT_EQ(client.ask("m1000,4").size(), 8U);
  }
  EXPECT_EQ(run.end().exit_code, 0);
  expect_same(elf(program));
}

TEST_F(Gdb, CtrlCStopsARunAndAnotherDebuggerCanFollow) {
  // The platform would report a loop that counts or repeats its registers as a hang before the
  // interrupt comes on a busy machine. This loop takes 2^32 - 1 values (xorshift32).
  const std::string program = assemble(
      "li t0, 1\n"
      "1: slli t1, t0, 13\nxor t0, t0, t1\n"
      "srli t1, t0, 17\nxor t0, t0, t1\n"
      "slli t1, t0, 5\nxor t0, t0, t1\nj 1b\n");
  const std::uint16_t port = free_port();
  Program run(elf(program) + " --max-time 100s --gdb " + std::to_string(port));
  ASSERT_TRUE(run.read_to("waiting for gdb-multiarch"));
  {
    Client client(port);
    EXPECT_EQ(client.ask("qSupported:multiprocess+").substr(0, 10), "PacketSize");
    client.say("vCont;c");
    client.send_raw("\x03");
    EXPECT_EQ(client.hear().substr(0, 3), "T02");
  }
  Client second(port);
  EXPECT_EQ(second.ask("?").substr(0, 3), "T05");
  EXPECT_EQ(second.ask("p20").substr(2), "100000");  // in the loop at 0x1004
  second.say("k");
  EXPECT_EQ(run.end().exit_code, 130);
}

TEST_F(Gdb, WaitingCanBeInterrupted) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const std::uint16_t port = free_port();
  Program waiting(elf(program) + " --gdb " + std::to_string(port));
  ASSERT_TRUE(waiting.read_to("waiting for gdb-multiarch"));
  waiting.interrupt();
  EXPECT_EQ(waiting.end().exit_code, 130);

  Program stopped(elf(program) + " --gdb " + std::to_string(port));
  ASSERT_TRUE(stopped.read_to("waiting for gdb-multiarch"));
  Client client(port);
  EXPECT_EQ(client.ask("?").substr(0, 3), "T05");
  stopped.interrupt();
  EXPECT_EQ(stopped.end().exit_code, 130);
}

TEST_F(Gdb, ADebuggerThatDoesNotListenHoldsNobody) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const std::uint16_t port = free_port();
  Program run(elf(program) + " --gdb " + std::to_string(port));
  ASSERT_TRUE(run.read_to("waiting for gdb-multiarch"));
  const Client client(port);
  client.flood("qXfer:features:read:target.xml:0,ffff");
  run.interrupt();
  EXPECT_EQ(run.end().exit_code, 130);
}

TEST_F(Gdb, ASecondDebuggerIsTurnedAwayAtOnce) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const std::uint16_t port = free_port();
  Program run(elf(program) + " --gdb " + std::to_string(port));
  ASSERT_TRUE(run.read_to("waiting for gdb-multiarch"));
  {
    Client first(port);
    EXPECT_EQ(first.ask("?").substr(0, 3), "T05");
    Client second(port);
    EXPECT_EQ(second.ask("?"), "closed");
    EXPECT_EQ(first.ask("m1000,4").size(), 8U);
  }
  EXPECT_EQ(run.end().exit_code, 0);
}

TEST_F(Gdb, RegistersThatReadingChangesAreNotRead) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const std::uint16_t port = free_port();
  Program run(elf(program) + " --gdb " + std::to_string(port));
  ASSERT_TRUE(run.read_to("waiting for gdb-multiarch"));
  Client client(port);
  EXPECT_EQ(client.ask("?").substr(0, 3), "T05");
  EXPECT_EQ(client.ask("mffec0000,4"), "E01");       // a mailbox
  EXPECT_EQ(client.ask("mffb121f0,4"), "E01");       // the wall clock, which latches
  EXPECT_EQ(client.ask("mffb20000,8").size(), 16U);  // the NIU
  EXPECT_EQ(client.ask("mffb20001,1").size(), 2U);
  EXPECT_EQ(client.ask("Mffb20000,4:00000000"), "E01");
  EXPECT_EQ(client.ask("m16dffe,4"), "0000");    // the end of L1
  EXPECT_EQ(client.ask("mffb00ffe,4"), "0000");  // and of local RAM
  EXPECT_EQ(client.ask("D").substr(0, 2), "OK");
  EXPECT_EQ(run.end().exit_code, 0);
}

TEST_F(Gdb, WrongUseIsRefused) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome o = test::vp("run " + arguments);
    EXPECT_EQ(o.exit_code, 2) << arguments << "\n" << o.output;
    EXPECT_NE(o.output.find(part), std::string::npos) << arguments << "\n" << o.output;
  };
  expect(elf(program) + " --gdb 0", "--gdb");
  expect(elf(program) + " --gdb 65536", "--gdb");
  expect(elf(program) + " --gdb x", "--gdb");
  expect("mesh --gdb 3333", "'gdb.port' has no effect");
  const Port taken;
  taken.listen();
  const std::string port = std::to_string(taken.number());
  expect(elf(program) + " --gdb " + port,
         "port " + port + " cannot be used: Address already in use");
  const std::string other = std::to_string(free_port());
  expect(elf(program) + ",gdb.cores=nobody --gdb " + other, "gdb.cores: no core is called nobody");
}

}  // namespace
}  // namespace tvp
