#pragma once

#include <cstdint>

namespace tvp::test {

/// Set by the test before it runs programs/matmul.cpp.
struct MatmulParameters {
  enum class Mode : std::uint8_t { kTiles, kBlock, kCopy };
  Mode mode = Mode::kTiles;
  unsigned ct = 1, rt = 1, kt = 1;
  bool transpose = false;
  bool partials = false;       ///< starts from the tiles of buffer 2
  unsigned accumulations = 1;  ///< how often the result is packed, added in L1 from the second on
  unsigned in = 0, out = 16;   ///< buffer 0 and the output; a copy reads `in`
};
inline MatmulParameters matmul_parameters;

}  // namespace tvp::test
