#include "models/tensix/coprocessor/dst_reports.h"

namespace tvp::tensix::coprocessor {

void DstReports::report(Kind kind, unsigned row, Cycle now) const {
  if (!probe_->wants(kind)) return;
  probe_->report({.kind = kind, .index = row, .cycle = now, .offered = probe_->offered()});
}

}  // namespace tvp::tensix::coprocessor
