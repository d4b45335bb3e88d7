#pragma once

#include <cstdint>
#include <vector>

namespace tvp::riscv {
class Core;
}

namespace tvp::platform {

/// A stream register that a core polls.
struct PolledStream {
  unsigned stream;
  unsigned index;
  bool operator==(const PolledStream&) const = default;
};

/// Stream registers that the loop around the core's pc loads, with addresses from the current
/// register values. For a core that sleeps in a poll. Empty if the loop is not recognized.
std::vector<PolledStream> polled_streams(riscv::Core& core);

}  // namespace tvp::platform
