#pragma once

#include <cstdint>

#include "foundation/regs/overlay.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::platform {

/// True for the addresses of stream registers, two of which count the pages of a circular buffer.
inline bool is_stream(std::uint32_t address) {
  return address >= regs::tensix_tile::kOverlay && address < regs::tensix_tile::kOverlayEnd;
}
inline unsigned stream_of(std::uint32_t address) {
  return (address - regs::tensix_tile::kOverlay) / regs::overlay::kStreamStride;
}
inline unsigned stream_index(std::uint32_t address) {
  return (address - regs::tensix_tile::kOverlay) % regs::overlay::kStreamStride / 4;
}

}  // namespace tvp::platform
