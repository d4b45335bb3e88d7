#include "models/switch/switch_link_faults.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "foundation/fault.h"

namespace tvp::switching {

SwitchLinkFaults::SwitchLinkFaults(const std::string& text, const SwitchTree& tree)
    : down_from_ps_(tree.nodes()), tree_(tree) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t at = word.find('@');
    const unsigned node = tree.named(word.substr(0, at));
    std::uint64_t ns = 0;
    const char* const last = word.data() + word.size();
    const auto [end, error] =
        std::from_chars(word.data() + std::min(at, word.size() - 1) + 1, last, ns);
    const bool number = at != std::string::npos && error == std::errc() && end == last &&
                        ns <= ~std::uint64_t{0} / 1000;
    if (!number || node == SwitchTree::kNone || tree.parent(node) == SwitchTree::kNone) {
      throw foundation::Fault(
          foundation::FaultKind::kDescription, "switch.faults",
          "'" + word + "': expected NAME@NS with a name of unit0 to unit" +
              std::to_string(tree.participants() - 1) +
              (tree.switches() > 1 ? " or switch0 to switch" + std::to_string(tree.switches() - 2)
                                   : "") +
              ", e.g. unit1@2000");
    }
    down_from_ps_[node] = ns * 1000;
  }
}

std::string SwitchLinkFaults::why_down(unsigned node, std::uint64_t ps) const {
  const std::optional<std::uint64_t>& from = down_from_ps_[node];
  if (!from || ps < *from) return "";
  return "the link between " + tree_.name_of(node) + " and " + tree_.name_of(tree_.parent(node)) +
         " is broken since " + std::to_string(*from / 1000) + " ns";
}

}  // namespace tvp::switching
