#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/runtime/kernel_types.h"

namespace tvp::runtime {

/// What is worth telling of a core's kernels and buffers when they do not come to an end.
class LaunchNotes {
 public:
  /// A data-movement kernel counts its transactions on a NoC as if it had that to itself. tt-metal
  /// lets two be on one, and where one only reads and the other only writes they come to an end.
  void counts(NOC noc, const std::string& kernel);
  void holds(std::uint32_t buffer, std::uint32_t pages) { pages_[buffer] = pages; }

  /// Two kernels that count on one NoC, if `told` may come from that. Empty or a line.
  std::string of_nocs(const std::string& core, const std::string& told) const;
  /// What the buffers hold that `told` names. Empty or a line.
  std::string of_buffers(const std::string& core, const std::string& told) const;

 private:
  std::array<std::vector<std::string>, 2> counting_;  ///< by NoC
  std::map<std::uint32_t, std::uint32_t> pages_;      ///< by buffer
};

}  // namespace tvp::runtime
