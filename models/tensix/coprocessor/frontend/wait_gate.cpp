#include "models/tensix/coprocessor/frontend/wait_gate.h"

#include <algorithm>
#include <bit>

namespace tvp::tensix::coprocessor {

using support::kNever;

void WaitGate::look_at(WaitLatch& latch, unsigned t, Cycle now, std::uint64_t epoch) const {
  if (latch.released_at <= now) {
    latch.valid = false;
    return;
  }
  // Its conditions held in the previous cycle, so the release is certain.
  if (latch.epoch == epoch) return;
  latch.epoch = epoch;
  const Cycle met = met_from(t, latch, std::max(latch.from, now));
  latch.released_at = met == kNever ? kNever : met + 1;
}

Cycle WaitGate::met_from(unsigned t, const WaitLatch& latch, Cycle from) const {
  if (latch.semaphores) return backend_.sync().keeps_waiting(latch) ? kNever : from;
  Cycle met = from;
  for (std::uint32_t left = latch.condition_mask; left != 0; left &= left - 1) {
    met = std::max(met, clear_from(t, static_cast<unsigned>(std::countr_zero(left))));
  }
  return met;
}

Cycle WaitGate::clear_from(unsigned t, unsigned condition) const {
  const auto allowed = [](const SrcBank& bank, SrcClient client) {
    return bank.allowed_client == client ? bank.allowed_from : kNever;
  };
  switch (condition) {
    case kScalarMemory:
      return backend_.scalar().memory_idle_from(t);
    case kSrcAForUnpacker:
      return allowed(registers_.srca.at_unpacker(), SrcClient::kUnpackers);
    case kSrcBForUnpacker:
      return allowed(registers_.srcb.at_unpacker(), SrcClient::kUnpackers);
    case kSrcAForMath:
      return allowed(registers_.srca.at_matrix_unit(), SrcClient::kMatrixUnit);
    case kSrcBForMath:
      return allowed(registers_.srcb.at_matrix_unit(), SrcClient::kMatrixUnit);
    case kMoverBusy:
      return backend_.mover().busy() ? kNever : 0;
    // Stores of the cores are performed at once, so none is in flight.
    case kCoreRequests:
      return 0;
    case kVectorPipeline:
      return backend_.pipelines().idle_from(t, Pipelines::kSfpu);
    case kConfigPipeline:
      return backend_.configuration().idle_from();
    default:
      return backend_.pipelines().pipeline_idle_from(t, condition);
  }
}

}  // namespace tvp::tensix::coprocessor
