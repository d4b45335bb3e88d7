// Loops that become polls after they have been translated must fall asleep as interpreted ones do.
#include <gtest/gtest.h>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::block_polls_test {
namespace {

using namespace assembler;
using support::Cycle;

constexpr std::uint32_t kFlag = 0x4000;
constexpr Cycle kEnd = 40'000;

struct World {
  CoreConfig config;
  foundation::StopOnFault faults;
  bench::Tile tile{"polling", 64 * 1024};
  Core& core = tile.add_core({support::BusMaster::kT1, "", 4096, 0}, config, faults);
  World() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};
World& world() {
  static World w;
  return w;
}

struct Outcome {
  CoreState state;
  Cycle time;
  std::uint32_t pc;
  std::uint64_t executed;
  std::uint64_t slept;
  bool operator==(const Outcome&) const = default;
};
void PrintTo(const Outcome& o, std::ostream* out) {
  *out << "state " << static_cast<int>(o.state) << ", time " << o.time << ", pc " << o.pc << ", "
       << o.executed << " executed, " << o.slept << " slept through";
}

struct Ran {
  Outcome outcome;
  std::uint64_t translated;
};

/// Runs in windows of `window` cycles; 0: in one piece.
Ran run(const std::vector<Word>& code, const char* blocks, Cycle window) {
  World& w = world();
  w.config.block_timing.set(blocks);
  std::fill(w.tile.l1.begin(), w.tile.l1.end(), std::uint8_t{0});
  w.tile.load(0, code);
  const std::vector<std::uint8_t> zeros(4096);
  w.core.debug_write(Core::kLocalBase, zeros.data(), 4096);
  const std::uint64_t executed = w.core.executed_instructions();
  const std::uint64_t slept = w.core.slept_instructions(0);
  const std::uint64_t translated = w.core.translated_instructions();
  w.core.release_reset(0, 0);
  for (Cycle now = 0; now < kEnd;) {
    now = window == 0 ? kEnd : std::min(kEnd, now + window);
    w.tile.run(now);
  }
  const Ran ran{
      {w.core.state(), w.core.state() == CoreState::kRunning ? w.core.time() : 0, w.core.pc(),
       w.core.executed_instructions() - executed, w.core.slept_instructions(kEnd) - slept},
      w.core.translated_instructions() - translated};
  w.core.assert_reset(kEnd);
  return ran;
}

struct Loop {
  const char* name;
  CoreState ends;
  std::vector<Word> code;
};

constexpr std::int32_t kDirtyTurns = 300;

/// x20 L1, x23 local data RAM, x5 iterations that change something.
std::vector<Word> begin() {
  return {lui(20, kFlag), lui(23, Core::kLocalBase), addi(5, 0, kDirtyTurns)};
}
/// Decrements x5 to zero, where it stays.
void count_down(std::vector<Word>& code) { code.insert(code.end(), {sltu(7, 0, 5), sub(5, 5, 7)}); }
std::int32_t back_to(std::size_t top, const std::vector<Word>& code) {
  return -4 * static_cast<std::int32_t>(code.size() - top);
}

/// A single block that stores the value that is already there.
Loop stores_the_same(const char* name, Word (*store)(Word, std::int32_t, Word)) {
  std::vector<Word> code = begin();
  const std::size_t top = code.size();
  code.push_back(lw(6, 0, 20));
  count_down(code);
  code.push_back(store(5, 0, 23));
  code.push_back(beq(6, 0, back_to(top, code)));
  return {name, CoreState::kSleepingOnPoll, code};
}

/// The load and the jump back are in different blocks.
Loop in_two_blocks() {
  std::vector<Word> code = begin();
  const std::size_t top = code.size();
  code.push_back(lw(6, 0, 20));
  code.push_back(bne(6, 0, 24));
  count_down(code);
  code.push_back(sw(5, 0, 23));
  code.push_back(beq(0, 0, back_to(top, code)));
  return {"in_two_blocks", CoreState::kSleepingOnPoll, code};
}

/// Iterations alternate between L1 and local data RAM.
Loop of_varying_places(bool stores) {
  std::vector<Word> code = begin();
  const std::size_t top = code.size();
  code.push_back(lw(6, 0, 20));
  count_down(code);
  code.insert(code.end(),
              {andi(8, 5, 1), sub(8, 0, 8), xor_(9, 20, 23), and_(9, 9, 8), xor_(9, 9, 23)});
  code.push_back(stores ? sw(5, 64, 9) : lw(10, 64, 9));
  code.push_back(sw(5, 0, 23));
  code.push_back(beq(6, 0, back_to(top, code)));
  return {stores ? "stores_vary" : "loads_vary", CoreState::kSleepingOnPoll, code};
}

/// Jumps back through a register.
Loop back_indirectly() {
  std::vector<Word> code = begin();
  const std::size_t top = code.size() + 1;
  code.push_back(addi(10, 0, static_cast<std::int32_t>(4 * top)));
  code.push_back(lw(6, 0, 20));
  count_down(code);
  code.push_back(sw(5, 0, 23));
  code.push_back(addi(9, 6, 0));
  code.push_back(jalr(0, 10, 0));
  return {"back_indirectly", CoreState::kSleepingOnPoll, code};
}

/// Jumps back through a register and a mispredicted jump: there are two paths.
Loop back_two_ways() {
  std::vector<Word> code = begin();
  const std::size_t top = code.size() + 1;
  code.push_back(addi(10, 0, static_cast<std::int32_t>(4 * top)));
  code.push_back(lw(6, 0, 20));
  code.push_back(nop());
  count_down(code);
  code.push_back(sw(5, 0, 23));
  code.insert(code.end(), {andi(8, 5, 1), slli(8, 8, 2), add(8, 8, 10)});
  code.push_back(jalr(0, 8, 0));
  return {"back_two_ways", CoreState::kSleepingOnPoll, code};
}

/// Jumps forward through a register and back at the end.
Loop forward_indirectly() {
  std::vector<Word> code = begin();
  const std::size_t top = code.size();
  code.push_back(lw(6, 0, 20));
  count_down(code);
  code.push_back(sw(5, 0, 23));
  code.push_back(auipc(10, 0));
  code.push_back(jalr(0, 10, 12));
  code.push_back(nop());
  code.push_back(beq(6, 0, back_to(top, code)));
  return {"forward_indirectly", CoreState::kSleepingOnPoll, code};
}

/// Jumps through a register to the jump itself once the count is done.
Loop to_itself() {
  std::vector<Word> code = begin();
  const std::size_t top = code.size() + 1;
  code.push_back(addi(10, 0, static_cast<std::int32_t>(4 * top)));
  count_down(code);
  code.push_back(sw(5, 0, 23));
  code.insert(code.end(), {sltiu(8, 5, 1), addi(9, 0, 4 * 9), mul(8, 8, 9), add(8, 8, 10)});
  const std::size_t jump = code.size();
  code.push_back(jalr(0, 8, 0));
  // The added offset leads from `top` to the jump.
  code[jump - 3] = addi(9, 0, static_cast<std::int32_t>(4 * (jump - top)));
  return {"to_itself", CoreState::kSpinning, code};
}

/// Each iteration changes something after a forward jump.
Loop never() {
  std::vector<Word> code = begin();
  const std::size_t top = code.size();
  code.push_back(lw(6, 0, 20));
  code.push_back(lw(8, 0, 23));
  code.push_back(xori(8, 8, 1));
  code.push_back(sw(8, 0, 23));
  code.push_back(auipc(10, 0));
  code.push_back(jalr(0, 10, 8));
  code.push_back(lw(11, 4, 20));
  code.push_back(beq(6, 0, back_to(top, code)));
  return {"never", CoreState::kRunning, code};
}

class Becoming : public testing::TestWithParam<Loop> {};

TEST_P(Becoming, APoll) {
  const Ran expected = run(GetParam().code, "off", 0);
  EXPECT_EQ(expected.outcome.state, GetParam().ends);
  for (const char* const blocks : {"interpreted", "on", "always"}) {
    for (const Cycle window : {Cycle{0}, Cycle{333}, Cycle{17}}) {
      SCOPED_TRACE(std::string(blocks) + " in windows of " + std::to_string(window));
      const Ran ran = run(GetParam().code, blocks, window);
      EXPECT_EQ(ran.outcome, expected.outcome);
#if defined(__x86_64__) && defined(__linux__)
      if (std::string(blocks) == "always" && window == 0) {
        EXPECT_GT(ran.translated, kDirtyTurns * 3U);
      }
#endif
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Loops, Becoming,
                         testing::Values(stores_the_same("words_are_the_same", sw),
                                         stores_the_same("halves_are_the_same", sh),
                                         stores_the_same("bytes_are_the_same", sb), in_two_blocks(),
                                         of_varying_places(false), of_varying_places(true),
                                         back_indirectly(), back_two_ways(), forward_indirectly(),
                                         to_itself(), never()),
                         [](const auto& loop) { return std::string(loop.param.name); });

}  // namespace
}  // namespace tvp::riscv::block_polls_test
