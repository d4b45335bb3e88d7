#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/support/tile_scheduler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::bench {

/// Locations that cores wait for in sleep tests: words of L1, and registers with the same numbers.
constexpr std::uint32_t kFlags = 0x8000;

/// Executes a list of acts, each at its cycle, in the tile's order. An act has `when`.
template <typename Act>
class Script : public support::Agent {
 public:
  explicit Script(Tile& tile) : tile_(tile) {}
  void start(std::vector<Act> acts) {
    acts_ = std::move(acts);
    at_ = 0;
    set_next(acts_.empty() ? support::kNever : acts_[0].when);
  }
  void run() override {
    while (at_ < acts_.size() && may_act(acts_[at_].when)) act(acts_[at_++]);
    set_next(at_ < acts_.size() ? acts_[at_].when : support::kNever);
  }

 protected:
  Tile& tile() { return tile_; }
  void write_flag(bool in_l1, unsigned flag, std::uint32_t value, support::Cycle when) {
    if (in_l1) {
      std::memcpy(tile_.l1.data() + kFlags + 4 * flag, &value, 4);
      tile_.watches.l1_written(kFlags + 4 * flag, 4, when, order());
    } else {
      tile_.registers[flag] = value;
      tile_.watches.changed(support::Watch::kTileControl, when, order());
    }
  }

 private:
  virtual void act(const Act& act) = 0;

  Tile& tile_;
  std::vector<Act> acts_;
  std::size_t at_ = 0;
};

/// Cores between two scripts, so that both orders of a tie occur.
template <typename Script>
struct SleepWorld {
  Tile tile;
  Script first{tile};
  Script last{tile};
  SleepWorld(const std::string& name, const std::vector<Identity>& cores, CoreConfig& config,
             foundation::FaultPolicy& faults)
      : tile(name.c_str(), 64 * 1024) {
    tile.scheduler.add(first);
    for (const Identity& core : cores) tile.add_core(core, config, faults);
    tile.scheduler.add(last);
  }
  /// Clears memory, registers and `local_bytes` of each core's local RAM.
  void clear(std::uint32_t local_bytes) {
    std::fill(tile.l1.begin(), tile.l1.end(), std::uint8_t{0});
    std::fill(std::begin(tile.registers), std::end(tile.registers), 0U);
    const std::vector<std::uint8_t> zeros(local_bytes);
    for (Core* core : tile.cores) core->debug_write(Core::kLocalBase, zeros.data(), local_bytes);
  }
};

/// A world whose cores sleep, and one whose cores execute every poll.
template <typename World>
struct Worlds {
  CoreConfig config;
  foundation::StopOnFault faults;
  World sleeping;
  World executing;
  Worlds(const std::string& name, const std::vector<Identity>& cores)
      : sleeping(name + "_sleeping", cores, config, faults),
        executing(name + "_executing", cores, config, faults) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

}  // namespace tvp::riscv::bench
