#pragma once

#include <ostream>
#include <vector>

#include "models/support/probe.h"

namespace tvp::support {

/// Records the events of an observed memory.
class MemoryRecorder : public Probe::Listener {
 public:
  void on(const ProbeEvent& event) override { seen.push_back(event); }
  std::vector<ProbeEvent> seen;
};

inline std::ostream& operator<<(std::ostream& out, const ProbeEvent& a) {
  return out << (a.kind == ProbeEvent::Kind::kWritten ? "write of " : "read of ") << a.bytes
             << " at " << a.address << " of memory " << static_cast<unsigned>(a.memory) << " by "
             << static_cast<unsigned>(a.agent) << " in " << a.cycle << ", done " << a.done;
}

}  // namespace tvp::support
