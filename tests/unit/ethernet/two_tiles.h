#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "foundation/regs/ethernet.h"
#include "models/ethernet/ethernet_queues.h"
#include "models/ethernet/link.h"
#include "models/ethernet/mac_pcs.h"
#include "models/support/calendar.h"
#include "models/support/tile_scheduler.h"
#include "models/tensix/tile/l1.h"
#include "models/tensix/tile/tile_bus.h"

namespace tvp::ethernet::test {

using support::Cycle;

/// Stands for the core: makes bus accesses in order, each at its cycle or later.
class Script : public sc_core::sc_module, public support::Agent {
 public:
  BusInitiator bus;

  explicit Script(const sc_core::sc_module_name& name)
      : sc_module(name), bus("bus", support::BusMaster::kE) {}

  void write(Cycle not_before, std::uint32_t address, std::uint32_t data) {
    steps_.push_back({Step::kWrite, not_before, address, data});
  }
  /// Reads every `kPollCycles` until the value is `data`.
  void poll(Cycle not_before, std::uint32_t address, std::uint32_t data) {
    steps_.push_back({Step::kPoll, not_before, address, data});
  }
  void read(Cycle not_before, std::uint32_t address) {
    steps_.push_back({Step::kRead, not_before, address, 0});
  }
  /// The store sequence of a transfer, one store per cycle, once the queue is free.
  void send(Cycle not_before, std::uint32_t txq, std::uint32_t command, std::uint32_t source,
            std::uint32_t destination, std::uint32_t bytes);
  void start() {
    if (!steps_.empty()) set_next(steps_.front().not_before);
  }
  void run() override;

  struct Observed {
    Cycle when;
    std::uint32_t value;
  };
  std::vector<Observed> observed;  ///< one for each read and each finished poll

 private:
  static constexpr Cycle kPollCycles = 3;
  struct Step {
    enum Kind { kWrite, kPoll, kRead } kind;
    Cycle not_before;
    std::uint32_t address;
    std::uint32_t data;
  };
  std::vector<Step> steps_;
  std::size_t at_ = 0;
};

/// An ethernet tile around its queues: L1, bus, queues and a script.
struct Tile : sc_core::sc_module {
  Tile(const sc_core::sc_module_name& name, const EthernetConfig& config,
       foundation::FaultPolicy& faults);

  support::WatchHub watch_hub;
  tensix::L1 l1;
  tensix::TileBus bus;
  EthernetQueues queues;
  MacPcs mac;
  Script e;
  support::TileScheduler scheduler;
};

/// Two such tiles on two chips, joined by a link.
struct TwoTiles : sc_core::sc_module {
  explicit TwoTiles(const sc_core::sc_module_name& name);

  /// Starts both scripts and runs the chips in windows that the link permits.
  void run(Cycle end, Cycle window = 0);

  EthernetConfig config;
  foundation::StopOnFault faults;
  std::array<support::Calendar, 2> calendar;
  Tile a, b;
  Link link;
};

}  // namespace tvp::ethernet::test
