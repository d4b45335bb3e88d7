#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/switch/switch_tree.h"

namespace tvp::switching {

/// Which links of a tree break, and when (`switch.faults`).
class SwitchLinkFaults {
 public:
  /// Throws Fault(kDescription) in the name of the key.
  SwitchLinkFaults(const std::string& text, const SwitchTree& tree);

  /// Why nothing passes the link above `node` at that time; "" when it does.
  std::string why_down(unsigned node, std::uint64_t ps) const;

 private:
  std::vector<std::optional<std::uint64_t>> down_from_ps_;  ///< by node
  const SwitchTree& tree_;
};

}  // namespace tvp::switching
