#include "platform/checks/coprocessor/dst_bounds.h"

#include <string>

#include "foundation/regs/tensix_dst.h"
#include "foundation/regs/tensix_opcodes.h"
#include "platform/checks/coprocessor/dst_handover.h"
#include "platform/checks/coprocessor/instructions.h"

namespace tvp::checks {

namespace op = regs::tensix;
using Kind = ProbeEvent::Kind;

Probe::Kinds DstBounds::kinds() const {
  if (!tile_.looks_at_config()) return 0;
  return Probe::bit(Kind::kSemaphore) | Probe::bit(Kind::kDstSelected) | Probe::bit(Kind::kMath);
}

void DstBounds::on(const ProbeEvent& event) {
  if (event.kind == Kind::kSemaphore) return synchronized(event);
  if (event.kind == Kind::kDstSelected) return selected(event);
  result(event);
}

void DstBounds::synchronized(const ProbeEvent& event) {
  if (event.index != DstHandover::kSemaphore) return;
  const op::Opcode opcode = op::opcode_of(event.instruction);
  if (opcode == op::Opcode::kSeminit) {
    parts_ = op::Seminit::kNewMax.of(event.instruction);
    half_ = 0;
    waits_ = false;
  } else if (event.thread == 1 && opcode == op::Opcode::kSemwait) {
    waits_ = true;
  } else if (event.thread == 1 && opcode == op::Opcode::kSempost) {
    half_ ^= 1;
  }
}

void DstBounds::selected(const ProbeEvent& event) {
  if (event.thread != 1) return;
  constexpr unsigned kHalfRows = regs::dst::kRows / 2;
  const bool is_32_bit = event.layout == ProbeEvent::Layout::kRows32;
  row_ = event.index;
  const unsigned storage = is_32_bit ? regs::dst::adjusted(row_) : row_;
  set_outside(waits_ && (parts_ == 1 || parts_ == 2) &&
              (row_ >= regs::dst::kRows || (parts_ == 2 && storage / kHalfRows != half_) ||
               (parts_ == 1 && is_32_bit && row_ >= kHalfRows)));
}

void DstBounds::set_outside(bool outside) {
  if (outside == is_outside_) return;
  is_outside_ = outside;
  tile_.probe->ask_for_math(outside);
}

void DstBounds::result(const ProbeEvent& event) {
  if (!is_outside_ || event.thread != 1 || !writes_result(event.instruction)) return;
  set_outside(false);
  report(TileContext::Waits::kWarn, tile_.where + ".coprocessor",
         instruction_text(event.instruction, event.thread) + " writes Dst at row " +
             std::to_string(row_) +
             (parts_ == 2 ? ", outside the half that T1 owns now, where T2 may be packing"
                          : ", beyond its last row, and hardware takes the row modulo 1024") +
             ". A half has 8 tiles of 16 bits or 4 of 32 bits, all of Dst (dst_full_sync_en) has "
             "16 or 8. Use a smaller index of a tile" +
             origin_text(event.offered));
}

}  // namespace tvp::checks
