#pragma once

#include <ostream>
#include <vector>

#include "models/support/memory_observer.h"

namespace tvp::support {

/// Records the events of an observed memory.
class MemoryRecorder : public MemoryObserver {
 public:
  void accessed(const MemoryAccess& access) override { seen.push_back(access); }
  std::vector<MemoryAccess> seen;
};

inline bool operator==(const MemoryAccess& a, const MemoryAccess& b) {
  return a.memory == b.memory && a.agent == b.agent && a.address == b.address &&
         a.bytes == b.bytes && a.is_write == b.is_write && a.cycle == b.cycle &&
         a.done_cycle == b.done_cycle;
}

inline std::ostream& operator<<(std::ostream& out, const MemoryAccess& a) {
  return out << (a.is_write ? "write of " : "read of ") << a.bytes << " at " << a.address
             << " of memory " << static_cast<unsigned>(a.memory) << " by "
             << static_cast<unsigned>(a.agent) << " in " << a.cycle << ", done " << a.done_cycle;
}

}  // namespace tvp::support
