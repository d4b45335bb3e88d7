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
#include "platform/checks/record/unit_order.h"

namespace tvp::checks {

class EventFile;
class L1Buffers;
class PollReader;
class SignalledWrites;

/// The tile whose events a check sees: information that no event contains (names for texts, bytes
/// of L1, loaded code) and the sinks of findings.
struct TileContext {
  struct Core {
    support::BusMaster master;
    unsigned number;    ///< tensix_vp_core
    std::string where;  ///< "chip0.tensix(1,2).BRISC"
  };

  unsigned chip = 0, x = 0, y = 0;  ///< in coordinates of NoC 0
  std::string where{};              ///< "chip0.tensix(1,2)"
  std::vector<Core> cores{};
  /// kHost: the host of a chip, whose accesses take no simulated time.
  enum class Kind : std::uint8_t { kTensix, kEthernet, kPimUnit, kHost };
  Kind kind = Kind::kTensix;
  /// The reaction to a use of L1 before a transfer there is over (`coprocessor.missing_waits`).
  enum class Waits : std::uint8_t { kOff, kWarn, kFault };
  Waits waits = Waits::kFault;
  /// The reaction to a missing wait before a change of configuration or before a pack
  /// (`coprocessor.missing_config_waits`).
  Waits config_waits = Waits::kWarn;
  std::span<const std::uint8_t> l1{};
  DramBuffers* dram = nullptr;         ///< the buffers of the chip's host
  SignalledWrites* signals = nullptr;  ///< record of the chip, set by ChipChecks
  UnitOrder* units = nullptr;          ///< the order of PIM units, set by ChipChecks
  L1Buffers* l1_buffers = nullptr;     ///< buffers of the chip's host in L1, set by ChipChecks
  bool keeps_stores = false;           ///< `keep_stores`, in a PIM unit
  EventFile* events = nullptr;         ///< the file that records the events; null: none
  PollReader* polls = nullptr;         ///< reads the code of the tile's cores; null: none
  /// Data that the host writes to L1 for a program (kGiven).
  struct Given {
    std::string what{};      ///< "the arguments of reader.cpp"
    std::uint32_t each = 0;  ///< bytes of each numbered element; 0: the data is one element
    /// tensix_vp_use
    enum class Use : std::uint8_t { kConstant, kStored, kUnused, kShared };
    Use use = Use::kConstant;
    std::uint32_t address = 0, bytes = 0;  ///< set by TileChecks::give

    static Use use_of(const ProbeEvent& given) { return static_cast<Use>(given.value); }
  };
  // Set by TileChecks.
  Probe* probe = nullptr;
  TileRecord* record = nullptr;               ///< if is_tensix()
  const UnitOrder::Unit* order = nullptr;     ///< null: no PIM unit
  const LoadedCode* code = nullptr;           ///< the code of the tile's cores in L1
  const std::vector<Given>* given = nullptr;  ///< index: `index` of kGiven
  const CodeNames& names;
  foundation::FaultPolicy& faults;    ///< findings that stop the run, unless `faults=warn`
  foundation::WarningSink& warnings;  ///< findings that never stop the run

  const Core* core(support::BusMaster master) const {
    for (const Core& known : cores)
      if (known.master == master) return &known;
    return nullptr;
  }
  bool is_tensix() const { return kind == Kind::kTensix; }
  bool looks_at_l1() const { return kind == Kind::kTensix && waits != Waits::kOff; }
  bool looks_at_config() const { return looks_at_l1() && config_waits != Waits::kOff; }
  CodeOwner owner(const Core& core) const { return {chip, x, y, core.number}; }
};

}  // namespace tvp::checks
