#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/unit_faults.h"
#include "models/tensix/coprocessor/unpack/unpack_conversion.h"
#include "models/tensix/coprocessor/unpack/unpack_plan.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Moves the datums of an UNPACR from L1 through the conversion to SrcA, SrcB or Dst.
class UnpackDataPath {
 public:
  struct Counters {
    std::uint64_t datums = 0;    ///< read from L1
    std::uint64_t l1_bytes = 0;  ///< data and exponents
  };

  UnpackDataPath(RegisterFiles& registers, L1Port& l1, const UnitFaults& faults)
      : registers_(registers), l1_(l1), faults_(faults) {}

  /// Moves all datums at once.
  void move(const UnpackPlan& plan);
  /// Cycles of fetching at the full rate of L1.
  Cycle beats(const UnpackPlan& plan) const;
  /// Cycle at which L1 has delivered them, from `start` on.
  Cycle fetch(const UnpackPlan& plan, Cycle start);
  /// Reports a move at `now` to observers of L1.
  void tell_reads(const UnpackPlan& plan, Cycle now, Cycle done) {
    report_read(plan, now, done);
    if (l1_.observed()) [[unlikely]]
      tell_each(plan, now, done);
  }
  /// The pc that pushed the current instruction; 0: not known.
  std::uint32_t pushed_at() const { return pushed_at_ == nullptr ? 0 : *pushed_at_; }
  void set_pushed_at(const std::uint32_t* pc) { pushed_at_ = pc; }
  /// Reports the pages that it reads, when it is issued.
  void report_page(const UnpackPlan& plan, Cycle now) const;
  /// Rows of Dst that a move at `now` fills until `done`.
  void tell_dst_rows(const UnpackPlan& plan, Cycle now, Cycle done);
  const Counters& counters(unsigned unpacker) const { return counters_[unpacker]; }

 private:
  /// True for most instructions: whole rows of datums that fill bytes go to whole rows of SrcA or
  /// SrcB, and the FIFO does not wrap in them.
  bool moves_rows(const UnpackPlan& plan) const;
  void move_rows(const UnpackPlan& plan, const UnpackConversion& conversion);
  void fault(const UnpackPlan& plan, const char* text) const;
  bool read_chunk(const UnpackPlan& plan, const UnpackConversion& conversion,
                  std::uint64_t data_bit, std::uint64_t& exponent16, unsigned count,
                  std::uint32_t* datums);
  void write_chunk(const UnpackPlan& plan, const std::uint32_t* datums, unsigned count,
                   std::uint32_t& out_index, bool is_32_bit);
  void write_src_row(const UnpackPlan& plan, unsigned out_row, const std::uint32_t* datums);
  static constexpr unsigned kNoRow = ~0U;
  unsigned src_row(const UnpackPlan& plan, unsigned out_row) {
    return plan.unpacker == 1 ? src_b_row(plan, out_row) : src_a_row(plan, out_row);
  }
  unsigned rows_side_by_side(const UnpackPlan& plan, unsigned first, unsigned count) const;
  unsigned src_a_row(const UnpackPlan& plan, unsigned out_row);
  unsigned src_b_row(const UnpackPlan& plan, unsigned out_row) const;
  void write_src_a(const UnpackPlan& plan, std::uint32_t out_index, std::uint32_t datum);
  void write_src_b(const UnpackPlan& plan, std::uint32_t out_index, std::uint32_t datum);
  void write_dst(std::uint32_t out_index, std::uint32_t datum, bool is_32_bit);
  void report_read(const UnpackPlan& plan, Cycle now, Cycle done) const;
  void tell_each(const UnpackPlan& plan, Cycle now, Cycle done);
  SrcFile& file(unsigned unpacker) { return unpacker == 0 ? registers_.srca : registers_.srcb; }

  RegisterFiles& registers_;
  L1Port& l1_;
  const std::uint32_t* pushed_at_ = nullptr;
  const UnitFaults& faults_;
  std::array<Counters, 2> counters_{};
};

}  // namespace tvp::tensix::coprocessor
