#pragma once
// tt-metal's names for tiles, formats, circular buffers and chips
// (tt-metalium/constants.hpp, tt_backend_api_types.hpp, hostdevcommon/kernel_structs.h).

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>

#include "foundation/contract/circular_buffer_names.h"
#include "sw/runtime/devices/core_types.h"
#include "sw/runtime/programs/kernel_types.h"
#include "sw/runtime/programs/work_split.h"

namespace tt {

using DataFormat = ::DataFormat;

using tvp::runtime::ARCH;

namespace constants {
constexpr std::uint32_t TILE_HEIGHT = 32;
constexpr std::uint32_t TILE_WIDTH = 32;
constexpr std::uint32_t TILE_HW = TILE_HEIGHT * TILE_WIDTH;
constexpr std::uint32_t FACE_HEIGHT = 16;
constexpr std::uint32_t FACE_WIDTH = 16;
constexpr std::uint32_t FACE_HW = FACE_HEIGHT * FACE_WIDTH;
}  // namespace constants

/// Bytes of a datum. Throws Fault(kDescription) for block formats, which share exponents.
constexpr std::uint32_t datum_size(DataFormat format) {
  const std::uint32_t bytes = tvp::runtime::Tile{}.bytes(format);
  if (bytes % constants::TILE_HW != 0) tvp::runtime::refuse_format_without_size();
  return bytes / constants::TILE_HW;
}
/// Bytes of a tile of 32 x 32, with the shared exponents of block formats.
constexpr std::uint32_t tile_size(DataFormat format) { return tvp::runtime::Tile{}.bytes(format); }

using tvp::runtime::div_up;
using tvp::runtime::round_up;

template <typename A, typename B>
constexpr auto align(A number, B to) {
  return round_up(number, to);
}

}  // namespace tt

namespace ttsl {
template <typename T, std::size_t kExtent = std::dynamic_extent>
using Span = std::span<T, kExtent>;

/// A span over a container's elements, writable if the container is.
template <typename Container>
constexpr auto make_const_span(const Container& of) {
  return Span<const std::remove_reference_t<decltype(*std::data(of))>>(std::data(of),
                                                                       std::size(of));
}
template <typename Container>
constexpr auto make_span(Container& of) {
  return Span<std::remove_reference_t<decltype(*std::data(of))>>(std::data(of), std::size(of));
}
}  // namespace ttsl

namespace tt::stl {
using ttsl::make_const_span;
using ttsl::make_span;
using ttsl::Span;
}  // namespace tt::stl

using tvp::runtime::MathFidelity;

namespace tt::tt_metal {
using tvp::runtime::MathFidelity;
}  // namespace tt::tt_metal

// hostdevcommon, circular_buffer_constants.h.
constexpr std::uint32_t NUM_CIRCULAR_BUFFERS = 32;

// Sizes of tt-metal's profiler, by which programs choose numbers of zones
// (hostdevcommon/profiler_common.h of mid-2025).
namespace kernel_profiler {
constexpr std::uint32_t PROFILER_L1_GUARANTEED_MARKER_COUNT = 4;
constexpr std::uint32_t PROFILER_L1_OPTIONAL_MARKER_COUNT = 250;
}  // namespace kernel_profiler
constexpr std::uint32_t PROFILER_OP_SUPPORT_COUNT = 1000;

// Values of semaphores in the examples (hostdevcommon/common_values.hpp).
constexpr std::uint32_t INVALID = 0;
constexpr std::uint32_t VALID = 1;
