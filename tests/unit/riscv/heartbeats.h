#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/sleep_bench.h"

namespace tvp::riscv::heartbeats {

using namespace assembler;
using support::Cycle;
using support::kNever;
using support::Watch;

constexpr std::uint32_t kFlag = bench::kFlags;
constexpr std::uint32_t kCounts = 0x9000;  ///< words of L1 that loops of core 0 store
constexpr std::uint32_t kCode =
    0x1000;  ///< distance between the cores' code, and between their counts

struct Act {
  Cycle when;
  enum Kind { kLook, kFlagInL1, kFlagInRegister, kReset, kNothing } kind;
  std::uint32_t value;
};
/// Changes the flag, or inspects the first core's counts.
class Other : public bench::Script<Act> {
 public:
  using Script::Script;
  void start(std::vector<Act> acts) {
    seen.clear();
    Script::start(std::move(acts));
  }

  std::vector<std::uint32_t> seen;

 private:
  void act(const Act& a) override {
    if (a.kind == Act::kReset) {
      tile().cores[0]->assert_reset(a.when);
    } else if (a.kind == Act::kLook) {
      for (unsigned i = 0; i < 8; ++i) seen.push_back(tile().word(kCounts + 4 * i));
    } else if (a.kind != Act::kNothing) {
      write_flag(a.kind == Act::kFlagInL1, 0, a.value, a.when);
    }
  }
};

constexpr unsigned kCores = 4;

/// Several cores; those without a program stay in reset.
struct World : bench::SleepWorld<Other> {
  using SleepWorld::SleepWorld;
  unsigned used = 0;  ///< number of cores
  Core& core(unsigned i = 0) { return *tile.cores[i]; }
  std::uint64_t passed(Cycle now, unsigned i = 0) {
    return core(i).executed_instructions() + core(i).slept_instructions(now);
  }
  void start(const std::vector<Word>& program, bool sleep) { start_all({program}, sleep); }
  /// Core i executes program i from i * kCode on.
  void start_all(const std::vector<std::vector<Word>>& programs, bool sleep) {
    clear(4096);
    used = static_cast<unsigned>(programs.size());
    for (unsigned i = 0; i < kCores; ++i) core(i).assert_reset(0);
    for (unsigned i = 0; i < used; ++i) {
      tile.load(kCode * i, programs[i]);
      core(i).set_poll_sleep(sleep);
      core(i).set_counting_sleep(sleep);
    }
    for (unsigned i = 0; i < used; ++i) core(i).release_reset(i, kCode * i);
  }
  /// Does the same as Calendar::settle.
  void settle(Cycle now) {
    while (tile.scheduler.has_left()) {
      tile.scheduler.catch_up(now, 0);
      tile.run(now);
    }
  }
};

using Worlds = bench::Worlds<World>;
/// SystemC creates modules once per process.
inline Worlds& worlds() {
  using support::BusMaster;
  static Worlds w("heart", {{BusMaster::kE, "", 4096, 0},
                            {BusMaster::kB, "", 4096, 0},
                            {BusMaster::kNc, "", 4096, 0},
                            {BusMaster::kT1, "", 4096, 0}});
  return w;
}

/// Waits for the flag to become 1, 2, …, each time in a loop with another kind of count. x20 flag,
/// x21 register, x22 counts in L1, x23 counts in local RAM, x10 target.
/// With several cores, it also reads and writes the counts of others (x18) and changes what they
/// wait for. Some of its waits are plain polls.
class HeartbeatProgram {
 public:
  explicit HeartbeatProgram(unsigned seed, unsigned core = 0, unsigned cores = 1)
      : core_(core), cores_(cores), random_(seed) {}

  std::vector<Word> make(unsigned waits) {
    code_ = {lui(20, kFlag),
             lui(21, bench::Tile::kRegisters),
             lui(22, kCounts + kCode * core_),
             lui(23, Core::kLocalBase),
             addi(23, 23, 0x100),
             lui(19, 0xAABB0000),
             addi(25, 0, step()),
             addi(28, 0, static_cast<std::int32_t>(2 + pick(5))),
             addi(26, 0, -2 * step()),
             addi(16, 0, -3)};
    // Counters begin close to their wrap-around.
    for (unsigned i = 0; i < 8; ++i) {
      code_.push_back(sw(16, static_cast<std::int32_t>(4 * i), 22));
      code_.push_back(sw(16, static_cast<std::int32_t>(4 * i), 23));
    }
    for (unsigned i = 0; i < waits; ++i) {
      code_.push_back(addi(10, 10, 1));
      if (cores_ > 1) meddle();
      wait();
    }
    code_.push_back(lui(29, bench::Tile::kFifo));
    code_.push_back(lw(0, 0, 29));
    return code_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::int32_t step() { return static_cast<std::int32_t>(pick(4000)) - 2000; }
  std::int32_t place() { return static_cast<std::int32_t>(4 * pick(8)); }
  void add(Word word) { code_.push_back(word); }
  std::int32_t back_to(std::size_t top) const {
    return -4 * static_cast<std::int32_t>(code_.size() - top);
  }

  void beat() {
    const Word base = pick(2) ? 22 : 23;
    const std::int32_t at = place();
    switch (pick(8)) {
      case 0:  // a register whose low half is shown
        add(addi(26, 26, step()));
        add(slli(5, 26, 16));
        add(srli(5, 5, 16));
        add(or_(5, 5, 19));
        add(sw(5, at, base));
        break;
      case 1:  // a word of memory
        add(lw(5, at, base));
        add(addi(5, 5, step()));
        add(sw(5, at, base));
        break;
      case 2:  // half a word, and a byte: they wrap around at their width
        add(lhu(5, at, base));
        add(addi(5, 5, step()));
        add(sh(5, at, base));
        break;
      case 3:
        add(lb(5, at, base));
        add(addi(5, 5, 3));
        add(sb(5, at, base));
        break;
      case 4:  // with a step in a register
        add(lw(5, at, base));
        add(pick(2) ? add_(5, 25) : sub(5, 5, 25));
        add(sw(5, at, base));
        break;
      case 5:  // every Nth iteration
        add(addi(27, 27, 1));
        add(bne(27, 28, 20));
        add(addi(27, 0, 0));
        add(lw(5, at, base));
        add(addi(5, 5, 1));
        add(sw(5, at, base));
        break;
      case 6:  // two counts, one derived from the other
        add(addi(26, 26, 1));
        add(mul(6, 26, 26));
        add(sw(6, at, base));
        add(sw(26, place(), base == 22 ? 23 : 22));
        break;
      default:  // saved and restored around it, as in a function
        add(sw(26, 0x80, 23));
        add(addi(26, 0, 5));
        add(lw(5, at, base));
        add(add_(5, 26));
        add(sw(5, at, base));
        add(lw(26, 0x80, 23));
        break;
    }
  }
  /// A load or store of another core's count, or of a register.
  void touch(bool store) {
    const unsigned whose = (core_ + 1 + pick(cores_ - 1)) % cores_;
    add(lui(18, kCounts + kCode * whose));
    if (store) {
      add(pick(2) ? sw(10, place(), 18) : sh(10, place(), 18));
    } else {
      add(pick(2) ? lw(9, place(), 18) : lbu(9, place() + 1, 18));
      add(sw(9, 0x40 + place(), 22));
    }
  }
  void meddle() {
    for (unsigned n = pick(4); n > 0; --n) {
      add(addi(24, 0, static_cast<std::int32_t>(1 + pick(2000))));
      add(addi(24, 24, -1));
      add(bne(24, 0, -4));
      switch (pick(8)) {
        case 0:
          touch(true);
          break;
        case 1:  // a load that changes what others read
          add(lw(9, 0x1F8, 21));
          add(sw(9, 0x60, 22));
          break;
        case 2:  // a store that reads another core's count
          add(lui(9, kCounts + kCode * pick(cores_)));
          add(addi(9, 9, place()));
          add(sw(9, 0x1F4, 21));
          add(lw(9, 8, 21));
          add(sw(9, 0x64, 22));
          break;
        case 3:
          add(lw(9, 0, 20));
          add(addi(9, 9, 1));
          add(sw(9, 0, 20));
          break;
        default:
          touch(false);
          break;
      }
    }
  }
  static Word add_(Word rd, Word by) { return assembler::add(rd, rd, by); }

  void wait() {
    for (unsigned n = pick(4); n > 0; --n) add(nop());
    const std::size_t top = code_.size();
    const bool alone = cores_ == 1;
    for (unsigned n = alone ? 1 + pick(2) : pick(3); n > 0; --n) beat();
    if (!alone && pick(6) == 0) touch(false);
    for (unsigned n = pick(3); n > 0; --n) add(mul(7, 19, 25));
    add(pick(2) ? lw(8, 0, 20) : lw(8, 0, 21));
    if (pick(3) == 0) {  // through a function after the loop
      add(bgeu(8, 10, 16));
      add(jal(1, 8));
      add(jal(0, back_to(top)));
      add(jalr(0, 1, 0));
    } else {
      add(bltu(8, 10, back_to(top)));
    }
  }

  unsigned core_;
  unsigned cores_;
  std::mt19937 random_;
  std::vector<Word> code_;
};

}  // namespace tvp::riscv::heartbeats
