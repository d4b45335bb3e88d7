#include "models/mesh/arbitration.h"

#include <sstream>

#include "foundation/fault.h"

namespace tvp::mesh {

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
