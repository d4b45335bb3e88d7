#pragma once

#include <cstdint>

namespace tvp::test {

/// Parameters that the test sets before it runs programs/matmul.cpp.
struct MatmulParameters {
  enum class Mode : std::uint8_t { kTiles, kBlock, kCopy };
  Mode mode = Mode::kTiles;
  unsigned ct = 1, rt = 1, kt = 1;
  bool transpose = false;
  bool partials = false;       ///< starts from the tiles of buffer 2
  unsigned accumulations = 1;  ///< number of packs of the result; later ones accumulate in L1
  unsigned in = 0, out = 16;   ///< buffer 0 and the output; a copy reads `in`
};
inline MatmulParameters matmul_parameters;

}  // namespace tvp::test
