#pragma once

#include <cstdint>

namespace tvp::tensix::coprocessor {

/// The packer state that SETDMAREG and TDMA-RISC read and set (ISA SETDMAREG_Special.md,
/// TDMA-RISC.md).
class PackerMetadata {
 public:
  virtual ~PackerMetadata() = default;
  /// LastTileSize when `thread` was the last user of the packer, else 0.
  virtual std::uint16_t tile_size(unsigned packer, unsigned thread) const = 0;
  virtual std::uint16_t accumulated_tile_size(unsigned packer, unsigned thread) const = 0;
  virtual void reset_accumulated_tile_size(unsigned packer) = 0;
  virtual std::uint32_t all_zero_flags(unsigned packer) const = 0;
  /// Counter `bin` (0..31) of the exponent histogram.
  virtual std::uint8_t exponent_histogram(unsigned packer, unsigned bin) const = 0;
  virtual std::uint8_t exponent_histogram_max() const = 0;
  virtual void set_l1_dest_addr_offset(unsigned packer, std::uint16_t offset) = 0;
};

}  // namespace tvp::tensix::coprocessor
