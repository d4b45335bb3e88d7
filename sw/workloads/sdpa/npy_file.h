#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tvp::workloads::sdpa {

/// An array of a NumPy .npy file: float32, little-endian, C order (numpy.lib.format, versions 1 to
/// 3).
struct NpyFile {
  std::vector<std::size_t> shape;
  std::vector<float> values;

  /// Throws Fault(kDescription) with the file name. For another element type, order or shape it has
  /// the found and the expected value. A zero in `expected` accepts any extent.
  static NpyFile load(const std::string& path, const std::vector<std::size_t>& expected);
};

/// "(4, 8, 8)"
std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace tvp::workloads::sdpa
