#pragma once

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// For FLUSHDMA: first cycle at which a thread has nothing left in the pipelines of STALLWAIT's
/// conditions C1 to C3.
class PipelineStatus {
 public:
  virtual ~PipelineStatus() = default;
  virtual Cycle pipeline_idle_from(unsigned thread, unsigned condition) const = 0;
};

}  // namespace tvp::tensix::coprocessor
