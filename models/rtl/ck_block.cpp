#include "models/rtl/ck_block.h"

#include <utility>

#include "foundation/fault.h"

namespace tvp::rtl {

using dram::MemCycle;

CkBlock::CkBlock(const ChannelClock& clock, std::string where)
    : clock_(clock), where_(std::move(where)) {}

MemCycle CkBlock::delay_until(MemCycle when, MemCycle limit) {
  tick_to_present();
  if (when < now_) {
    fail("cycle " + std::to_string(when) + " of CK is asked for, and " + std::to_string(now_) +
         " has begun");
  }
  if (when - now_ >= limit) {
    fail("cycle " + std::to_string(when) + " of CK is asked for at " + std::to_string(now_) +
         ": expected less than " + std::to_string(limit) + " cycles in advance");
  }
  return when - now_;
}

/// The pins of a wave file's cycle are those of its last cycle of CK. An idle block shows its pins
/// once.
void CkBlock::tick_to_present() {
  const MemCycle end = clock_.to_ck.down(clock_.calendar.now());
  while (now_ < end) {
    const support::Cycle cycle = clock_.to_wave.down(now_);
    const bool idle = is_idle();
    if (watched_) show(cycle, idle || clock_.to_wave.down(now_ + 1) != cycle);
    if (idle) {
      now_ = end;
      return;
    }
    tick();
    ++now_;
  }
}

void CkBlock::show(support::Cycle cycle, bool last) {
  sample();
  if (!last) return;
  pin_waves_.show(cycle);
  forget();
}

void CkBlock::watch_pins(support::WaveRecorder& recorder, const std::string& path) {
  watched_ = true;
  const auto attach = [&](auto& signal, const PinWaves::Row& row) {
    recorder.watch(signal, {.path = path + "." + row.name, .width = row.width});
  };
  pin_waves_.watch(attach, attach);
}

void CkBlock::fail(const std::string& text) const {
  throw foundation::Fault(foundation::FaultKind::kInternal, where_, text);
}

}  // namespace tvp::rtl
