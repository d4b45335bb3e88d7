#include "models/tensix/coprocessor/coprocessor_signals.h"

namespace tvp::tensix::coprocessor {

void CoprocessorSignals::issued(unsigned t, std::uint32_t instruction, Unit unit, Cycle now,
                                Cycle done) {
  last_issue_[t] = now;
  last_opcode_[t] = static_cast<std::uint16_t>(instruction >> 24);
  if (unit < Unit::kCount) unit_busy[static_cast<unsigned>(unit)].occupy(now, done);
}

void CoprocessorSignals::set(unsigned t, Cycle when, std::uint64_t value) {
  if (value == shown_[t]) return;
  shown_[t] = value;
  thread[t].set(when, value);
}

void CoprocessorSignals::thread_state(unsigned t, Cycle now, ThreadActivity state,
                                      ThreadActivity next) {
  if (pending_at_[t] < now) set(t, pending_at_[t], pending_[t]);
  set(t, now, state.value());
  pending_at_[t] = next.value() != state.value() ? now + 1 : support::kNever;
  pending_[t] = next.value();
}

void CoprocessorSignals::semaphore(unsigned i, std::uint8_t value, Cycle now) {
  if (shown_semaphores_[i] == value) return;
  shown_semaphores_[i] = value;
  semaphores[i].set(now, value);
}

}  // namespace tvp::tensix::coprocessor
