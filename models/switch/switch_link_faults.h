#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/switch/switch_tree.h"

namespace tvp::switching {

/// The links of a tree that break, and the times (`switch.faults`).
class SwitchLinkFaults {
 public:
  /// Throws Fault(kDescription) that names the key.
  SwitchLinkFaults(const std::string& text, const SwitchTree& tree);

  /// The reason why the link above `node` carries nothing at that time; "" if it works.
  std::string why_down(unsigned node, std::uint64_t ps) const;

 private:
  std::vector<std::optional<std::uint64_t>> down_from_ps_;  ///< index: node
  const SwitchTree& tree_;
};

}  // namespace tvp::switching
