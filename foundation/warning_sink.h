#pragma once

#include "foundation/fault.h"

namespace tvp::foundation {

/// A policy that can note a fault and go on, whatever it does with faults otherwise.
class WarningSink {
 public:
  virtual ~WarningSink() = default;
  virtual void warn(const Fault& fault) = 0;
};

}  // namespace tvp::foundation
