#pragma once
// Reads of Dst for debugging, and prints of a tile in it: tt-metal's dbg_halt,
// dbg_read_dest_acc_row and debug/dprint_tensix.h. MATH reads rows through the registers of debug
// arrays (tt-llk, ckernel_debug.h). Kernels of all cores include this; only compute kernels have
// Dst.

#include <stdint.h>

#include "api/debug/dprint.h"

#if defined(COMPILE_FOR_TRISC)

#include "api/compute/threads/core_sync.h"
#include "api/compute/threads/thread_state.h"
#include "foundation/regs/tensix_dst.h"
#include "foundation/regs/tensix_tile.h"
#include "internal/mailboxes.h"

namespace ckernel {

/// UNPACK and MATH wait until their instructions have completed. UNPACK then waits until
/// dbg_unhalt(). PACK waits for MATH anyway.
ALWI void dbg_halt() {
#if COMPILE_FOR_TRISC == 0
  tensix_sync();
  mailbox_write(MathThreadId, 1);
  mailbox_read(MathThreadId);
#elif COMPILE_FOR_TRISC == 1
  tensix_sync();
  mailbox_read(UnpackThreadId);
#endif
}
ALWI void dbg_unhalt() {
#if COMPILE_FOR_TRISC == 1
  mailbox_write(UnpackThreadId, 1);
#endif
}

#if COMPILE_FOR_TRISC == 1
/// The eight words of a row of 16 bits, counted from the beginning of the storage.
inline void read_dst_storage(uint32_t row, uint32_t* words) {
  using namespace tvp::regs::tensix_tile;
  constexpr uint32_t kDst = 2;
  llk::store(kControl + kArrayReadEnable, 1);
  for (uint32_t i = 0; i < 8; ++i) {
    llk::store(kControl + kArrayReadCommand, row | i << 12 | kDst << 16);
    words[i] = llk::load(kControl + kArrayReadData);
  }
  llk::store(kControl + kArrayReadCommand, 0);
  llk::store(kControl + kArrayReadEnable, 0);
}
#endif

/// Words of a row of this half of Dst, as Dst stores them: an exponent is in the low bits. MATH
/// writes to `rd_data`.
ALWI void dbg_read_dest_acc_row([[maybe_unused]] int row_addr, [[maybe_unused]] uint32_t* rd_data) {
#if COMPILE_FOR_TRISC == 1
  const uint32_t half = thread_state.half.base_row == 0 ? 0 : tvp::regs::dst::kRows / 2;
  read_dst_storage(half + static_cast<uint32_t>(row_addr), rd_data);
#endif
}

#if COMPILE_FOR_TRISC == 1 && defined(DEBUG_PRINT_ENABLED)
/// Bits of a float from a datum of Dst (ISA TensixCoprocessor/Dst.md).
constexpr uint32_t float_of_dst_bf16(uint32_t datum) {
  return (datum & 0x8000) << 16 | (datum & 0xFF) << 23 | (datum >> 8 & 0x7F) << 16;
}
constexpr uint32_t float_of_dst_fp16(uint32_t datum) {
  const uint32_t exponent = datum & 0x1F, mantissa = datum >> 5 & 0x3FF;
  const uint32_t sign = (datum & 0x8000) << 16;
  // Dst holds no denormals.
  return exponent == 0 ? sign : sign | (exponent + 112) << 23 | mantissa << 13;
}

inline void print_dst_row(uint32_t row, bool whole_numbers) {
  const bool wide = thread_state.half.fp32;
  uint32_t high[8], low[8];
  row += thread_state.half.base_row;
  read_dst_storage(wide ? tvp::regs::dst::adjusted(row) : row, high);
  if (wide) read_dst_storage(tvp::regs::dst::adjusted(row) + tvp::regs::dst::kBlockRows, low);
  for (uint32_t i = 0; i < 16; ++i) {
    const uint32_t datum = high[i / 2] >> (16 * (i % 2)) & 0xFFFF;
    if (whole_numbers) {
      DPRINT << SETW(8, false) << datum << " ";
      continue;
    }
    uint32_t bits =
        !wide && llk::kShortExponents ? float_of_dst_fp16(datum) : float_of_dst_bf16(datum);
    if (wide) bits |= low[i / 2] >> (16 * (i % 2)) & 0xFFFF;
    DPRINT << SETW(8, false) << F32(__builtin_bit_cast(float, bits)) << " ";
  }
  DPRINT << ENDL();
}
#endif

/// Prints the rows of a tile in Dst, face by face, on MATH. With `print_by_face` a blank line
/// follows each face.
template <bool print_by_face = false>
ALWI void dprint_tensix_dest_reg([[maybe_unused]] int tile_id = 0) {
  dbg_halt();
#if COMPILE_FOR_TRISC == 1 && defined(DEBUG_PRINT_ENABLED)
  const llk::DataFormat format = thread_state.format_a;
  DPRINT << "Tile ID = " << tile_id << ENDL() << FIXED() << SETPRECISION(4);
  if (format == llk::DataFormat::kInt32 || format == llk::DataFormat::kInt8) {
    DPRINT << "Unsupported data format: " << static_cast<uint32_t>(format) << ENDL();
  } else {
    for (uint32_t i = 0; i < 64; ++i) {
      print_dst_row(static_cast<uint32_t>(tile_id) * 64 + i, format == llk::DataFormat::kInt16);
      if (print_by_face && i % 16 == 15) DPRINT << ENDL();
    }
  }
  DPRINT << DEFAULTFLOAT();
#endif
  dbg_unhalt();
}

}  // namespace ckernel

#endif
