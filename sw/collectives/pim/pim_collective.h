#pragma once

#include <string>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A primitive that the units of a PIM system execute without a schedule (workload `pim_<name>`).
/// Its order of steps is in the execution form: in a compiled program of firmware/collectives, in
/// the switch between chips, or on the host.
struct PimCollective {
  std::string name;
  Primitive primitive = Primitive::kAllReduce;
  std::string summary;
  /// Execution forms, the default first. `host`: the host moves all bytes over the DDR bus
  /// (HostPath). `in_switch`: the switch between the chips of a rank combines and multicasts. The
  /// others are orders of messages between units.
  std::vector<std::string> forms;
  /// The form that the PIM interconnect document specifies; empty if there is none. The variant
  /// `as_written` executes the document word for word.
  std::string document_form = {};

  bool has_ring() const { return forms.front() == "ring"; }
  bool has_root() const { return primitive == Primitive::kBroadcast; }
  /// True if all ranks end with the same bytes.
  bool same_everywhere() const {
    return primitive != Primitive::kReduceScatter && primitive != Primitive::kAllToAll;
  }
};

const std::vector<PimCollective>& pim_collectives();
/// Throws Fault(kDescription) that lists the names.
const PimCollective& pim_collective(const std::string& name);

}  // namespace tvp::collectives
