#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "foundation/hex.h"
#include "platform/checks/check.h"
#include "platform/checks/tile_checks.h"

namespace tvp::checks {

/// The tile (1,2) of chip 0 with its cores and NIUs, for tests of checks. Code below kFirmwareEnd
/// is firmware. Code from kOnePacket on is a function that counts one packet.
class CheckBench : public CodeNames,
                   public foundation::FaultPolicy,
                   public foundation::WarningSink {
 public:
  static constexpr std::uint32_t kFirmwareEnd = 0x4000, kOnePacket = 0x9000;

  CheckBench() {
    static constexpr const char* kNames[] = {"BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2"};
    for (unsigned i = 0; i < 5; ++i)
      tile.cores.push_back(
          {static_cast<BusMaster>(i), i, tile.where + "." + std::string(kNames[i])});
  }

  // CodeNames
  std::string describe(const CodeOwner& core, std::uint32_t address,
                       support::Cycle) const override {
    return "line " + foundation::hex(address) + " of core " + std::to_string(core.number);
  }
  bool is_of(const std::string& function, const CodeOwner&, std::uint32_t address) const override {
    return function == "noc_send_one_packet" && address >= kOnePacket;
  }
  bool is_of_first(const CodeOwner&, std::uint32_t address) const override {
    return address < kFirmwareEnd;
  }
  void raise(const foundation::Fault& fault) override { faults.emplace_back(fault.what()); }
  void warn(const foundation::Fault& fault) override { warnings.emplace_back(fault.what()); }

  std::vector<std::string> faults, warnings;
  TileContext tile{.x = 1,
                   .y = 2,
                   .where = "chip0.tensix(1,2)",
                   .names = *this,
                   .faults = *this,
                   .warnings = *this};
};

/// A check without a record. It sees the events of its kinds() that a test feeds.
template <typename Tested>
class CheckTest : public CheckBench {
 public:
  void feed(const ProbeEvent& event) {
    if ((check.kinds() & Probe::bit(event.kind)) != 0) check.on(event);
  }
  Tested check{tile};
};

/// A check behind the probe of a tile, with the record of its L1.
template <typename Tested>
class RecordTest : public CheckBench {
 public:
  using Waits = TileContext::Waits;
  explicit RecordTest(Waits waits = Waits::kFault, std::span<const std::uint8_t> l1 = {}) {
    tile.waits = waits;
    tile.l1 = l1;
    checks = std::make_unique<TileChecks>(
        tile,
        [](const TileContext& context) {
          std::vector<std::unique_ptr<Check>> all;
          all.push_back(std::make_unique<Tested>(context));
          return all;
        },
        [this](const std::string& name, const std::string& reason) {
          failed.push_back(name + ": " + reason);
          checks->disable(name);
        });
  }
  void feed(const ProbeEvent& event) {
    if (checks->probe().wants(event.kind)) checks->probe().report(event);
  }
  L1InFlight& l1() { return checks->record()->l1; }
  std::unique_ptr<TileChecks> checks;
  std::vector<std::string> failed;
};

}  // namespace tvp::checks
