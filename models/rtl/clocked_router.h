#pragma once

#include <systemc>

#include "models/rtl/pin_waves.h"
#include "models/support/time.h"

namespace tvp::rtl {

/// A verilated router as RtlRouters sees it: pins, and a clock of its own, which stands still while
/// the router has nothing to do.
class ClockedRouter {
 public:
  virtual ~ClockedRouter() = default;
  virtual void set_reset(bool on) = 0;
  virtual void set_clock(bool level) = 0;
  /// Puts what came since the last edge on the inputs.
  virtual void drive() = 0;
  /// Reads the outputs, which are those of this cycle of the mesh's; takes the inputs away.
  virtual void sample(support::Cycle cycle) = 0;
  PinWaves& pin_waves() { return pin_waves_; }

 protected:
  PinWaves pin_waves_;
};

}  // namespace tvp::rtl
