#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tvp::cli {

/// Random values between two ends.
struct SweepSample {
  long double from = 0;
  long double to = 0;
  bool whole = false;  ///< all values are integers; set if both ends are
  std::size_t count = 0;
  bool stratified = false;  ///< Latin hypercube: one value in each of `count` equal parts

  /// The values. Equal seeds and keys give equal values; different keys give independent ones. More
  /// values of a sample that is not stratified begin with the same values.
  std::vector<std::string> values(std::uint64_t seed, const std::string& key) const;
};

/// A key of `vp sweep --vary` and its values, in the order of the runs.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
  std::optional<SweepSample> sample;  ///< in place of values
};

/// Reads `key=a,b,c` (a value with a comma is quoted with "), `key=from:to:step`,
/// `key=from:to:*factor`, `key=from:to:logN`, `key=from:to:randomN` and `key=from:to:lhsN`. `to` is
/// included if a step reaches it. Throws foundation::Fault(kDescription) for anything else.
SweepAxis parse_axis(const std::string& argument);

}  // namespace tvp::cli
