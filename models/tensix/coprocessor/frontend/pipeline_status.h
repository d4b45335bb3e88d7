#pragma once

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// For FLUSHDMA: first cycle at which the pipelines of STALLWAIT's conditions C1 to C3 are empty
/// for a thread.
class PipelineStatus {
 public:
  virtual ~PipelineStatus() = default;
  virtual Cycle pipeline_idle_from(unsigned thread, unsigned condition) const = 0;
};

}  // namespace tvp::tensix::coprocessor
