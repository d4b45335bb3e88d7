#pragma once

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// Decides when an open row is closed.
class PagePolicy {
 public:
  virtual ~PagePolicy() = default;
  /// True if a column command closes its row by auto-precharge. `row_wanted` is set if another
  /// request to the row is queued.
  virtual bool closes(bool row_wanted) const = 0;
  /// Time for which an unused row stays open after its last column command.
  virtual MemCycle idle_cycles() const { return kNeverMem; }
};

}  // namespace tvp::dram
