#pragma once
// tt-metal's names for tiles, formats, circular buffers and chips
// (tt-metalium/constants.hpp, tt_backend_api_types.hpp, hostdevcommon/kernel_structs.h).

#include <cstdint>
#include <span>
#include <string>

#include "firmware/contract/circular_buffer_names.h"
#include "sw/runtime/kernel_types.h"
#include "sw/runtime/work_split.h"

namespace tt {

using DataFormat = ::DataFormat;

enum class ARCH : std::uint8_t { Invalid = 0, GRAYSKULL = 1, WORMHOLE_B0 = 2, BLACKHOLE = 3 };

namespace constants {
constexpr std::uint32_t TILE_HEIGHT = 32;
constexpr std::uint32_t TILE_WIDTH = 32;
constexpr std::uint32_t TILE_HW = TILE_HEIGHT * TILE_WIDTH;
constexpr std::uint32_t FACE_HEIGHT = 16;
constexpr std::uint32_t FACE_WIDTH = 16;
constexpr std::uint32_t FACE_HW = FACE_HEIGHT * FACE_WIDTH;
}  // namespace constants

/// Bytes of a tile of 32 x 32, with the shared exponents of block formats.
inline std::uint32_t tile_size(DataFormat format) { return tvp::runtime::Tile{}.bytes(format); }

using tvp::runtime::div_up;
using tvp::runtime::round_up;

template <typename A, typename B>
constexpr auto align(A number, B to) {
  return round_up(number, to);
}

namespace stl {
template <typename T>
using Span = std::span<T>;
}  // namespace stl

}  // namespace tt

namespace ttsl {
template <typename T>
using Span = std::span<T>;
}  // namespace ttsl

using tvp::runtime::MathFidelity;

namespace tt::tt_metal {
using tvp::runtime::MathFidelity;
}  // namespace tt::tt_metal

// hostdevcommon, circular_buffer_constants.h.
constexpr std::uint32_t NUM_CIRCULAR_BUFFERS = 32;

// What semaphores hold in the examples (hostdevcommon/common_values.hpp).
constexpr std::uint32_t INVALID = 0;
constexpr std::uint32_t VALID = 1;
