#include "models/mesh/flow_control/arbitration.h"

#include <sstream>

#include "foundation/fault.h"

namespace tvp::mesh {

namespace {
constexpr struct {
  const char* name;
  Arbitration arbitration;
  bool needs_channels;  ///< needs virtual channels; routers without them arbitrate by age
} kArbitrations[] = {
    {"round_robin", Arbitration::kRoundRobin, true},
    {"oldest", Arbitration::kOldest, false},
    {"strict", Arbitration::kStrict, false},
    {"weighted", Arbitration::kWeighted, true},
};
constexpr const char* kDefault = "default";
}  // namespace

std::vector<std::string> arbitration_names() {
  std::vector<std::string> names{kDefault};
  for (const auto& entry : kArbitrations) names.emplace_back(entry.name);
  return names;
}

Arbitration find_arbitration(const std::string& name, bool has_channels) {
  if (name == kDefault) return has_channels ? Arbitration::kRoundRobin : Arbitration::kOldest;
  for (const auto& entry : kArbitrations) {
    if (name == entry.name && (has_channels || !entry.needs_channels)) return entry.arbitration;
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "mesh.arbitration",
                          name + " needs mesh.flow_control=buffered: expected oldest or strict");
}

std::array<std::uint8_t, kTrafficClasses> parse_weights(const std::string& text) {
  constexpr int kLargest = 255;
  std::array<std::uint8_t, kTrafficClasses> weights{};
  std::istringstream stream(text);
  bool good = true;
  for (unsigned c = 0; c < kTrafficClasses; ++c) {
    int weight = 0;
    char colon = 0;
    good = good && (c == 0 || (stream.get(colon) && colon == ':')) && stream >> weight &&
           weight >= 1 && weight <= kLargest;
    weights[c] = static_cast<std::uint8_t>(weight);
  }
  if (good && stream.peek() == std::istringstream::traits_type::eof()) return weights;
  throw foundation::Fault(foundation::FaultKind::kDescription, "mesh.class_weights",
                          "'" + text + "': expected four integers 1..255, e.g. 1:2:4:8");
}

}  // namespace tvp::mesh
