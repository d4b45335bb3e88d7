#include "foundation/nearest_name.h"

#include <algorithm>

#include "foundation/settings_registry.h"

namespace tvp::foundation {

std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names) {
  // At most a third of the letters may differ; in short words two, but never all.
  std::size_t best = std::min(std::max<std::size_t>(2, wrong.size() / 3) + 1, wrong.size());
  std::string nearest;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(wrong, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace tvp::foundation
