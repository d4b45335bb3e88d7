#pragma once

#include "foundation/fault.h"

namespace tvp::foundation {

/// A policy that can record a fault and go on, even if it stops at other faults.
class WarningSink {
 public:
  virtual ~WarningSink() = default;
  virtual void warn(const Fault& fault) = 0;
};

}  // namespace tvp::foundation
