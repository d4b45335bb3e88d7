#pragma once

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// When an open row is closed again.
class PagePolicy {
 public:
  virtual ~PagePolicy() = default;
  /// True if a column command closes its row by auto-precharge. `row_wanted`: the scheduler has
  /// another request to the row.
  virtual bool closes(bool row_wanted) const = 0;
  /// How long a row that nobody wants stays open after its last column command.
  virtual MemCycle idle_cycles() const { return kNeverMem; }
};

}  // namespace tvp::dram
