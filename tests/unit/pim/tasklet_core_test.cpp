// The core with tasklets through its socket, the unit's bus. Times of instructions follow PrIM's
// rule by hand: one instruction a cycle, 11 cycles between two of a tasklet. The DMA engine takes
// 77 and 61 cycles and moves two bytes a cycle.

#include "models/pim/tasklets/tasklet_core.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <string>
#include <vector>

#include "models/pim/unit/unit_bus.h"
#include "models/pim/unit/unit_control.h"
#include "models/support/tile_scheduler.h"
#include "tests/support/child_output.h"
#include "tests/support/fault_of.h"

namespace tvp::pim::tasklet_core_test {
namespace {

namespace regs = tvp::regs::pim;
using support::Cycle;
using Words = std::vector<std::uint32_t>;

constexpr Cycle kStart = 1000;
// Registers of the programs.
enum Register : std::uint32_t { kZero, kOwn, kControl, kT0, kT1, kT2, kT3 };

// Instructions.
std::uint32_t immediate(std::uint32_t funct3, std::uint32_t rd, std::uint32_t rs1, int imm,
                        std::uint32_t opcode = 0x13) {
  return static_cast<std::uint32_t>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
std::uint32_t addi(std::uint32_t rd, std::uint32_t rs1, int imm) {
  return immediate(0, rd, rs1, imm);
}
std::uint32_t lw(std::uint32_t rd, std::uint32_t rs1, int imm) {
  return immediate(2, rd, rs1, imm, 0x03);
}
std::uint32_t sw(std::uint32_t rs2, std::uint32_t rs1, int imm) {
  const auto u = static_cast<std::uint32_t>(imm);
  return (u >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | 2U << 12 | (u & 31) << 7 | 0x23;
}
std::uint32_t branch(std::uint32_t funct3, std::uint32_t rs1, std::uint32_t rs2, int words) {
  const auto u = static_cast<std::uint32_t>(4 * words);
  return (u >> 12 & 1) << 31 | (u >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
         (u >> 1 & 15) << 8 | (u >> 11 & 1) << 7 | 0x63;
}
std::uint32_t bne(std::uint32_t rs1, std::uint32_t rs2, int words) {
  return branch(1, rs1, rs2, words);
}
std::uint32_t beq(std::uint32_t rs1, std::uint32_t rs2, int words) {
  return branch(0, rs1, rs2, words);
}
std::uint32_t lui(std::uint32_t rd, std::uint32_t value) { return value | rd << 7 | 0x37; }
/// M extension: 0 is mul, 4 is div.
std::uint32_t long_operation(std::uint32_t funct3, std::uint32_t rd, std::uint32_t rs1,
                             std::uint32_t rs2) {
  return 1U << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}
std::uint32_t move(std::uint32_t direction, std::uint32_t wram, std::uint32_t bank,
                   std::uint32_t bytes) {
  return bytes << 27 | bank << 20 | wram << 15 | direction << 12 | regs::tasklet::kMoveOpcode;
}
/// The first two instructions of all programs.
Words begin() { return {lui(kOwn, regs::kTasklets), lui(kControl, regs::kControl)}; }
std::uint32_t exit() { return sw(kZero, kControl, regs::control::kExit); }
std::uint32_t own(std::uint32_t offset, std::uint32_t rs2 = kZero) {
  return sw(rs2, kOwn, static_cast<int>(offset));
}

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Words& operator+=(Words& a, const Words& b) { return a = std::move(a) + b; }

/// A core with its bus, WRAM and DMA engine.
struct Bench : sc_core::sc_module, ExitClient {
  using Settings = std::vector<std::pair<std::string, std::string>>;

  Bench(const sc_core::sc_module_name& name, const Settings& settings) : sc_module(name) {
    const auto set = [&](const std::string& key, const std::string& value) {
      for (foundation::SettingBase* setting : config.settings())
        if (setting->info().name == key) setting->set(value);
    };
    for (const auto& [key, value] :
         {std::pair{"tasklets", "24"}, {"dma_setup_cycles", "58"}, {"dma_read_more_cycles", "16"}})
      set(key, value);
    for (const auto& [key, value] : settings) set(key, value);
    core = std::make_unique<TaskletCore>("core", "unit0", config, wram, dma, faults);
    core->bus.bind(bus.tasklets);
    other.bind(bus.core);
    bus.map(UnitBus::Window::kControl, control);
    scheduler.add(dma);
    scheduler.add(*core);
    bank.set_owner(dram::BankOwner::kProcessor, 0);
    calendar.run_until(kStart);
  }
  void exited(std::uint32_t, Cycle now) override {
    ended = now;
    core->halt();
  }
  /// Runs a program to its end. Returns the cycles from its first instruction to its last one, or 0
  /// if it does not end.
  Cycle run(const Words& program) {
    core->write_iram(0, reinterpret_cast<const std::uint8_t*>(program.data()),
                     static_cast<std::uint32_t>(4 * program.size()));
    const Cycle first = calendar.now();
    core->start(first, regs::kIram);
    calendar.tile_woken(tile);
    for (Cycle limit = first; ended == 0 && limit < first + 200000; limit += 1000)
      calendar.run_until(limit);
    return ended == 0 ? 0 : ended - first;
  }
  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::copy_n(wram.bytes() + address, 4, reinterpret_cast<std::uint8_t*>(&value));
    return value;
  }

  foundation::StopOnFault faults;
  PimConfig config;
  support::Calendar calendar{lookahead(config)};
  support::TileScheduler scheduler;
  support::WatchHub watch_hub;
  Wram wram{watch_hub};
  dram::ActivationWindow window{dram::find_preset("ddr4_2400")->timing};
  dram::BankPort bank{*dram::find_preset("ddr4_2400"), window, "bank0", faults};
  const unsigned tile = calendar.add_tile(scheduler);
  DmaEngine dma{"unit0", 0, config, bank, wram, calendar, tile, watch_hub, faults};
  UnitBus bus{"bus", wram, 350};
  tlm_utils::simple_initiator_socket<Bench> other{"other"};  ///< the core without tasklets
  UnitControl control{0, 1, 16, *this};
  std::unique_ptr<TaskletCore> core;
  Cycle ended = 0;
};

using Settings = Bench::Settings;

/// Runs a program in a process, since SystemC creates modules once. Returns what `look` sees at the
/// end, or the text of the fault.
template <typename Look>
std::string run(const Words& program, const Settings& settings, Look&& look) {
  return test::output_of_child([&]() -> std::string {
           try {
             Bench bench("bench", settings);
             sc_core::sc_start(sc_core::SC_ZERO_TIME);  // binds the sockets
             const Cycle time = bench.run(program);
             return look(bench, time);
           } catch (const foundation::Fault& fault) {
             return fault.what();
           }
         })
      .text;
}

Cycle time_of(const Words& program, const Settings& settings = {}) {
  const std::string text =
      run(program, settings, [](Bench&, Cycle time) { return std::to_string(time); });
  EXPECT_NE(text, "0") << "does not end";
  return std::stoull(text);
}

/// Words of WRAM at the end, from address 16 on.
std::string words_of(const Words& program, unsigned count) {
  return run(program, {}, [&](Bench& bench, Cycle) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i == 0 ? "" : " ") + std::to_string(bench.word(16 + 4 * i));
    return text;
  });
}

TEST(TaskletCore, ATaskletHasAnInstructionEvery11Cycles) {
  const Words nops(20, addi(kT0, kT0, 1));
  EXPECT_EQ(time_of(begin() + nops + Words{exit()}), 22 * 11U);
  EXPECT_EQ(time_of(begin() + nops + Words{exit()}, {{"dispatch_cycles", "4"}}), 22 * 4U);
}

/// `tasklets` that each execute 100 rounds of a loop of four instructions, and meet.
Words loops(unsigned tasklets) {
  Words program = begin();
  program += {lw(kT0, kOwn, regs::tasklet::kId)};
  // Tasklet 0 starts the others.
  program += {bne(kT0, kZero, 7),
              addi(kT1, kZero, 1),
              addi(kT2, kZero, static_cast<int>(tasklets)),
              beq(kT1, kT2, 4),
              own(regs::tasklet::kStart, kT1),
              addi(kT1, kT1, 1),
              bne(kT1, kT2, -2)};
  program += {addi(kT3, kZero, 100)};
  program += {addi(kT1, kT1, 3), addi(kT2, kT2, 5), addi(kT3, kT3, -1), bne(kT3, kZero, -3)};
  program += {own(regs::tasklet::kMeet), beq(kT0, kZero, 2), own(regs::tasklet::kStop), exit()};
  return program;
}

// 400 instructions of each tasklet: 11 cycles each up to 11 tasklets, then as many cycles as there
// are tasklets. Start and end are a few dozen instructions.
TEST(TaskletCore, ElevenTaskletsFillThePipeline) {
  const auto time = [](unsigned tasklets) { return static_cast<double>(time_of(loops(tasklets))); };
  const double one = time(1);
  EXPECT_NEAR(one, 400 * 11, 20 * 11);
  EXPECT_NEAR(time(2), 400 * 11, 30 * 11);
  EXPECT_NEAR(time(11), 400 * 11, 60 * 11);
  EXPECT_NEAR(time(16), 400 * 16, 80 * 11);
  EXPECT_NEAR(time(24), 400 * 24, 100 * 11);
}

TEST(TaskletCore, TaskletsHaveTheirOwnRegisters) {
  // Each tasklet stores its number at 4 x number, from a register that the others write too.
  Words program = begin();
  program +=
      {lw(kT0, kOwn, regs::tasklet::kId), bne(kT0, kZero, 5), addi(kT1, kZero, 1),
       own(regs::tasklet::kStart, kT1),   addi(kT1, kT1, 1),  own(regs::tasklet::kStart, kT1)};
  program += {addi(kT1, kT0, 40),        own(regs::tasklet::kMeet),
              immediate(1, kT2, kT0, 2), sw(kT1, kT2, 16),
              own(regs::tasklet::kMeet), beq(kT0, kZero, 2),
              own(regs::tasklet::kStop), exit()};
  EXPECT_EQ(words_of(program, 3), "40 41 42");
}

/// One transfer of `bytes`, then the end. Its time is that until the next instruction.
Cycle transfer(std::uint32_t direction, int bytes) {
  const Words program = begin() + Words{addi(kT0, kZero, bytes), addi(kT1, kZero, 64),
                                        move(direction, kT1, kZero, kT0), exit()};
  return time_of(program) - 4 * 11U;
}

// PrIM, section 3.2.1. Short transfers wait for the row of the bank as well.
TEST(TaskletCore, TransfersTakeThePublishedTimes) {
  for (const int bytes : {128, 512, 1024, 2040}) {
    const auto half = static_cast<Cycle>(bytes / 2);
    EXPECT_NEAR(static_cast<double>(transfer(regs::tasklet::kMoveRead, bytes)),
                static_cast<double>(77 + half), 1);
    EXPECT_NEAR(static_cast<double>(transfer(regs::tasklet::kMoveWrite, bytes)),
                static_cast<double>(61 + half), 1);
  }
  EXPECT_NEAR(static_cast<double>(transfer(regs::tasklet::kMoveRead, 8)), 77 + 4, 9);
  EXPECT_NEAR(static_cast<double>(transfer(regs::tasklet::kMoveWrite, 8)), 61 + 4, 9);
}

// The engine serves one transfer after the other, so the fixed parts of two add up. Only the
// instructions overlap.
TEST(TaskletCore, TransfersOfTwoTaskletsFollowEachOther) {
  Words program = begin();
  program += {lw(kT0, kOwn, regs::tasklet::kId), bne(kT0, kZero, 3), addi(kT1, kZero, 1),
              own(regs::tasklet::kStart, kT1)};
  program += {addi(kT1, kZero, 1024),    move(regs::tasklet::kMoveRead, kZero, kZero, kT1),
              own(regs::tasklet::kMeet), beq(kT0, kZero, 2),
              own(regs::tasklet::kStop), exit()};
  const double one = 77 + 512;
  EXPECT_NEAR(static_cast<double>(time_of(program)), 2 * one, 12 * 11);
}

// While 2040 bytes arrive, the engine takes one of four cycles of WRAM. Loads that meet it wait.
TEST(TaskletCore, LoadsWaitForTheDmaEngineAtWram) {
  Words program = begin();
  program += {lw(kT0, kOwn, regs::tasklet::kId), bne(kT0, kZero, 4), addi(kT1, kZero, 1),
              own(regs::tasklet::kStart, kT1), addi(kT3, kZero, 0)};
  program += {addi(kT1, kZero, 2040), bne(kT0, kZero, 3),
              move(regs::tasklet::kMoveRead, kZero, kZero, kT1), beq(kZero, kZero, 5)};
  // Tasklet 1: 100 rounds of a load and a branch.
  program += {addi(kT2, kZero, 100), lw(kT1, kZero, 64), addi(kT2, kT2, -1), bne(kT2, kZero, -2)};
  program += {own(regs::tasklet::kMeet), beq(kT0, kZero, 2), own(regs::tasklet::kStop), exit()};
  const auto waits = [&](const char* port) {
    return std::stoi(run(program, {{"wram_port", port}}, [](Bench& bench, Cycle) {
      return std::to_string(bench.core->stats().port_waits);
    }));
  };
  // About 30 of 100 loads fall into the 1020 cycles, and a quarter of them meet the engine.
  EXPECT_GT(waits("shared"), 3);
  EXPECT_LT(waits("shared"), 20);
  EXPECT_EQ(waits("separate"), 0);
}

TEST(TaskletCore, MultiplicationsTakeSteps) {
  const auto time = [](int a, int b, std::uint32_t operation, const char* steps = "true") {
    const Words program = begin() + Words{addi(kT0, kZero, a), addi(kT1, kZero, b),
                                          long_operation(operation, kT2, kT0, kT1), exit()};
    return time_of(program, {{"multiply_steps", steps}}) - 4 * 11U;
  };
  EXPECT_EQ(time(1000, 1, 0), (7 + 1) * 11U);
  EXPECT_EQ(time(255, 1000, 0), (7 + 8) * 11U);
  EXPECT_EQ(time(0, 1000, 0), (7 + 1) * 11U);
  EXPECT_EQ(time(-3, 1000, 0), (7 + 10) * 11U);
  EXPECT_EQ(time(-3, -1, 0), (7 + 32) * 11U);
  EXPECT_EQ(time(1000, 3, 4), 32 * 11U);
  EXPECT_EQ(time(1000, 3, 4, "false"), 11U);
  EXPECT_EQ(time(255, 1000, 0, "false"), 11U);
}

std::string error_of(const Words& program) {
  return run(begin() + program + Words{exit()}, {},
             [](Bench&, Cycle) { return std::string("no fault"); });
}

TEST(TaskletCore, FaultsNameTheTasklet) {
  EXPECT_EQ(error_of({addi(kT0, kZero, 24), own(regs::tasklet::kStart, kT0)}),
            "unit0: tasklet 0 at pc 0xffc0000c: starts tasklet 24: expected one of 0 to 23 "
            "(pim.tasklets)");
  EXPECT_EQ(error_of({own(regs::tasklet::kStart, kZero)}),
            "unit0: tasklet 0 at pc 0xffc00008: starts tasklet 0, which runs");
  EXPECT_EQ(error_of({own(regs::tasklet::kMutex)}),
            "unit0: tasklet 0 at pc 0xffc00008: frees mutex 0, which it does not hold");
  EXPECT_EQ(error_of({lw(kT0, kZero, 2)}),
            "unit0: tasklet 0 at pc 0xffc00008: load of 4 bytes at 0x2: expected a multiple");
  EXPECT_EQ(error_of({own(0x20)}),
            "unit0: tasklet 0 at pc 0xffc00008: store to the register 0xffb14020: there is none");
  EXPECT_EQ(error_of({addi(kT0, kZero, 2047), addi(kT0, kT0, 9),
                      move(regs::tasklet::kMoveRead, kZero, kZero, kT0)}),
            "unit0: tasklet 0 at pc 0xffc00010: moves 2056 bytes: expected at most 2048");
  EXPECT_NE(error_of({addi(kT0, kZero, 4), move(regs::tasklet::kMoveRead, kZero, kZero, kT0)})
                .find("unit0: tasklet 0 at pc 0xffc0000c moves 4 bytes"),
            std::string::npos);
  EXPECT_NE(error_of({0x0000700B}).find("instruction 0x700b"), std::string::npos);
  EXPECT_NE(error_of({lw(kT0, kControl, 0x400)}).find("load of the register 0xffb10400"),
            std::string::npos);
}

// A mutex has one holder. The second reader gets 0 until the first one frees it.
TEST(TaskletCore, MutexesHaveOneHolder) {
  Words program = begin();
  program += {lw(kT0, kOwn, regs::tasklet::kMutex), lw(kT1, kOwn, regs::tasklet::kMutex),
              own(regs::tasklet::kMutex), lw(kT2, kOwn, regs::tasklet::kMutex)};
  program += {sw(kT0, kZero, 16), sw(kT1, kZero, 20), sw(kT2, kZero, 24), exit()};
  EXPECT_EQ(words_of(program, 3), "1 0 1");
}

TEST(TaskletCore, MoreThan24AreRefused) {
  PimConfig config;
  EXPECT_EQ(test::fault_of([&] { config.tasklets.set("25"); }),
            "tasklets = '25': expected an integer 0..24");
}

}  // namespace
}  // namespace tvp::pim::tasklet_core_test
