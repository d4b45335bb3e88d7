#pragma once

#include "models/support/probe.h"
#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Reports uses of Dst to the tile's probe. The model moves all datums of an instruction at once,
/// so only a listener can find a use of rows that hardware is not done with. Rows are those of the
/// storage (Dst::storage16, Dst::adjusted).
class DstReports {
 public:
  using Kind = support::ProbeEvent::Kind;

  void set_probe(const support::Probe* probe) { probe_ = probe; }
  /// Null if no listener wants events of the kind.
  const support::Probe* probe_for(Kind kind) const {
    return probe_ != nullptr && probe_->wants(kind) ? probe_ : nullptr;
  }
  /// The matrix or the vector unit changes the row.
  void changed(unsigned row, Cycle now) const {
    if (probe_ != nullptr && probe_->dst().wants_change(row, now)) [[unlikely]]
      report(Kind::kDstChanged, row, now);
  }
  /// The same for rows of whole blocks.
  void changed(unsigned first, unsigned count, Cycle now) const {
    if (probe_ == nullptr || !probe_->dst().wants_any(now)) return;
    for (unsigned row = first; row < first + count; row += support::DstInterest::kBlockRows)
      changed(row, now);
  }
  /// The vector unit loads the row.
  void loaded(unsigned row, Cycle now) const {
    if (probe_ != nullptr && probe_->dst().wants_load(row, now)) [[unlikely]]
      report(Kind::kDstLoaded, row, now);
  }

 private:
  void report(Kind kind, unsigned row, Cycle now) const;

  const support::Probe* probe_ = nullptr;
};

}  // namespace tvp::tensix::coprocessor
