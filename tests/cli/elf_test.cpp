// `vp run elf`: bare programs on each kind of core and memory, with exit codes, exact counts and
// the commit log. An independent interpreter provides the expected values.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "foundation/elf_image.h"
#include "tests/support/program.h"
#include "tests/unit/riscv/golden_machine.h"

namespace tvp {
namespace {

using test::execute;
using test::Outcome;

/// Link addresses of code and data.
struct Places {
  std::string text = "0x1000";
  std::string data = ".";
};
const Places kL1{};
const Places kLocalData{"0x1000", "0xFFB00000"};
const Places kIram{"0xFFC00000", "0xFFB00000"};
const Places kIramL1{"0xFFC00000", "0x2000"};

const char* const kSuite[] = {"arithmetic.S", "logic.S",  "multiply.S",
                              "memory.S",     "branch.S", "sort.c"};

const std::string kPass = "li a0, 1\n la t0, tohost\n sw a0, 0(t0)\n1: j 1b\n";
const std::string kToHost = ".data\n.balign 4\n.globl tohost\ntohost: .word 0\n";

class Elf : public test::FolderTest {
 protected:
  std::string link(const std::string& source, const std::string& script,
                   const std::string& machine = "-march=rv32im -mabi=ilp32") const {
    std::string elf = path("program" + std::to_string(programs_++) + ".elf");
    const std::string script_file = write("program.ld", script);
    const Outcome o = execute(
        "riscv64-unknown-elf-gcc " + machine +
        " -O2 -ffreestanding -nostdlib -nostartfiles -static -I " TVP_PROGRAMS
        " -Wl,-n,--no-relax,--build-id=none,--no-warn-rwx-segments,--no-check-sections -T " +
        script_file + " " + source + " -o " + elf);
    EXPECT_EQ(o.exit_code, 0) << o.output;
    return elf;
  }
  /// Builds a source file of the suite, by name or path.
  std::string build(const std::string& source, const Places& places = kL1) const {
    return link(source.find('/') == std::string::npos ? TVP_PROGRAMS "/" + source : source,
                "ENTRY(_start)\nSECTIONS {\n . = " + places.text +
                    ";\n .text : { *(.text.start) *(.text*) }\n . = " + places.data +
                    ";\n .data : { *(.data*) *(.rodata*) *(.sdata*) *(.sbss*) *(.bss*) }\n}\n");
  }
  std::string assemble(const std::string& text, const Places& places = kL1) const {
    return build(write("program.S", ".globl _start\n_start:\n" + text), places);
  }

  std::string folder_name() const { return folder().string(); }

 private:
  mutable int programs_ = 0;
};

Outcome run(const std::string& settings, const std::string& options = "") {
  return test::vp("run elf --set " + settings + " " + options);
}

void expect(const std::string& settings, const std::string& options, int exit_code,
            const std::vector<std::string>& parts) {
  test::expect(run(settings, options), settings, exit_code, parts);
}

std::uint64_t metric(const nlohmann::json& report, const std::string& name) {
  return static_cast<std::uint64_t>(report["metrics"][name]["value"].get<double>());
}

/// The independent interpreter's run of a program in L1 and local RAM: the commit log and the value
/// of tohost.
struct Golden {
  std::vector<std::string> log;
  std::uint32_t tohost = 0;
};

std::string log_line(std::uint32_t pc, std::uint32_t word, const std::uint32_t* before,
                     const std::uint32_t* after) {
  const auto text = [](const char* format, auto... values) {
    char line[64];
    std::snprintf(line, sizeof line, format, values...);
    return std::string(line);
  };
  std::string line = text("core   0: 3 0x%08x (0x%08x)", pc, word);
  const std::uint32_t opcode = word & 0x7F, rd = word >> 7 & 31, width = word >> 12 & 3;
  const bool is_store = opcode == 0x23, is_load = opcode == 0x03;
  const bool writes = !is_store && opcode != 0x63 && opcode != 0x0F;
  if (writes && rd != 0) line += text(" x%-2u 0x%08x", rd, after[rd]);
  const auto high = static_cast<std::int32_t>(word) >> 20;
  const std::uint32_t base = before[word >> 15 & 31];
  if (is_load) line += text(" mem 0x%08x", base + static_cast<std::uint32_t>(high));
  if (is_store) {
    const std::uint32_t offset = (static_cast<std::uint32_t>(high) & ~31U) | rd;
    const std::uint32_t value = before[word >> 20 & 31];
    line += text(" mem 0x%08x", base + offset);
    if (width == 0) line += text(" 0x%02x", value & 0xFF);
    if (width == 1) line += text(" 0x%04x", value & 0xFFFF);
    if (width == 2) line += text(" 0x%08x", value);
  }
  return line;
}

Golden interpret(const std::string& elf) {
  const auto image = foundation::ElfImage::from_file(elf);
  riscv::golden::Machine machine;
  machine.l1.resize(256 * 1024);
  machine.local.resize(2048);
  for (const auto& segment : image.segments()) {
    for (std::size_t i = 0; i < segment.data.size(); ++i) {
      *machine.at(segment.address + static_cast<std::uint32_t>(i)) = segment.data[i];
    }
  }
  machine.pc = image.entry();
  const std::uint32_t tohost = image.address_of("tohost").value();
  Golden golden;
  while ((golden.tohost & 1) == 0 && golden.log.size() < 10'000'000) {
    const std::uint32_t pc = machine.pc, word = machine.fetch();
    std::uint32_t before[32];
    std::memcpy(before, machine.x, sizeof before);
    if (!machine.step()) break;
    golden.log.push_back(log_line(pc, word, before, machine.x));
    std::memcpy(&golden.tohost, machine.at(tohost), 4);
  }
  return golden;
}

TEST_F(Elf, TheSuitePassesOnEveryCoreFromEveryMemory) {
  struct Where {
    const char* core;
    Places places;
  };
  const Where wheres[] = {{"brisc", kL1},         {"brisc", kLocalData}, {"ncrisc", kL1},
                          {"ncrisc", kIram},      {"ncrisc", kIramL1},   {"trisc0", kLocalData},
                          {"trisc1", kLocalData}, {"trisc2", kL1},       {"erisc", kL1},
                          {"erisc", kLocalData}};
  for (const Where& where : wheres) {
    for (const std::string source : kSuite) {
      // 70000 bytes of text do not fit in 16 KiB. A stack and a table together do not fit in the
      // small local RAM of the compute cores.
      if (where.places.text == kIram.text && source == "branch.S") continue;
      if (where.places.data == kLocalData.data && source == "sort.c") continue;
      const std::string elf = build(source, where.places);
      expect("elf.file=" + elf + ",elf.core=" + where.core, "", 0, {"instructions", "mips"});
    }
  }
}

TEST_F(Elf, CommitLogAndCountsAreThoseOfAnIndependentInterpreter) {
  for (const std::string source : kSuite) {
    for (const Places& places : {kL1, kLocalData}) {
      if (places.data == kLocalData.data && source == "sort.c") continue;
      const std::string elf = build(source, places);
      const Golden golden = interpret(elf);
      ASSERT_EQ(golden.tohost, 1u) << source;
      const std::string log = path("commit.log");
      const std::string logged = path("logged.json"), plain = path("plain.json"),
                        lockstep = path("lockstep.json");
      expect("elf.file=" + elf + ",elf.core=trisc1,elf.commitlog=" + log, "--report " + logged, 0,
             {});
      expect("elf.file=" + elf + ",elf.core=trisc1", "--report " + plain, 0, {});
      expect("elf.file=" + elf + ",elf.core=trisc1", "--lockstep --report " + lockstep, 0, {});

      std::ifstream lines(log);
      std::string line;
      std::size_t count = 0;
      while (std::getline(lines, line)) {
        ASSERT_LT(count, golden.log.size()) << source << ": one too many, " << line;
        ASSERT_EQ(line, golden.log[count]) << source << " line " << count + 1;
        ++count;
      }
      EXPECT_EQ(count, golden.log.size()) << source;

      const auto a = nlohmann::json::parse(std::ifstream(logged));
      const auto b = nlohmann::json::parse(std::ifstream(plain));
      const auto c = nlohmann::json::parse(std::ifstream(lockstep));
      for (const auto& report : {a, b, c}) {
        EXPECT_EQ(metric(report, "instructions"), golden.log.size()) << source;
        EXPECT_EQ(metric(report, "cycles"), metric(a, "cycles")) << source;
        EXPECT_EQ(report["state_digest"], a["state_digest"]) << source;
      }
      EXPECT_GE(metric(a, "cycles"), golden.log.size()) << source;
    }
  }
}

TEST_F(Elf, ARunEndsAtTheFirstOddValue) {
  // Even values and neighboring words have no effect. Code after the odd value is never executed.
  const std::string elf = assemble(
      "la t0, tohost\n li a0, 6\n sw a0, 0(t0)\n sw x0, 0(t0)\n li a0, 7\n sw a0, 4(t0)\n"
      " sh a0, 2(t0)\n li a0, 1\n sw a0, 0(t0)\n li a0, 9\n sw a0, 0(t0)\n1: j 1b\n" +
      kToHost + ".word 0\n");
  const std::string report = path("r.json");
  expect("elf.file=" + elf, "--report " + report, 0, {});
  EXPECT_EQ(metric(nlohmann::json::parse(std::ifstream(report)), "instructions"), 10u);
}

TEST_F(Elf, APhaseLastsAsLongAsItsCyclesAtTheClockOfTheChip) {
  const std::string elf = build("logic.S");
  const std::string report = path("r.json");
  expect("elf.file=" + elf + ",chip.aiclk_mhz=500", "--report " + report, 0, {});
  const auto json = nlohmann::json::parse(std::ifstream(report));
  const auto& phase = json["phases"][0];
  EXPECT_EQ(phase["end_ns"].get<double>() - phase["begin_ns"].get<double>(),
            2 * json["metrics"]["cycles"]["value"].get<double>());
}

TEST_F(Elf, AFailedTestIsNamed) {
  const std::string report = path("r.json");
  const std::string elf =
      assemble("la t0, tohost\n li a0, 2 * 42 + 1\n sb a0, 0(t0)\n1: j 1b\n" + kToHost);
  expect("elf.file=" + elf, "--report " + report, 1, {elf + ": test 42 failed"});
  const auto json = nlohmann::json::parse(std::ifstream(report));
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(metric(json, "instructions"), 4u);
  // Shows that the suite can fail: one wrong expectation ends it with its number.
  expect("elf.file=" + build(write("wrong.S",
                                   "#include \"test_program.h\"\nprogram_start\n"
                                   "  rr 1, add, 3, 1, 2\n  rr 2, mul, 7, 2, 3\n"
                                   "program_end\n")),
         "", 1, {"test 2 failed (tohost is 5)"});
}

TEST_F(Elf, NoEndIsATimeLimitOrAHang) {
  const std::string spin = assemble("1: addi a0, a0, 1\n j 1b\n" + kToHost);
  const std::string report = path("r.json");
  expect("elf.file=" + spin, "--max-time 30us --report " + report, 5, {"time limit", "tohost"});
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(report))["simulated_ps"], 30'000'000);
  const std::string still = assemble("1: j 1b\n" + kToHost);
  expect("elf.file=" + still, "", 4, {"hang", "tohost", "BRISC spins", "could end it"});
  expect("elf.file=" + still, "--quiet", 4, {"vp: hang: nothing moves"});
  expect("elf.file=" + spin, "", 4,
         {"BRISC spins: its loop only counts in registers and reads nothing that could end it"});
  const std::string beat =
      assemble("1: lw a0, 0x40(x0)\n addi a0, a0, 1\n sw a0, 0x40(x0)\n j 1b\n" + kToHost);
  expect("elf.file=" + beat, "", 4,
         {"BRISC spins: its loop only counts at 0x00000040 and reads nothing"});
  const std::string poll = assemble("la t0, tohost\n1: lw a0, 0(t0)\n beqz a0, 1b\n" + kToHost);
  expect("elf.file=" + poll + ",elf.core=trisc2", "", 4, {"hang", "tohost", "TRISC2"});
}

/// Idle ethernet cores of published firmware do this: they count in a register, store the count to
/// a word of L1 in each iteration, and poll.
TEST_F(Elf, AHeartbeatIsNoSignOfLife) {
  const std::string beats = assemble(
      "li a0, 0x40\n li a3, 0xAABB0000\n la a4, tohost\n"
      "1: addi a5, a5, 1\n slli a6, a5, 16\n srli a6, a6, 16\n or a6, a6, a3\n sw a6, 0(a0)\n"
      "lw a1, 0(a4)\n beqz a1, 1b\n" +
      kToHost);
  for (const char* core : {"erisc", "brisc", "trisc1"}) {
    SCOPED_TRACE(core);
    const std::string settings = "elf.file=" + beats + ",elf.core=" + core;
    expect(settings, "", 4,
           {"hang", "tohost", "ISC", "waits for L1", "meanwhile it only counts at 0x00000040\n"});
    // Compares the stores until shortly before the end, and the number of instructions.
    nlohmann::json reports[2];
    for (const bool lockstep : {false, true}) {
      const std::string report = path("r.json");
      run(settings, "--max-time 61us --report " + report + (lockstep ? " --lockstep" : ""));
      reports[lockstep] = test::read_json(report);
    }
    EXPECT_EQ(reports[0]["state_digest"], reports[1]["state_digest"]);
    EXPECT_EQ(reports[1]["slept_instructions"], 0);
    EXPECT_GT(reports[0]["slept_instructions"], 0);
    const auto all = [](const nlohmann::json& report) {
      return report["executed_instructions"].get<std::uint64_t>() +
             report["slept_instructions"].get<std::uint64_t>();
    };
    EXPECT_EQ(reports[0]["simulated_ps"], reports[1]["simulated_ps"]);
    EXPECT_EQ(all(reports[0]), all(reports[1]));
  }
}

TEST_F(Elf, WhatBabyCoresDoNotHaveIsAFault) {
  const std::string log = path("commit.log");
  struct Missing {
    std::string instruction, name;
  };
  for (const auto& [instruction, name] :
       {Missing{"csrr a0, mcycle", "is an instruction of Blackhole's cores"},
        {"csrw mtvec, x0", "is an instruction of Blackhole's cores"},
        {"fence.i", "fence.i, which no baby core has"},
        {"mret", "privileged instruction, which no baby core has"},
        {"wfi", "privileged instruction, which no baby core has"},
        {"amoadd.w a0, a1, (a2)", "is an instruction of Blackhole's cores"},
        {"flw fa0, 0(a0)", "floating point, which no baby core has"},
        {"fadd.s fa0, fa0, fa1", "floating point, which no baby core has"}}) {
    const std::string source =
        write("csr.S", ".option arch, +zicsr, +zifencei, +a, +f\n.globl _start\n_start: nop\n" +
                           instruction + "\n" + kPass + kToHost);
    const std::string elf = build(source);
    expect("elf.file=" + elf + ",elf.commitlog=" + log, "", 3,
           {"chip0.tensix(1,1).BRISC", "invalid instruction", name, "pc 0x00001004"});
    // The log also holds all earlier entries.
    std::ifstream lines(log);
    std::string first;
    EXPECT_TRUE(std::getline(lines, first));
    EXPECT_EQ(first, "core   0: 3 0x00001000 (0x00000013)");
    expect("elf.file=" + elf + ",faults=warn", "", 0,
           {"warning: chip0.tensix(1,1).BRISC: invalid instruction"});
  }
  expect("elf.file=" + assemble("ecall\n" + kPass + kToHost), "", 3, {"ecall"});
}

TEST_F(Elf, ASignatureIsWrittenAtTheEnd) {
  const std::string words =
      "begin_signature: .word 0x11223344, 0\nend_signature: .word -1\n"
      ".globl begin_signature, end_signature\n";
  const std::string source = "la a1, begin_signature\n li a0, 0xABCDEF\n sw a0, 4(a1)\n" + kPass;
  const std::string file = path("signature");
  const auto text = [&] {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const Places& places : {kL1, kLocalData}) {
    for (const std::string core : {"brisc", "trisc1", "erisc"}) {
      const std::string elf = assemble(source + kToHost + words, places);
      expect("elf.file=" + elf + ",elf.core=" + core + ",elf.signature=" + file, "", 0, {});
      EXPECT_EQ(text(), "11223344\n00abcdef\n") << places.data << " " << core;
    }
  }
  // A program that did not end has no signature.
  expect("elf.file=" + assemble("ecall\n" + kToHost + words) + ",elf.signature=" + file, "", 3, {});
  EXPECT_EQ(text(), "");
  const auto refused = [&](const std::string& elf, const std::string& to, const std::string& why) {
    expect("elf.file=" + elf + ",elf.signature=" + to, "", 2, {why});
  };
  refused(assemble(kPass + kToHost), file, "no symbols begin_signature and end_signature");
  refused(assemble(kPass + kToHost + words), path("no/such"), "No such file");
  refused(assemble(kPass + kToHost +
                   ".globl begin_signature, end_signature\n"
                   "begin_signature: .byte 1, 2\nend_signature: .word 0\n"),
          file, "is not whole words");
  expect("elf.file=" + assemble(kPass + kToHost + words) + ",elf.signature=/dev/full", "", 71,
         {"/dev/full: cannot be written to its end: No space left on device"});
}

TEST_F(Elf, TilesAreChosenByLogicalAndNocCoordinates) {
  const std::string elf = assemble("ecall\n" + kToHost);
  const std::string file = "elf.file=" + elf;
  expect(file, "", 3, {"chip0.tensix(1,1).BRISC"});
  expect(file + ",elf.x=7,elf.y=9,elf.core=trisc0", "", 3, {"chip0.tensix(9,11).TRISC0"});
  expect(file + ",elf.coordinates=noc0,elf.x=9,elf.y=11", "", 3, {"chip0.tensix(9,11).BRISC"});
  expect(file + ",elf.core=erisc", "", 3, {"chip0.ethernet(9,0)"});
  expect(file + ",elf.core=erisc,elf.y=15", "", 3, {"chip0.ethernet(4,6)"});
  expect(file + ",elf.device=2", "--system quad_ring", 3, {"chip"});
  expect(file + ",elf.x=8", "", 2, {"(8, 0)"});
  expect(file + ",elf.coordinates=noc0", "", 2, {"no core of that kind at NoC 0 (0, 0)"});
  expect(file + ",elf.core=erisc,elf.x=1", "", 2, {"elf.x"});
  expect(file + ",elf.core=erisc,elf.y=16", "", 2, {"16"});
  expect(file + ",elf.core=dsp", "", 2, {"elf.core", "trisc2"});
  expect(file + ",elf.device=1", "", 2, {"device 1"});
}

TEST_F(Elf, FilesThatCannotBeLoadedAreRefused) {
  const auto refused = [](const std::string& file, const std::string& core,
                          const std::vector<std::string>& parts) {
    expect("elf.file=" + file + ",elf.core=" + core, "", 2, parts);
  };
  EXPECT_EQ(execute(test::kProgram + " run elf").exit_code, 2);
  refused(path("none.elf"), "brisc", {"none.elf", "No such file"});
  refused(write("text.elf", "hello"), "brisc", {"text.elf", "not an ELF file"});
  refused(folder_name(), "brisc", {"is a directory"});
  refused(test::kProgram, "brisc", {"not a 32-bit little-endian RISC-V file"});
  const std::string pass = write("pass.S", ".globl _start\n_start:\n" + kPass + kToHost);
  const std::string script =
      "ENTRY(_start)\nSECTIONS { . = 0x1000; .text : { *(.text) } .data : { "
      "*(.data) } }\n";
  refused(link(pass, script, "-march=rv64im -mabi=lp64 -mcmodel=medany"), "brisc",
          {"not a 32-bit little-endian RISC-V file"});
  refused(link(pass, script, "-march=rv32imc -mabi=ilp32"), "trisc0",
          {".elf", "compressed instructions", "-march=rv32im"});
  // One that aligns with the option on, and has no such code, is none of these.
  const std::string aligned =
      assemble(".option push\n .option rvc\n .align 4\n .option pop\n" + kPass + kToHost);
  expect("elf.file=" + aligned + ",elf.core=trisc0", "", 0, {});
  refused(build(pass, {"0x80000000", "."}), "brisc",
          {".elf", "0x80000000", "outside the memories of chip0.tensix(1,1).BRISC"});
  refused(build(pass, {"0x1000", "0x16E000"}), "brisc", {"0x16e000"});
  refused(build(pass, {"0x1000", "0x40000"}), "erisc", {"0x40000"});
  refused(build(pass, {"0xFFC00000", "0x1000"}), "brisc", {"0xffc00000"});
  refused(build(pass, {"0x1000", "0xFFB00800"}), "trisc0", {"0xffb00800"});
  expect("elf.file=" + build(pass, {"0x1000", "0xFFB00800"}), "", 0, {});
  refused(build(pass, {"0xFFB00000", "0x1000"}), "brisc", {"entry 0xffb00000"});
  refused(build(pass, {"0x1000", "0x1004"}), "brisc", {"0x1000", "0x1004", "overlap"});
  refused(assemble("j _start\n"), "brisc", {"no symbol tohost"});
  refused(assemble(".globl tohost\n.equ tohost, 0xFFB20000\n" + kPass), "brisc",
          {"tohost 0xffb20000"});
  refused(link(pass, "ENTRY(nowhere)\nnowhere = 0x8000;\n" + script.substr(14)), "brisc",
          {"entry 0x8000"});
  expect("elf.file=" + build(pass) + ",elf.commitlog=" + folder_name() + "/no/log", "", 2,
         {"/no/log", "No such file"});
}

}  // namespace
}  // namespace tvp
