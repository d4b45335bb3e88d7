#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace tvp::mesh {

inline constexpr unsigned kTrafficClasses = 4;

/// Order in which competing requests are served.
enum class Arbitration : std::uint8_t {
  kRoundRobin,
  kOldest,    ///< first the packet that was created first
  kStrict,    ///< first the highest traffic class
  kWeighted,  ///< classes in turn, each as often as its weight
};

/// Names for `mesh.arbitration`: "default" and these.
std::vector<std::string> arbitration_names();
/// The arbitration with this name. The default is round robin with virtual channels and oldest
/// first without. Throws Fault(kDescription) if name and channels do not fit together.
Arbitration find_arbitration(const std::string& name, bool has_channels);

/// Weights of traffic classes from text like "1:2:4:8". Throws Fault(kDescription).
std::array<std::uint8_t, kTrafficClasses> parse_weights(const std::string& text);

/// Weighted round robin between traffic classes. A class has a credit equal to its weight. When no
/// requesting class has credit left, all credits are renewed.
class ClassTurn {
 public:
  void init(const std::array<std::uint8_t, kTrafficClasses>& weights) {
    weights_ = weights;
    left_ = weights;
  }
  /// The next class from a non-empty set of classes.
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
