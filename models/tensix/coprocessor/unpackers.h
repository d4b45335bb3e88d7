#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/backend_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/movement_config.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/unpack_conversion.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Both unpackers: UNPACR (regular, flush cache, increment context counter) and UNPACR_NOP
/// (ISA Unpackers/README.md, UNPACR_*.md).
///
/// One address generator serves both. After it, each unpacker fetches from L1 one instruction at a
/// time, and one more of it may wait behind (assumed). An UNPACR whose bank still belongs to the
/// matrix unit waits inside its unpacker, with what its pipeline holds already fetched; the thread
/// goes on. It moves its datums when the bank is given back: whoever gives banks back calls
/// banks_given_back().
class Unpackers : public ExecutionUnit {
 public:
  static constexpr unsigned kUnpackers = 2;

  struct Counters {
    std::uint64_t instructions = 0;
    std::uint64_t datums = 0;    ///< read from L1
    std::uint64_t l1_bytes = 0;  ///< of data and exponents
    std::uint64_t fetch_cycles = 0;
    std::uint64_t banks_given = 0;
  };

  /// `where` names the coprocessor in faults.
  Unpackers(const MovementConfig& config, const BackendConfig& backend_config,
            AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
            foundation::FaultPolicy& faults, std::string where);

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// UNPACK_MISC_CFG was written (SETC16).
  void reset_context_counters(unsigned thread) {
    for (Unit& unit : units_) unit.context_counter[thread] = 0;
  }
  unsigned context_counter(unsigned unpacker, unsigned thread) const {
    return units_[unpacker].context_counter[thread];
  }
  /// First cycle at which `thread` has nothing left in the unpacker (STALLWAIT C1, C2); kNever
  /// while an instruction waits for a bank.
  Cycle idle_from(unsigned unpacker, unsigned thread) const {
    return waits_for_bank(unpacker, thread) ? support::kNever : units_[unpacker].idle_from[thread];
  }
  bool waits_for_bank(unsigned unpacker, unsigned thread) const {
    return units_[unpacker].waiting && units_[unpacker].pending.plan.thread == thread;
  }
  bool any_waits_for_bank() const { return units_[0].waiting || units_[1].waiting; }
  /// The matrix unit gave banks back in the step at `now`. Lets what waited for them go on and
  /// says whether there was any.
  bool banks_given_back(Cycle now);
  const Counters& counters(unsigned unpacker) const { return units_[unpacker].counters; }

 private:
  /// Where and how the datums of one UNPACR come and go.
  struct Plan {
    unsigned unpacker = 0;
    unsigned thread = 0;
    DataFormat in = DataFormat::kFp32;
    DataFormat out = DataFormat::kFp32;
    // Source. Addresses of data in bits, of exponents in sixteenths of a byte.
    std::uint64_t data_bit = 0;
    std::uint64_t exponent16 = 0;
    bool exponents_in_l1 = false;
    std::uint8_t forced_exponent = 0;
    std::uint32_t datums = 0;
    std::uint32_t row_stride_bits = 0;
    bool discontiguous = false;
    std::uint64_t limit_bytes = 0;
    std::uint64_t fifo_bytes = 0;
    // Destination.
    std::uint32_t out_index = 0;
    bool to_dst = false;
    bool transpose = false;
    bool override_row = false;  ///< SRCA_SET_SetOvrdWithAddr
    unsigned column_shift = 0;
    bool upsample = false;
    bool upsample_skips = false;
    bool zero = false;
    bool int8_unsigned = false;
    unsigned beats_per_cycle = 1;
  };
  /// An UNPACR behind its address generation.
  struct Pending {
    Plan plan;
    bool valid = false;   ///< of documented effect: has datums to move
    Cycle generated = 0;  ///< address generation is over
    bool flips = false;
    bool steps_row = false;  ///< Unpack_Src_Reg_Set_Upd
    unsigned set_base = 0;
  };

  struct Unit {
    std::array<std::uint8_t, kThreads> context_counter{};
    Cycle accepts_from = 0;  ///< the instruction that waited has begun to fetch
    Cycle fetch_free = 0;    ///< L1 lanes of this unpacker
    Cycle data_done = 0;     ///< everything so far is in its register file
    bool waiting = false;    ///< `pending` waits for its bank
    Pending pending;
    std::array<Cycle, kThreads> idle_from{};
    Counters counters;
  };

  Cycle bring_in(Unit& unit, const Pending& pending);
  Issue issue_regular(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_nop(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_zero_src(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_set_dvalid(unsigned unpacker, unsigned thread, Cycle now);
  Issue issue_context(std::uint32_t instruction, unsigned thread, Cycle now);

  unsigned select_context(std::uint32_t instruction, unsigned thread, unsigned& adc);
  bool plan_source(std::uint32_t instruction, unsigned context, unsigned adc, Plan& plan);
  bool plan_destination(std::uint32_t instruction, unsigned context, Plan& plan);
  void plan_speed(Plan& plan);
  std::uint32_t first_datum(std::uint32_t instruction, unsigned context, unsigned adc,
                            std::uint32_t x_dim, Plan& plan);

  Cycle fetch(const Plan& plan, Cycle start);
  void move(const Plan& plan);
  bool read_chunk(const Plan& plan, const UnpackConversion& conversion, std::uint64_t data_bit,
                  std::uint64_t& exponent16, unsigned count, std::uint32_t* datums);
  void write_chunk(const Plan& plan, const std::uint32_t* datums, unsigned count,
                   std::uint32_t& out_index, bool is_32_bit);
  void write_src_row(const Plan& plan, unsigned out_row, const std::uint32_t* datums);
  static constexpr unsigned kNoRow = ~0U;
  unsigned src_a_row(const Plan& plan, unsigned out_row);
  unsigned src_b_row(const Plan& plan, unsigned out_row) const;
  void write_src_a(const Plan& plan, std::uint32_t out_index, std::uint32_t datum);
  void write_src_b(const Plan& plan, std::uint32_t out_index, std::uint32_t datum);
  void write_dst(std::uint32_t out_index, std::uint32_t datum, bool is_32_bit);
  void advance(std::uint32_t instruction, unsigned thread, unsigned context, unsigned adc);

  const std::array<std::uint32_t, BackendConfig::kBankWords>& bank(unsigned thread) const;
  SrcFile& file(unsigned unpacker) { return unpacker == 0 ? registers_.srca : registers_.srcb; }
  unsigned set_base(unsigned unpacker, unsigned thread) const;
  void fault(foundation::FaultKind kind, unsigned unpacker, const std::string& text);

  const MovementConfig& config_;
  const BackendConfig& backend_config_;
  AddressCounters& counters_;
  RegisterFiles& registers_;
  L1Port& l1_;
  foundation::FaultPolicy& faults_;
  std::string where_;
  Cycle generator_free_ = 0;
  std::array<Unit, kUnpackers> units_;
};

}  // namespace tvp::tensix::coprocessor
