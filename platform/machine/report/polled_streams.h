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

/// Those that the loop around the core's pc loads, by the addresses that its registers hold now: of
/// a core that sleeps in a poll. Empty where the loop cannot be made out.
std::vector<PolledStream> polled_streams(riscv::Core& core);

}  // namespace tvp::platform
