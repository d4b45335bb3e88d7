#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "foundation/fault.h"
#include "foundation/regs/tensix_opcodes.h"
#include "models/support/tile_scheduler.h"
#include "models/tensix/coprocessor/coprocessor.h"

namespace tvp::tensix::coprocessor::test {

namespace op = regs::tensix;
using support::kNever;

/// L1 with a port of 16 B per cycle and no other users.
class PlainL1 : public L1Port {
 public:
  static constexpr std::uint32_t kBytes = 1464 * 1024;
  struct Write {
    std::uint32_t address, bytes;
    Cycle when;
  };

  std::uint32_t size_bytes() const override { return kBytes; }
  std::uint8_t* bytes() override { return memory_.data(); }
  Cycle reserve(L1Client, std::uint32_t, std::uint32_t bytes, bool, unsigned, Cycle now) override {
    return now + (bytes + 15) / 16 + extra_wait;
  }
  Cycle reserve_rows(L1Client, const L1Rows& rows, unsigned, Cycle now) override {
    return now + rows.cycles(1) + extra_wait;
  }
  Cycle accumulate(L1Client, std::uint32_t, std::uint32_t bytes, unsigned cycles,
                   Cycle now) override {
    return now + (bytes + 15) / 16 * cycles + extra_wait;
  }
  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value;
    std::memcpy(&value, memory_.data() + address, 4);
    return value;
  }
  void set_word(std::uint32_t address, std::uint32_t value) {
    std::memcpy(memory_.data() + address, &value, 4);
  }

  std::vector<Write> writes;
  Cycle extra_wait = 0;

 private:
  void written(std::uint32_t address, std::uint32_t bytes, Cycle now, unsigned) override {
    writes.push_back({address, bytes, now});
  }
  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(kBytes);
};

/// A unit that records its instructions. By default an instruction occupies the unit for
/// `occupancy` cycles and is complete after `latency`.
class FakeUnit : public ExecutionUnit {
 public:
  struct Seen {
    std::uint32_t instruction;
    unsigned thread;
    Cycle when;
    bool operator==(const Seen& other) const {
      return instruction == other.instruction && thread == other.thread && when == other.when;
    }
  };
  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override {
    ++offers;
    if (blocked) return Issue::blocked();
    if (now < not_before) return Issue::retry_at(not_before);
    seen.push_back({instruction, thread, now});
    return Issue::started(now + occupancy, now + latency);
  }
  std::vector<Cycle> times() const {
    std::vector<Cycle> result;
    for (const Seen& each : seen) result.push_back(each.when);
    return result;
  }

  std::vector<Seen> seen;
  unsigned offers = 0;
  Cycle occupancy = 1;
  Cycle latency = 1;
  Cycle not_before = 0;
  bool blocked = false;
};

/// An agent that stands for the cores: actions at given cycles, and pushes that wait for room.
class Script : public support::Agent {
 public:
  using Action = std::function<bool(Cycle now)>;  ///< false: try again one cycle later

  void at(Cycle when, Action action) {
    actions_.push_back({when, sequence_++, std::move(action)});
    std::stable_sort(actions_.begin(), actions_.end(),
                     [](const Entry& a, const Entry& b) { return a.when < b.when; });
    if (actions_.front().when < next()) set_next(actions_.front().when);
  }
  void run() override {
    while (!actions_.empty() && may_act(actions_.front().when)) {
      Entry entry = actions_.front();
      actions_.erase(actions_.begin());
      const Cycle now = entry.when;
      if (!entry.action(now)) {
        // After all other actions of the next cycle, in program order.
        entry.when = now + 1;
        delay_later(entry);
        actions_.insert(actions_.begin(), entry);
      }
      set_next(actions_.empty() ? kNever : actions_.front().when);
    }
  }

 private:
  struct Entry {
    Cycle when;
    unsigned sequence;
    Action action;
  };
  void delay_later(const Entry& blocked) {
    for (Entry& each : actions_) each.when = std::max(each.when, blocked.when);
  }
  std::vector<Entry> actions_;
  unsigned sequence_ = 0;
};

enum class Units { kFake, kReal };

/// A coprocessor with three scripts instead of T cores, and fake or real units.
class Bench : private CoprocessorClient {
 public:
  explicit Bench(const char* name = "coprocessor", Units units = Units::kFake,
                 Generation generation = Generation::kWormhole)
      : coprocessor(name, "tile", l1, watch_hub, faults, *this, movement, config, generation) {
    scheduler.add(coprocessor.mover());
    scheduler.add(coprocessor.issue());
    for (Script& core : cores) scheduler.add(core);
    if (units == Units::kReal) return;
    coprocessor.backend().attach(Unit::kUnpacker0, unpacker0);
    coprocessor.backend().attach(Unit::kUnpacker1, unpacker1);
    coprocessor.backend().attach(Unit::kMatrix, matrix);
    coprocessor.backend().attach(Unit::kVector, vector);
    coprocessor.backend().attach(Unit::kPackers, packers);
  }

  /// Core `thread` stores the instructions from `when` on, one per cycle.
  void push(unsigned thread, Cycle when, const std::vector<std::uint32_t>& instructions) {
    for (const std::uint32_t instruction : instructions) {
      cores[thread].at(when++, [this, thread, instruction](Cycle now) {
        return coprocessor.issue().push(thread, instruction, now, cores[thread].order());
      });
    }
  }
  void at(unsigned thread, Cycle when, std::function<void(Cycle)> action) {
    cores[thread].at(when, [action = std::move(action)](Cycle now) {
      action(now);
      return true;
    });
  }
  support::MmioAccess mmio(support::MmioDevice& window, support::BusMaster master, bool write,
                           std::uint32_t offset, std::uint32_t data, Cycle now,
                           unsigned order = 2) {
    support::MmioAccess access{.write = write,
                               .offset = offset,
                               .data = data,
                               .master = master,
                               .now = now,
                               .order = order};
    window.access(access);
    return access;
  }
  /// Runs in one piece, or cycle by cycle.
  void run(Cycle end, bool lockstep = false) {
    if (!lockstep) {
      scheduler.run(end);
      return;
    }
    for (Cycle horizon = 1; horizon <= end; ++horizon) scheduler.run(horizon);
  }

  PlainL1 l1;
  support::WatchHub watch_hub;
  foundation::StopOnFault faults;
  MovementConfig movement;
  CoprocessorConfig config;
  Coprocessor coprocessor;
  support::TileScheduler scheduler;
  Script cores[3];
  FakeUnit unpacker0, unpacker1, matrix, vector, packers;
  std::vector<std::uint32_t> invalidated;
  std::vector<std::uint8_t> instruction_ram = std::vector<std::uint8_t>(16384);

 private:
  void invalidate_instruction_caches(std::uint32_t mask, Cycle) override {
    invalidated.push_back(mask);
  }
  void write_instruction_ram(std::uint32_t offset, const std::uint8_t* data, Cycle) override {
    std::memcpy(instruction_ram.data() + offset, data, 16);
  }
};

inline std::uint32_t nop() { return op::encode_nop(); }
inline std::uint32_t mvmul(unsigned row = 0) { return op::encode_mvmul(0, 0, 0, 0, row); }
inline std::uint32_t sfpnop() { return op::encode_sfpnop(); }
inline std::uint32_t unpacr(unsigned which) {
  return op::encode_unpacr(which, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
inline std::uint32_t pacr(unsigned mask) { return op::encode_pacr(0, 0, mask, 0, 0, 0, 1); }

}  // namespace tvp::tensix::coprocessor::test
