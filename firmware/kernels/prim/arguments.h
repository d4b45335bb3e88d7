#pragma once
// Arguments of the programs of the PrIM kind: the host sets them before the start. All addresses
// are in the bank. Host and units lay the structures out alike.

#include <cstdint>

namespace tvp::firmware::prim {

struct Arguments {
  std::uint32_t elements = 0;  ///< elements of this unit; a product has rows of `columns`
  std::uint32_t columns = 0;   ///< elements of a matrix's row
  std::uint32_t first = 0;     ///< operand
  std::uint32_t second = 0;    ///< other operand, the vector of a product
  std::uint32_t output = 0;
  std::uint32_t pass = 0;  ///< scan: 0 scans, 1 adds `base`
  std::int64_t base = 0;   ///< scan: sum of the units before
};

struct Results {
  std::uint64_t cycles = 0;  ///< longest time of a tasklet in the measured part
  std::int64_t value = 0;    ///< sum of a reduction or of a unit's scan
  /// dma: cycles of a read and of a write of 8, 32, 128, 512 and 2048 bytes
  std::uint32_t reads[5] = {};
  std::uint32_t writes[5] = {};
};

inline constexpr std::uint32_t kDmaSizes[5] = {8, 32, 128, 512, 2048};
inline constexpr std::uint32_t kBins = 256;      ///< bins of a histogram
inline constexpr std::uint32_t kDepthBits = 12;  ///< bits of an element of its input

}  // namespace tvp::firmware::prim
