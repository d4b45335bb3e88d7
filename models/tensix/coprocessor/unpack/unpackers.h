#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/config/movement_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/unit_faults.h"
#include "models/tensix/coprocessor/unpack/unpack_data_path.h"
#include "models/tensix/coprocessor/unpack/unpack_planner.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Both unpackers: UNPACR (regular, flush cache, increment context counter) and UNPACR_NOP (ISA
/// Unpackers/README.md, UNPACR_*.md).
///
/// One address generator serves both. After it, each unpacker fetches from L1 one instruction at a
/// time, and one more may wait behind it (assumed). An UNPACR whose bank still belongs to the
/// matrix unit waits inside its unpacker with as much fetched data as its pipeline holds; the
/// thread continues. If the pipeline has room left, the next one fetches behind it. Both move their
/// datums when the bank is returned, which banks_given_back() announces.
class Unpackers : public ExecutionUnit {
 public:
  static constexpr unsigned kUnpackers = 2;

  struct Counters {
    std::uint64_t instructions = 0;
    std::uint64_t datums = 0;    ///< read from L1
    std::uint64_t l1_bytes = 0;  ///< data and exponents
    std::uint64_t fetch_cycles = 0;
    std::uint64_t banks_given = 0;
  };

  /// `where` names the coprocessor in faults.
  Unpackers(const MovementConfig& config, const BackendConfig& backend_config,
            AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
            foundation::FaultPolicy& faults, const std::string& where);
  /// Sets the pc at which the core pushed the current instruction.
  void set_pushed_at(const std::uint32_t* pc) { data_.set_pushed_at(pc); }

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// UNPACK_MISC_CFG was written (SETC16).
  void reset_context_counters(unsigned thread) {
    for (Unit& unit : units_) unit.context_counter[thread] = 0;
  }
  unsigned context_counter(unsigned unpacker, unsigned thread) const {
    return units_[unpacker].context_counter[thread];
  }
  /// First cycle at which the unpacker has no work of `thread` (STALLWAIT C1, C2); kNever while an
  /// instruction waits for a bank.
  Cycle idle_from(unsigned unpacker, unsigned thread) const {
    return waits_for_bank(unpacker, thread) ? support::kNever : units_[unpacker].idle_from[thread];
  }
  bool waits_for_bank(unsigned unpacker, unsigned thread) const {
    const Unit& unit = units_[unpacker];
    for (unsigned i = 0; i < unit.waiting; ++i) {
      if (unit.pending[i].plan.thread == thread) return true;
    }
    return false;
  }
  bool any_waits_for_bank() const { return units_[0].waiting != 0 || units_[1].waiting != 0; }
  /// The matrix unit returned banks in the step at `now`. Continues the instructions that waited
  /// for them. True if there were any.
  bool banks_given_back(Cycle now);
  Counters counters(unsigned unpacker) const;

 private:
  /// An UNPACR after its address generation.
  struct Pending {
    UnpackPlan plan;
    bool valid = false;   ///< documented effect: has datums to move
    Cycle generated = 0;  ///< end of address generation
    bool flips = false;
    bool steps_row = false;  ///< Unpack_Src_Reg_Set_Upd
    unsigned set_base = 0;
    Cycle beats = 0;  ///< cycles of fetching at the full rate of L1
  };
  /// More never fit: a face of the narrowest format fetches for four cycles.
  static constexpr unsigned kMostWaiting = 8;

  struct Unit {
    std::array<std::uint8_t, kThreads> context_counter{};
    Cycle accepts_from = 0;  ///< start of the fetch of the instruction that waited
    Cycle fetch_free = 0;    ///< first free cycle of the L1 lanes of this unpacker
    Cycle held_until = 0;    ///< the same, behind those that wait for a bank
    Cycle data_done = 0;     ///< everything so far is in its register file
    unsigned waiting = 0;    ///< number of `pending` instructions that wait for a bank, in order
    std::array<Pending, kMostWaiting> pending;
    std::array<Cycle, kThreads> idle_from{};
    Counters counters;
  };

  Cycle bring_in(Unit& unit, const Pending& pending, Cycle now);
  void hold(Unit& unit, const Pending& pending);
  bool has_room(const Unit& unit) const;
  Issue issue_regular(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_nop(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_zero_src(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_set_dvalid(unsigned unpacker, unsigned thread, Cycle now);
  Issue issue_context(std::uint32_t instruction, unsigned thread, Cycle now);

  unsigned select_context(std::uint32_t instruction, unsigned thread, unsigned& adc);
  void advance(std::uint32_t instruction, unsigned thread, unsigned context, unsigned adc);

  SrcFile& file(unsigned unpacker) { return unpacker == 0 ? registers_.srca : registers_.srcb; }
  unsigned set_base(unsigned unpacker, unsigned thread) const;

  const MovementConfig& config_;
  const BackendConfig& backend_config_;
  AddressCounters& counters_;
  RegisterFiles& registers_;
  UnitFaults faults_;
  UnpackPlanner planner_;
  UnpackDataPath data_;
  Cycle generator_free_ = 0;
  std::array<Unit, kUnpackers> units_;
};

}  // namespace tvp::tensix::coprocessor
