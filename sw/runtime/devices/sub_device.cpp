#include "sw/runtime/devices/sub_device.h"

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

SubDevice::SubDevice(std::span<const CoreRangeSet> cores) {
  if (cores.size() > kCoreTypes)
    bad_use("sub-device",
            std::to_string(cores.size()) + " sets of cores; expected workers, then ethernet cores");
  std::copy(cores.begin(), cores.end(), cores_.begin());
  if (std::all_of(cores_.begin(), cores_.end(),
                  [](const CoreRangeSet& set) { return set.ranges().empty(); }))
    bad_use("sub-device", "has no cores");
}

const CoreRangeSet& SubDevice::cores(HalProgrammableCoreType type) const {
  const auto kind = static_cast<std::size_t>(type);
  if (kind >= kCoreTypes)
    bad_use("sub-device",
            "cores of kind " + std::to_string(kind) + "; expected TENSIX or ACTIVE_ETH");
  return cores_[kind];
}

std::uint32_t SubDevice::num_cores(HalProgrammableCoreType type) const {
  return static_cast<std::uint32_t>(cores(type).cores().size());
}

CoreCoord SubDevice::origin() const {
  const auto& ranges = cores(HalProgrammableCoreType::TENSIX).ranges();
  if (ranges.empty()) return {};
  CoreCoord corner = ranges.front().start_coord;
  for (const CoreRange& range : ranges)
    corner = {std::min(corner.x, range.start_coord.x), std::min(corner.y, range.start_coord.y)};
  return corner;
}

}  // namespace tvp::runtime
