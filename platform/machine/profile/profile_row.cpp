#include "platform/machine/profile/profile_row.h"

namespace tvp::platform {

Cycles Profile::total() const {
  Cycles total{};
  for (const ProfileRow& row : rows) total += row.cycles;
  return total;
}

std::uint64_t Profile::without_line() const {
  std::uint64_t cycles = 0;
  for (const ProfileRow& row : rows)
    if (row.function == kNoLine) cycles += row.cycles.sum();
  return cycles;
}

}  // namespace tvp::platform
