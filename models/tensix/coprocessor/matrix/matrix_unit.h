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
#include "models/tensix/coprocessor/matrix/float_sums.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// The matrix unit (FPU): arithmetic on SrcA, SrcB and Dst, moves between them, row counters (ISA
/// TensixCoprocessor/MatrixUnit.md and the pages of its instructions).
class MatrixUnit : public ExecutionUnit {
 public:
  /// The histograms that CLREXPHIST resets. Packers that collect exponent histograms implement
  /// this.
  class ExponentHistograms {
   public:
    virtual ~ExponentHistograms() = default;
    virtual void reset() = 0;
  };

  static constexpr unsigned kReplayed = 32;  ///< size of a REPLAY buffer

  MatrixUnit(std::string name, RegisterFiles& registers, const BackendConfig& config,
             foundation::FaultPolicy& faults, const FloatSums& sums = FloatSums::aligned());
  void set_exponent_histograms(ExponentHistograms* histograms) { histograms_ = histograms; }

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  using ReplayBuffer = std::span<const std::uint32_t, kReplayed>;
  /// Executes up to `most` MVMULs, one in each cycle from `at` on, that return no bank and never
  /// wait. They are in the REPLAY buffer `words` of the thread from place `first` on; `changes`
  /// counts the recordings of the buffer. Each runs between before(word) and after(word) and
  /// increments `at`. True if there were any.
  template <typename Before, typename After>
  bool issue_sequence(unsigned thread, ReplayBuffer words, std::uint64_t changes, unsigned first,
                      Cycle most, Cycle& at, Before before, After after) {
    Sequence& sequence = sequences_[thread];
    if (sequence.changes != changes) [[unlikely]]
      look_through(sequence, words, changes);
    Cycle left = std::min<Cycle>(most, sequence.plain[first]);
    if (left < kShortest || !begins_products(thread, at)) return false;
    const Cycle from = at;
    Products products(*this, thread);
    for (unsigned i = first; left != 0; --left, i = (i + 1) % kReplayed) {
      const std::uint32_t word = words[i];
      if (!products.may_add(word, at)) break;
      before(word);
      products.add(word, at);
      after(word);
      ++at;
    }
    return at != from;
  }

 private:
  /// One instruction in issue().
  struct Context {
    std::uint32_t word;
    unsigned thread;
    Cycle now;
    MathConfig config;
    Rwc& rwc;
  };

  Issue wait_for_sources(regs::tensix::Opcode opcode, Cycle now) const;
  Issue dispatch(regs::tensix::Opcode opcode, Context& context);

  Issue matrix_multiply(Context& context, unsigned rows, bool broadcast_row);
  void multiply(const FloatSums::Product& product, const MathConfig& config);
  Issue elementwise(Context& context, FloatSums::Combine combine);
  Issue max_pool(Context& context);
  Issue move_src_to_dst(Context& context, bool from_srcb);
  Issue move_dst_to_src(Context& context, bool to_srcb);
  Issue move_srcb_to_srca(Context& context);
  Issue shift_srca(Context& context);
  Issue shift_srcb(Context& context);
  Issue transpose_srcb(Context& context);
  Issue zero_dst(Context& context);
  Issue zero_src(Context& context);
  Issue set_counters(Context& context);
  Issue increment_counters(Context& context);
  Issue clear_data_valid(Context& context);
  Issue clear_exponent_histograms(Context& context);

  /// Raises a fault for roundings that no page describes.
  void check_rounding(const Context& context);
  /// Rows of a block of Dst, every `step`th from `row` on, which become defined.
  void rows_to_write(unsigned row, unsigned step, bool dst32, bool accumulate,
                     std::span<FloatSums::DstRow> rows);
  /// The first of `count` rows of a block of Dst, whose undefined elements become defined.
  FloatSums::DstRow rows_to_add_to(unsigned row, unsigned step, unsigned count, bool dst32);
  /// First cycle at which the block of `row` may be read.
  Cycle readable_from(unsigned row, bool dst32) const;
  /// Returns if sums of the context's thread may be added to the block of `row`. While the thread
  /// waits for those of another thread, it holds the unit.
  Issue wait_to_accumulate(const Context& context, unsigned row, bool dst32);
  void summed(unsigned row, bool dst32, const Context& context);
  void changes_row(unsigned row, bool dst32, Cycle now);
  void written(unsigned row, bool dst32, Cycle issued, Cycle latency);
  void flip_sources(const Context& context, bool srca, bool srcb);
  void advance(Context& context, unsigned addr_mod);

  /// For each place of a REPLAY buffer: the number of MVMULs from there on that free no bank. The
  /// first place follows the last.
  struct Sequence {
    std::uint64_t changes = 0;
    std::array<std::uint8_t, kReplayed> plain{};
  };
  static constexpr Cycle kShortest = 2;  ///< shorter sequences do not pay
  static void look_through(Sequence& sequence, ReplayBuffer words, std::uint64_t changes);
  bool begins_products(unsigned thread, Cycle now) const;

  /// Consecutive MVMULs.
  class Products {
   public:
    Products(MatrixUnit& unit, unsigned thread);
    /// True if the next MVMUL need not wait for its block of Dst.
    bool may_add(std::uint32_t word, Cycle now);
    void add(std::uint32_t word, Cycle now);

   private:
    MatrixUnit& unit_;
    const unsigned thread_;
    const MathConfig config_;
    Rwc& rwc_;
    const SrcBank& srca_;
    const SrcBank& srcb_;
    unsigned dst_row_ = 0;
    FloatSums::Product product_;
    unsigned known_ = 0;  ///< known modifiers, one bit each
    std::array<AddrMod, AddrMod::kSections> mods_;
  };

  std::string name_;
  RegisterFiles& registers_;
  const BackendConfig& config_;
  foundation::FaultPolicy& faults_;
  const FloatSums& sums_;
  ExponentHistograms* histograms_ = nullptr;
  FloatSums::Kept kept_;
  std::array<Sequence, kThreads> sequences_;

  /// A thread that waits to accumulate has the turn; others wait behind it.
  unsigned turn_of_ = 0;
  Cycle turn_until_ = 0;

  bool gave_banks_ = false;  ///< the latest instruction returned a bank
  /// Row of SrcA of the latest instruction that has one. SHIFTXA uses it (a defect of the silicon).
  unsigned last_srca_row_ = 0;
  /// After MOVA2D, MOVB2D, MOVDBGA2D: first cycle for instructions that read Dst.
  Cycle moved_to_dst_ = 0;
  /// After MOVD2A, MOVB2A, MOVD2B: first cycle for other instructions than these.
  Cycle moved_to_src_ = 0;
  bool moved_to_srcb_ = false;
};

}  // namespace tvp::tensix::coprocessor
