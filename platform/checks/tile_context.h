#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"
#include "platform/checks/code_names.h"
#include "platform/checks/event_types.h"
#include "platform/checks/record/dram_buffers.h"
#include "platform/checks/record/tile_record.h"

namespace tvp::checks {

class EventFile;

/// The tile whose events a check sees: what no event holds (names for texts, bytes of L1, loaded
/// code), and where findings go.
struct TileContext {
  struct Core {
    support::BusMaster master;
    unsigned number;    ///< tensix_vp_core
    std::string where;  ///< "chip0.tensix(1,2).BRISC"
  };

  unsigned chip = 0, x = 0, y = 0;  ///< in coordinates of NoC 0
  std::string where{};              ///< "chip0.tensix(1,2)"
  std::vector<Core> cores{};
  /// kHost: what the host of a chip does, in no time.
  enum class Kind : std::uint8_t { kTensix, kEthernet, kPimUnit, kHost };
  Kind kind = Kind::kTensix;
  /// The reaction to a use of L1 before a transfer there is over (`coprocessor.missing_waits`).
  enum class Waits : std::uint8_t { kOff, kWarn, kFault };
  Waits waits = Waits::kFault;
  /// The same for a wait without which configuration changes too early, or packs run ahead
  /// (`coprocessor.missing_config_waits`).
  Waits config_waits = Waits::kWarn;
  std::span<const std::uint8_t> l1{};  ///< its bytes
  DramBuffers* dram = nullptr;         ///< of the chip
  EventFile* events = nullptr;         ///< where events are written; null: nowhere
  /// What the host gives to a program in L1 (kGiven).
  struct Given {
    std::string what{};         ///< "the arguments of reader.cpp"
    std::uint32_t each = 0;     ///< bytes of one of several, which have numbers; 0: there is one
    bool takes_stores = false;  ///< kernels may keep something there by stores of their own
  };
  // Set by TileChecks.
  Probe* probe = nullptr;
  TileRecord* record = nullptr;               ///< if is_tensix()
  const LoadedCode* code = nullptr;           ///< likewise
  const std::vector<Given>* given = nullptr;  ///< by number
  const CodeNames& names;
  foundation::FaultPolicy& faults;    ///< findings that stop the run, unless `faults=warn`
  foundation::WarningSink& warnings;  ///< findings that do not

  const Core* core(support::BusMaster master) const {
    for (const Core& known : cores)
      if (known.master == master) return &known;
    return nullptr;
  }
  bool looks_at_l1() const { return kind == Kind::kTensix && waits != Waits::kOff; }
  bool looks_at_config() const { return looks_at_l1() && config_waits != Waits::kOff; }
  bool is_tensix() const { return kind == Kind::kTensix; }
  CodeOwner owner(const Core& core) const { return {chip, x, y, core.number}; }
};

}  // namespace tvp::checks
