#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "foundation/fault.h"
#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/config/math_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/lanes/lane_products.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/vector/vector_rules.h"

namespace tvp::tensix::coprocessor {

/// The vector unit (SFPU): 32 lanes of 32 bits (ISA TensixCoprocessor/VectorUnit.md, LReg.md and
/// the pages of its instructions).
///
/// Some results come a cycle late, and software must not use them before. The model checks this and
/// raises a firmware fault. If the run goes on, it reads the new value.
class VectorUnit : public ExecutionUnit, public PendingStores {
 public:
  static constexpr unsigned kLanes = 32;
  static constexpr unsigned kRegisters = 17;
  static constexpr unsigned kReplayed = 32;  ///< size of a REPLAY buffer
  using Lanes = LaneProducts::Lanes;

  /// Machines for which the most frequent instructions have special functions.
  enum class Build : std::uint8_t { kPortable, kAvx2, kAvx512 };
  /// True if this machine has the instructions of the build.
  static bool has(Build build) { return products_of(build) != nullptr; }
  static Build best();

  VectorUnit(std::string name, RegisterFiles& registers, const BackendConfig& config,
             foundation::FaultPolicy& faults, Build build = best(),
             Generation generation = Generation::kWormhole);

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// The same for most instructions, which take one cycle of the unit. Returns the time of the
  /// result, or 0 without effect if issue() must be used.
  Cycle issue_plain(std::uint32_t instruction, unsigned thread, Cycle now) {
    const Operation& operation = decoded(instruction, thread);
    if (!operation.is_plain || now < swap_until_ || scheduled_ != 0) [[unlikely]]
      return 0;
    if (now == late_cycle_ && waits_for_late(operation)) [[unlikely]]
      return 0;
    check_hazards(operation, now);
    execute(operation, now);
    settled_ = now + 1;
    return now + operation.latency;
  }

  using ReplayBuffer = std::span<const std::uint32_t, kReplayed>;
  /// Executes up to `most` instructions before `end` that need no detailed check. They are in the
  /// REPLAY buffer `words` of the thread from place `first` on; `changes` counts the recordings of
  /// the buffer. Each runs between before(word) and after(word). `at` moves to the cycle of the
  /// next one, and `done` to that of the last result. SFPSWAP's second cycle ends the sequence
  /// unless `may_wait`. True if there were any.
  template <typename Before, typename After>
  bool issue_sequence(unsigned thread, ReplayBuffer words, std::uint64_t changes, unsigned first,
                      unsigned most, Cycle end, bool may_wait, Cycle& at, Cycle& done,
                      Before before, After after) {
    Sequence& sequence = sequences_[thread];
    if (sequence.changes != changes) [[unlikely]]
      decode(sequence, words, changes, thread);
    unsigned left = std::min<unsigned>(most, sequence.plain[first]);
    if (left == 0 || at >= end || at < swap_until_ || scheduled_ != 0) return false;
    const Operation* operation = &sequence.operations[first];
    if (at == late_cycle_ && waits_for_late(*operation)) [[unlikely]]
      return false;
    before(operation->word);
    check_hazards(*operation, at);
    for (unsigned i = first;;) {
      if (any_undefined_) [[unlikely]]
        follow_undefined(*operation);
      operation->effect(*this, *operation, at);
      after(operation->word);
      done = std::max(done, at + operation->latency);
      settled_ = ++at;
      if (--left == 0) break;
      if (sequence.waits[i]) {
        if (!may_wait) break;
        ++at;
      }
      if (at >= end) break;
      i = (i + 1) % kReplayed;
      operation = &sequence.operations[i];
      before(operation->word);
    }
    at = std::min(at, end);
    note_hazards(*operation, settled_ - 1);
    return true;
  }

  /// Executes instructions that SFPLOADMACRO has scheduled for cycles before `now`.
  void settle(Cycle now) override;
  bool idle() const { return scheduled_ == 0; }

  /// A write to PRNG_SEED_Seed_Val. The documentation does not say how the seed becomes 32 states.
  /// Here each lane gets the seed rotated by the number of the lane.
  void seed(std::uint32_t value);

  const Lanes& lreg(unsigned index) const { return lreg_[index]; }
  std::uint32_t enabled_lanes() const { return enabled_; }

 private:
  using Opcode = regs::tensix::Opcode;

  enum class SubUnit : std::uint8_t { kSimple, kMad, kRound, kStore, kLoad };

  /// A decoded instruction whose fields SFPLOADMACRO may change.
  struct Operation {
    Opcode opcode = Opcode::kSfpnop;
    std::uint8_t va = 0, vb = 0, vc = 0, vd = 0;
    std::uint8_t mod = 0;
    std::uint8_t thread = 0;
    std::uint8_t addr_mod = 0;
    bool scheduled = false;
    std::uint8_t latency = 1;
    bool is_plain = false;         ///< neither scheduled nor SFPLOADMACRO
    bool may_be_template = false;  ///< VD names an instruction template, unless in full width
    std::uint32_t imm = 0;
    std::uint32_t word = 0;
    std::uint16_t address = 0;  ///< for a scheduled SFPSTORE
    // As decoded; SFPLOADMACRO may change the instructions that it schedules.
    std::uint32_t touches = 0;  ///< registers read or written; all if that depends on lanes
    std::uint32_t late = 0;     ///< the register that gets a product a cycle late
    /// The operation's own effect, without the common part in execute().
    void (*effect)(VectorUnit& unit, const Operation& operation, Cycle now) = nullptr;
  };
  using Effect = decltype(Operation::effect);

  struct LoadMacroConfig {
    std::uint32_t misc = 0;
    std::array<std::uint32_t, 4> sequence{};
    std::array<std::uint32_t, 4> instruction_template{};
    bool operator==(const LoadMacroConfig&) const = default;
  };

  /// A place in the pipeline before a sub-unit.
  struct Slot {
    bool valid = false;
    bool waits_for_instructions = false;
    Operation operation;
  };
  static constexpr unsigned kScheduledUnits = 4;
  static constexpr unsigned kDelays = 8;

  /// A REPLAY buffer.
  struct Sequence {
    std::uint64_t changes = 0;
    std::array<Operation, kReplayed> operations;
    /// Number of instructions from each place on (the first follows the last) that need no detailed
    /// check: they are plain, and none touches a pending result of the previous one.
    std::array<std::uint8_t, kReplayed> plain{};
    /// It takes two cycles, and the next one cannot use the second.
    std::array<bool, kReplayed> waits{};
  };

  Operation decode(std::uint32_t word, unsigned thread) const;
  void decode(Sequence& sequence, ReplayBuffer words, std::uint64_t changes, unsigned thread) const;
  static bool is_regular(const Operation& operation);
  static Operation with_fields(std::uint32_t word, unsigned thread);
  /// The same with a cache, since programs are short.
  const Operation& decoded(std::uint32_t word, unsigned thread) {
    constexpr std::uint32_t kSpread = 0x9E3779B1;
    // The latest two with the same place in the cache: a loop of thirty instructions always has
    // some collisions.
    auto& [latest, other] = decoded_[word * kSpread >> (32 - kDecodedBits)];
    if (latest.word == word && latest.thread == thread) [[likely]]
      return latest;
    if (other.word == word && other.thread == thread) [[likely]]
      return other;
    other = latest;
    return latest = decode(word, thread);
  }
  static const std::array<SubUnit, 256> kSubUnits;
  static SubUnit sub_unit_of(Opcode opcode) { return kSubUnits[static_cast<unsigned>(opcode)]; }
  static bool has_backdoor(Opcode opcode);
  static std::uint8_t latency_of(const Operation& operation);
  static Effect effect_of(Opcode opcode);
  static Effect changed_effect(Opcode opcode);
  /// The same with vectors of 32 bytes (AVX2) or 64 bytes (AVX-512). Null if there is none.
  template <unsigned kBytes>
  static Effect wide_effect(const Operation& operation);
  template <unsigned kBytes>
  struct Wide;
  static LaneProducts::Function products_of(Build build);

  Issue issue_beside_scheduled(const Operation& operation, Cycle now);
  Cycle scheduled_until(Cycle now) const;
  /// True if the instruction was stored as a template instead of being executed.
  bool store_template(const Operation& operation, Cycle now);
  void check_hazards(const Operation& operation, Cycle now) {
    if (now != late_cycle_) return;
    if ((operation.touches & (late_reads_ | late_writes_)) == 0 && !late_round_ &&
        !operation.scheduled) [[likely]]
      return;
    check_late(operation);
  }
  void check_late(const Operation& operation);
  /// True if the instruction waits in the cycle before a late result is there.
  bool waits_for_late(const Operation& operation) const {
    return rules_.waits_for_results() &&
           (late_round_ || (reads_waited_for(operation) & late_reads_) != 0);
  }
  std::uint32_t reads_waited_for(const Operation& operation) const;
  void note_hazards(const Operation& operation, Cycle now) {
    if (operation.latency == 1) return;
    if (operation.late == 0 || operation.scheduled) [[unlikely]]
      return note_late(operation, now);
    begin_late(now + 1);
    late_reads_ |= operation.late;
  }
  void note_late(const Operation& operation, Cycle now);
  void begin_late(Cycle cycle) {
    if (late_cycle_ == cycle) return;
    late_cycle_ = cycle;
    late_reads_ = late_writes_ = 0;
    late_round_ = false;
  }
  std::uint32_t registers_read(const Operation& operation) const;
  /// Without those whose numbers are in lanes.
  static std::uint32_t registers_named(const Operation& operation);
  static std::uint32_t registers_touched(const Operation& operation);
  /// True if the number of a source is in LReg7, lane by lane.
  static bool gathers(const Operation& operation) {
    const Opcode opcode = operation.opcode;
    return (operation.mod & 4) != 0 && (opcode == Opcode::kSfpmad || opcode == Opcode::kSfpadd ||
                                        opcode == Opcode::kSfpmul || opcode == Opcode::kSfpmul24);
  }
  void execute(const Operation& operation, Cycle now) {
    if (any_undefined_) [[unlikely]]
      follow_undefined(operation);
    operation.effect(*this, operation, now);
    note_hazards(operation, now);
  }
  void execute_simple(const Operation& operation);
  template <typename Function>
  void write_each(unsigned vd, Function function);
  void execute_integer(const Operation& operation) noexcept;
  void execute_fields(const Operation& operation) noexcept;
  void multiply_add(const Operation& operation);
  void multiply_add_immediate(const Operation& operation);
  void write_products(const Operation& operation, const Lanes& x, const Lanes& y, const Lanes& z);
  void write_indirect(const Lanes& result);
  void execute_table(const Operation& operation);
  // Instructions and modes of Blackhole alone.
  void compare(const Operation& operation);
  void approximate(const Operation& operation);
  void multiply_integers(const Operation& operation);
  void multiply_add_negated(const Operation& operation);
  void shift_arithmetically(const Operation& operation);
  void cast_integers(const Operation& operation);
  void change_stack_top(const Operation& operation);
  Lanes look_up(const Operation& operation) const;
  void execute_round(const Operation& operation);
  void move(const Operation& operation) noexcept;
  /// Lanes in which SFPSWAP puts the smaller value into VD, by Mod1.
  static constexpr std::uint32_t kVdGetsSmaller[10] = {
      0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
      0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000, 0};
  void swap(const Operation& operation);
  Lanes lanes_to_swap(const Operation& operation) const noexcept;
  void write_where(const Lanes& mask, unsigned vd, const Lanes& values) noexcept;
  void transpose();
  void round(const Operation& operation) noexcept;
  void shift2(const Operation& operation);
  void shift_each(const Operation& operation, bool by_immediate) noexcept;

  // Load and store.
  void load(const Operation& operation, Cycle now);
  void load_immediate(const Operation& operation);
  /// SFPLOADI's value, and the mask of the old bits that it keeps.
  struct Immediate {
    std::uint32_t value = 0, kept = 0;
    bool defined = true;
  };
  static Immediate immediate_of(const Operation& operation);
  void write_immediate(unsigned vd, const Immediate& immediate) noexcept;
  void store(const Operation& operation, Cycle now);
  void store_all(const Lanes& source, unsigned format, unsigned address) noexcept;
  unsigned resolve_format(unsigned mod, unsigned thread) const;
  unsigned dst_address(unsigned format, unsigned imm, unsigned thread) const;
  void load_lanes(unsigned vd, unsigned format, unsigned address, std::uint32_t lanes,
                  std::uint32_t undefined) noexcept;
  void check_readable(unsigned address, bool dst32, Cycle now);
  void tell_changes(unsigned address, bool dst32, Cycle now);

  // Lanes with undefined values, from rows of Dst that no instruction has written.
  using LaneMasks = std::array<std::uint32_t, kRegisters>;
  std::uint32_t lanes_loaded_undefined(unsigned address, bool dst32, std::uint32_t lanes);
  void follow_undefined(const Operation& operation);
  void follow_immediate(const Operation& operation);
  void follow_into_flags(const Operation& operation, std::uint32_t from);
  void follow_swap(const Operation& operation);
  void follow_shift2(const Operation& operation);
  void follow_transpose();
  void follow_indirect(std::uint32_t from);
  void mark_undefined(unsigned index, std::uint32_t lanes, std::uint32_t undefined) {
    undefined_[index] = (undefined_[index] & ~lanes) | (undefined & lanes) | undefined_flags_;
    loaded_halves_[index] = 0;
  }

  void set_flags(std::uint32_t lanes, std::uint32_t values);
  void update_enabled() {
    const std::uint32_t enabled = ~masked_rows_ & (~use_flags_ | flags_);
    if (enabled == enabled_) return;
    enabled_ = enabled;
    spread_enabled();
  }
  void spread_enabled() noexcept;
  void set_condition(const Operation& operation) noexcept;
  void enable_condition(const Operation& operation);
  void complement_condition();
  void push_condition();
  void pop_condition(const Operation& operation);
  /// Operators of SFPPOPC's Mod1 on the flags.
  static std::uint32_t combined_flags(unsigned mod, std::uint32_t a, std::uint32_t b);

  void configure(const Operation& operation, Cycle now);
  void derive_lane_config();
  std::uint32_t columns_to_lanes(std::uint32_t columns) const { return columns * 0x01010101u; }

  // SFPLOADMACRO.
  void load_macro(const Operation& operation, Cycle now);
  void schedule_one(const Operation& operation, unsigned unit, unsigned address);
  void step(Cycle cycle, const Operation* regular);
  void shift_slots(bool instruction_issued);

  static bool writable(unsigned vd) { return vd < 8 || vd == 16; }
  void write(unsigned vd, const Lanes& values) {
    Lanes& out = lreg_[vd];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = (values[lane] & enabled_mask_[lane]) | (out[lane] & ~enabled_mask_[lane]);
    }
  }
  void write(unsigned vd, unsigned lane, std::uint32_t value) { lreg_[vd][lane] = value; }
  /// AdvancePRNG of the enabled lanes (VectorUnit.md, PRNG). The operation uses the values before
  /// it.
  void advance_prng() noexcept;
  void firmware_fault(const std::string& text);

  std::string name_;
  RegisterFiles& registers_;
  const BackendConfig& config_;
  foundation::FaultPolicy& faults_;
  const Build build_;
  const VectorRules rules_;
  const LaneProducts::Function multiply_add_;

  static constexpr unsigned kDecodedBits = 6;
  std::array<std::array<Operation, 2>, 1 << kDecodedBits> decoded_{};
  std::array<Sequence, kThreads> sequences_;

  alignas(64) std::array<Lanes, kRegisters> lreg_{};
  /// Source of operands: lreg_, or its contents before the cycle if several sub-units work.
  const std::array<Lanes, kRegisters>* in_ = &lreg_;
  std::array<Lanes, kRegisters> before_{};

  std::uint32_t flags_ = 0;           ///< LaneFlags
  std::uint32_t use_flags_ = 0;       ///< UseLaneFlagsForLaneEnable
  std::uint32_t enabled_ = 0;         ///< LaneEnabled
  alignas(64) Lanes enabled_mask_{};  ///< the same, all bits of a lane
  static constexpr unsigned kStackDepth = 8;
  struct StackEntry {
    std::uint32_t flags = 0;
    std::uint32_t use_flags = 0;
    std::uint32_t undefined = 0;
  };
  std::array<StackEntry, kStackDepth> stack_{};
  unsigned stack_size_ = 0;

  /// LaneConfig and LoadMacroConfig; SFPCONFIG writes columns of lanes only.
  std::array<std::uint32_t, 8> lane_config_{};
  std::array<LoadMacroConfig, 8> macro_config_{};
  // Bits of LaneConfig, one per lane.
  std::uint32_t masked_rows_ = 0;
  std::uint32_t no_store_ = 0;
  std::uint32_t no_load_ = 0;
  std::uint32_t dest_index_ = 0;
  std::uint32_t capture_index_ = 0;
  std::uint32_t load_odd_ = 0;
  std::uint32_t store_odd_ = 0;
  std::uint32_t exchange_compare_ = 0;
  std::uint32_t fp16_infinity_ = 0;
  /// DISABLE_BACKDOOR_LOAD in all lanes, or in some.
  bool full_width_ = false;
  bool mixed_width_ = false;
  Cycle width_changed_ = 0;  ///< cycle after a change, in which either value may be seen

  Lanes prng_{};
  /// Values that SFPSHFT2 left in the lane to the right of each group (a defect of the silicon).
  Lanes last_rotated_{};

  // Undefined lanes of each register, and lanes with an undefined enable.
  LaneMasks undefined_{};
  const LaneMasks* undefined_in_ = &undefined_;
  LaneMasks undefined_before_{};
  /// Halves that SFPLOADI has written in all of those lanes.
  std::array<std::uint8_t, kRegisters> loaded_halves_{};
  std::uint32_t undefined_flags_ = 0;
  std::uint32_t undefined_rotated_ = 0;  ///< for last_rotated_
  bool any_undefined_ = false;

  // Results that come a cycle late; they must not be used at `late_cycle_`.
  Cycle late_cycle_ = 0;
  std::uint32_t late_reads_ = 0;
  std::uint32_t late_writes_ = 0;
  bool late_round_ = false;
  Cycle swap_until_ = 0;

  std::array<std::array<Slot, kDelays>, kScheduledUnits> slots_{};
  unsigned scheduled_ = 0;
  Cycle settled_ = 0;  ///< cycles before this one are simulated
};

template <>
VectorUnit::Effect VectorUnit::wide_effect<32>(const Operation& operation);
template <>
VectorUnit::Effect VectorUnit::wide_effect<64>(const Operation& operation);

}  // namespace tvp::tensix::coprocessor
