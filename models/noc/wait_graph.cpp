#include "models/noc/wait_graph.h"

#include <algorithm>

namespace tvp::noc {

std::vector<Wait> WaitGraph::cycle() const {
  std::vector<Wait> waits = waits_;
  std::stable_sort(waits.begin(), waits.end(),
                   [](const Wait& a, const Wait& b) { return a.waiter < b.waiter; });
  const auto first_of = [&waits](std::uint32_t slot) {
    return static_cast<std::size_t>(
        std::lower_bound(waits.begin(), waits.end(), slot,
                         [](const Wait& w, std::uint32_t s) { return w.waiter < s; }) -
        waits.begin());
  };
  // Depth-first search. `path` holds indices of waits; the blocker of each is the waiter of the
  // next.
  std::vector<bool> seen(waits.size(), false);
  std::vector<std::size_t> path;
  for (std::size_t start = 0; start < waits.size(); ++start) {
    if (seen[start]) continue;
    path.assign(1, start);
    while (!path.empty()) {
      const std::size_t last = path.back();
      if (!seen[last]) {
        seen[last] = true;
        const auto closes = std::find_if(path.begin(), path.end(), [&](std::size_t i) {
          return waits[i].waiter == waits[last].blocker;
        });
        if (closes != path.end()) {
          std::vector<Wait> result;
          for (auto i = closes; i != path.end(); ++i) result.push_back(waits[*i]);
          return result;
        }
      }
      std::size_t next = first_of(waits[last].blocker);
      while (next < waits.size() && waits[next].waiter == waits[last].blocker && seen[next]) ++next;
      if (next < waits.size() && waits[next].waiter == waits[last].blocker) {
        path.push_back(next);
      } else {
        path.pop_back();
      }
    }
  }
  return {};
}

}  // namespace tvp::noc
