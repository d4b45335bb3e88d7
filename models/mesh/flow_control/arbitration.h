#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace tvp::mesh {

inline constexpr unsigned kTrafficClasses = 4;

/// Order of competing requests.
enum class Arbitration : std::uint8_t {
  kRoundRobin,
  kOldest,    ///< the packet that was created first
  kStrict,    ///< the highest traffic class
  kWeighted,  ///< classes in turn, each as often as its weight
};

/// Names for `mesh.arbitration`: "default" and these.
std::vector<std::string> arbitration_names();
/// Arbitration of a name. The default is round robin with virtual channels and oldest first
/// without. Throws Fault(kDescription) if the two do not go together.
Arbitration find_arbitration(const std::string& name, bool has_channels);

/// Weights of traffic classes from text like "1:2:4:8". Throws Fault(kDescription).
std::array<std::uint8_t, kTrafficClasses> parse_weights(const std::string& text);

/// Weighted round robin between traffic classes: a class goes as long as it has something of its
/// weight left; when none of those that want to has, all get theirs again.
class ClassTurn {
 public:
  void init(const std::array<std::uint8_t, kTrafficClasses>& weights) {
    weights_ = weights;
    left_ = weights;
  }
  /// The class that goes, of a set of classes that is not empty.
  unsigned pick(unsigned classes) const {
    unsigned with_rest = 0;
    for (unsigned c = 0; c < kTrafficClasses; ++c) with_rest |= (left_[c] > 0 ? 1U : 0U) << c;
    const unsigned candidates = (classes & with_rest) != 0 ? classes & with_rest : classes;
    return static_cast<unsigned>(std::bit_width(candidates)) - 1;
  }
  void gone(unsigned traffic_class) {
    if (left_[traffic_class] == 0) left_ = weights_;
    --left_[traffic_class];
  }

 private:
  std::array<std::uint8_t, kTrafficClasses> weights_{1, 1, 1, 1};
  std::array<std::uint8_t, kTrafficClasses> left_{1, 1, 1, 1};
};

}  // namespace tvp::mesh
