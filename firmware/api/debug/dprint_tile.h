#pragma once
// DPRINT << TileSlice(cb, tile, SliceRange::hw0_32_8()) prints datums of a tile in L1, row by row
// as in the matrix, or in the order of L1. The core formats the slice itself; every datum is a
// record.

#include <stdint.h>

#include "chlkc_descriptors.h"
#include "debug/dprint_stream.h"
#include "internal/circular_buffer_interface.h"

/// Rows h0, h0 + hs, … below h1, and columns in the same way.
struct SliceRange {
  uint8_t h0, h1, hs, w0, w1, ws;

  static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
  static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
  static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
  static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
  static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
  static constexpr SliceRange h1_w0_32() { return {1, 2, 1, 0, 32, 1}; }
  static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
};

// Flags of type bool, which kernels pass. A data-movement core selects an input or an output buffer
// and the pointer. Compute cores know both.
using dprint_tslice_ptr_t = bool;
inline constexpr dprint_tslice_ptr_t TSLICE_RD_PTR = true;
inline constexpr dprint_tslice_ptr_t TSLICE_WR_PTR = false;
using dprint_tslice_cb_t = bool;
inline constexpr dprint_tslice_cb_t TSLICE_INPUT_CB = true;
inline constexpr dprint_tslice_cb_t TSLICE_OUTPUT_CB = false;

// Pointers of a circular buffer, in bytes.
inline uint32_t CB_RD_PTR(uint32_t cb) {
  return get_local_cb_interface(cb).fifo_rd_ptr << cb_addr_shift;
}
inline uint32_t CB_WR_PTR(uint32_t cb) {
  return get_local_cb_interface(cb).fifo_wr_ptr << cb_addr_shift;
}
inline uint32_t CB_RD_SZ(uint32_t cb) {
  return get_local_cb_interface(cb).fifo_size << cb_addr_shift;
}
inline uint32_t CB_PAGE_SIZE(uint32_t cb) {
  return get_local_cb_interface(cb).fifo_page_size << cb_addr_shift;
}
inline uint32_t CB_PAGE_COUNT(uint32_t cb) { return get_local_cb_interface(cb).fifo_num_pages; }

template <int kMaxBytes = 64>
struct TileSlice {
  uint32_t cb;
  uint32_t tile;
  SliceRange range;
  bool is_output;
  bool from_write_pointer;
  bool endl_rows;
  bool untilized;

#if defined(COMPILE_FOR_TRISC) || defined(COMPILE_FOR_ERISC)
  TileSlice(uint32_t buffer, uint32_t index, SliceRange slice, bool lines = true,
            bool print_untilized = true)
      : TileSlice(kPacks, kPacks, buffer, index, slice, lines, print_untilized) {}
#else
  /// BRISC prints its input and NCRISC its output by default.
  TileSlice(uint32_t buffer, uint32_t index, SliceRange slice, dprint_tslice_cb_t cb_type,
            dprint_tslice_ptr_t ptr_type = kOwnPointer, bool lines = true,
            bool print_untilized = true)
      : TileSlice(cb_type == TSLICE_OUTPUT_CB, ptr_type == TSLICE_WR_PTR, buffer, index, slice,
                  lines, print_untilized) {}
#endif

 private:
#if defined(COMPILE_FOR_TRISC)
  static constexpr bool kPacks = COMPILE_FOR_TRISC == 2;
#else
  static constexpr bool kPacks = false;
#endif
#if defined(COMPILE_FOR_NCRISC)
  static constexpr dprint_tslice_ptr_t kOwnPointer = TSLICE_WR_PTR;
#else
  static constexpr dprint_tslice_ptr_t kOwnPointer = TSLICE_RD_PTR;
#endif
  TileSlice(bool output, bool written, uint32_t buffer, uint32_t index, SliceRange slice,
            bool lines, bool print_untilized)
      : cb(buffer),
        tile(index),
        range(slice),
        is_output(output),
        from_write_pointer(written),
        endl_rows(lines),
        untilized(print_untilized) {}
};
TileSlice(uint32_t, uint32_t, SliceRange)->TileSlice<>;
// An earlier name.
using TSLICE = TileSlice<64>;

#if defined(DEBUG_PRINT_ENABLED)

namespace tvp::debug {

inline void print_datum(uint32_t address, uint32_t format, uint32_t index) {
  auto* bytes = reinterpret_cast<volatile uint8_t*>(address);
  switch (format) {
    case 0: {
      const uint32_t bits = reinterpret_cast<volatile uint32_t*>(bytes)[index];
      DPRINT << F32(__builtin_bit_cast(float, bits));
      break;
    }
    case 5:
      DPRINT << BF16(reinterpret_cast<volatile uint16_t*>(bytes)[index]);
      break;
    case 8:
      DPRINT << static_cast<int32_t>(reinterpret_cast<volatile uint32_t*>(bytes)[index]);
      break;
    case 24:
      DPRINT << uint32_t(reinterpret_cast<volatile uint32_t*>(bytes)[index]);
      break;
    case 9:
      DPRINT << uint16_t(reinterpret_cast<volatile uint16_t*>(bytes)[index]);
      break;
    default:
      DPRINT << "?";  // block formats and others
  }
}

}  // namespace tvp::debug

template <int kMaxBytes>
DebugPrinter operator<<(DebugPrinter dp, const TileSlice<kMaxBytes>& slice) {
#if !defined(COMPILE_FOR_TRISC) || COMPILE_FOR_TRISC != 1
  const LocalCBInterface& local = get_local_cb_interface(slice.cb);
  const uint32_t base = slice.from_write_pointer ? local.fifo_wr_ptr : local.fifo_rd_ptr;
  const uint32_t address = (base + slice.tile * local.fifo_page_size) << cb_addr_shift;
  const uint32_t rows = unpack_tile_r_dim[slice.cb];
  const uint32_t face_rows = rows < 16 ? rows : 16;
  for (uint32_t h = slice.range.h0; h < slice.range.h1 && h < rows; h += slice.range.hs) {
    for (uint32_t w = slice.range.w0; w < slice.range.w1; w += slice.range.ws) {
      uint32_t index = h * 32 + w;
      if (slice.untilized)
        index = (h / face_rows * 2 + w / 16) * face_rows * 16 + h % face_rows * 16 + w % 16;
      const uint32_t format =
          slice.is_output ? pack_dst_format[slice.cb] : unpack_src_format[slice.cb];
      tvp::debug::print_datum(address, format, index);
      DPRINT << " ";
    }
    if (slice.endl_rows) DPRINT << ENDL();
  }
#endif
  return dp;
}

#endif
