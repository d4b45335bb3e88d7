#include "sw/metalium/shape.h"

#include <functional>
#include <numeric>
#include <string>

#include "sw/runtime/errors.h"

namespace tt::tt_metal {

std::size_t Shape::volume() const {
  return std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t Shape::index(std::int32_t dimension) const {
  const auto rank = static_cast<std::int32_t>(sizes_.size());
  if (dimension < -rank || dimension >= rank)
    tvp::runtime::bad_use("shape",
                          "dimension " + std::to_string(dimension) + " of " + std::to_string(rank));
  return static_cast<std::size_t>(dimension < 0 ? dimension + rank : dimension);
}

}  // namespace tt::tt_metal
