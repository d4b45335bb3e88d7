// UNPACR_NOP and the forms of UNPACR that move no datums (ISA UNPACR_NOP*.md, UNPACR_FlushCache.md,
// UNPACR_IncrementContextCounter.md).

#include <algorithm>

#include "models/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/unpackers.h"

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;
namespace op = regs::tensix;
using foundation::FaultKind;

Issue Unpackers::issue_context(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  if (unit.waiting) return Issue::blocked();
  const Cycle accepts = std::max(generator_free_, unit.accepts_from);
  if (now < accepts) return Issue::retry_at(accepts);
  // The cache of row starts is only a matter of speed, and compressed data is not modelled.
  if (op::Unpacr::kIncrementContextCounter.of(instruction)) {
    const unsigned next = (unit.context_counter[thread] + 1U) & 7;
    const unsigned count = 1U << cfg::kUnpacker[unpacker].context_count.get(bank(thread));
    unit.context_counter[thread] = static_cast<std::uint8_t>(next >= count ? 0 : next);
  }
  generator_free_ = now + 1;
  return Issue::started(now + 1, now + 1);
}

Issue Unpackers::issue_nop(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned unpacker = op::UnpacrNop::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  if (unit.waiting) return Issue::blocked();
  const Cycle accepts = std::max(generator_free_, unit.accepts_from);
  if (now < accepts) return Issue::retry_at(accepts);
  switch (static_cast<op::UnpacrNopKind>(op::UnpacrNop::kKind.of(instruction))) {
    case op::UnpacrNopKind::kNop: {
      // Takes one cycle of the unpacker, behind what it still fetches.
      const Cycle start = std::max(now, unit.fetch_free);
      unit.accepts_from = start;
      unit.fetch_free = start + 1;
      generator_free_ = now + 1;
      unit.idle_from[thread] = std::max(unit.idle_from[thread], start + 1);
      return Issue::started(now + 1, start + 1);
    }
    case op::UnpacrNopKind::kSetdvalid:
      return issue_set_dvalid(unpacker, thread, now);
    case op::UnpacrNopKind::kSetreg:
      fault(FaultKind::kUnmodelled, unpacker, "UNPACR_NOP that writes a register");
      break;
    case op::UnpacrNopKind::kOverlayClear:
    case op::UnpacrNopKind::kOverlayClearCount:
      fault(FaultKind::kUnmodelled, unpacker, "UNPACR_NOP that clears messages of a stream");
      break;
    default:
      return issue_zero_src(instruction, thread, now);
  }
  return Issue::started(now + 1, now + 1);
}

Issue Unpackers::issue_set_dvalid(unsigned unpacker, unsigned thread, Cycle now) {
  Unit& unit = units_[unpacker];
  const Cycle done = std::max(now + 1, unit.data_done);
  file(unpacker).unpacker_flip(thread, set_base(unpacker, thread), done);
  unit.counters.banks_given += 1;
  unit.data_done = done;
  unit.idle_from[thread] = std::max(unit.idle_from[thread], done);
  generator_free_ = now + 1;
  return Issue::started(now + 1, done);
}

Issue Unpackers::issue_zero_src(std::uint32_t instruction, unsigned thread, Cycle now) {
  using Nop = op::UnpacrNop;
  const unsigned unpacker = Nop::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  if (Nop::kBothBanks.of(instruction)) {
    fault(FaultKind::kUnmodelled, unpacker, "UNPACR_NOP that clears both banks");
  }
  SrcFile& src = file(unpacker);
  const SrcBank& awaited =
      Nop::kWaitLikeUnpacr.of(instruction) ? src.at_unpacker() : src.at_matrix_unit();
  if (awaited.allowed_client != SrcClient::kUnpackers) return Issue::blocked();
  if (now < awaited.allowed_from) return Issue::retry_at(awaited.allowed_from);

  constexpr std::uint32_t kAllOnes = (1U << 19) - 1;
  const bool negative_infinity = Nop::kNegativeInfSrcA.of(instruction) && unpacker == 0;
  for (auto& row : src.at_unpacker().rows) row.fill(negative_infinity ? kAllOnes : 0);
  const Cycle start = std::max(now, unit.fetch_free);
  const Cycle done = std::max(start + 1, unit.data_done);
  unit.accepts_from = start;
  unit.fetch_free = start + 1;
  unit.data_done = done;
  unit.idle_from[thread] = std::max(unit.idle_from[thread], done);
  generator_free_ = now + 1;
  return Issue::started(now + 1, done);
}

}  // namespace tvp::tensix::coprocessor
