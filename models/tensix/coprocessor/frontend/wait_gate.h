#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/backend.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/scalar/sync_unit.h"

namespace tvp::tensix::coprocessor {

/// Evaluates the conditions of a thread's STALLWAIT or SEMWAIT (ISA STALLWAIT.md, SEMWAIT.md).
class WaitGate {
 public:
  enum Condition : unsigned {
    kScalarMemory = 0,
    kFirstPipeline = 1,
    kFirstPacker = 3,
    kLastPipeline = 7,
    kSrcAForUnpacker = 8,
    kSrcBForUnpacker = 9,
    kSrcAForMath = 10,
    kSrcBForMath = 11,
    kMoverBusy = 12,
    kCoreRequests = 13,
    kVectorPipeline = 14,
    kConfigPipeline = 15,  ///< work of any thread; only Blackhole has this condition
    kConditions = 16,
  };

  WaitGate(const Backend& backend, const RegisterFiles& registers)
      : backend_(backend), registers_(registers) {}

  /// Checks a latched wait in cycle `now`; `epoch` counts the state changes before it.
  void look_at(WaitLatch& latch, unsigned thread, Cycle now, std::uint64_t epoch) const;
  /// First cycle in which one condition holds; kNever if that needs a state change.
  Cycle clear_from(unsigned thread, unsigned condition) const;

 private:
  Cycle met_from(unsigned thread, const WaitLatch& latch, Cycle from) const;

  const Backend& backend_;
  const RegisterFiles& registers_;
};

}  // namespace tvp::tensix::coprocessor
