#pragma once

// The three T cores and the state of each. A kernel's source is compiled for each of them
// (kernel_api 1.11). Code inside UNPACK(), MATH() or PACK() runs on one of them, other code on all
// three.

#include <stdint.h>

#include <type_traits>

#include "chlkc_descriptors.h"
#include "ckernel_instr_params.h"
#include "ckernel_ops.h"
#include "compile_time_args.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "hostdevcommon/kernel_structs.h"
#include "internal/circular_buffer_interface.h"
#include "internal/mod_div_lib.h"
#include "internal/risc_attribs.h"
#include "kernel_args.h"
#include "llk_defs.h"
#include "tt-metalium/constants.hpp"

#if defined(WATCHER_ENABLED)
#define TVP_LLK_CHECK(condition) ASSERT(condition)
#endif
#include "firmware/llk/tile.h"

#if COMPILE_FOR_TRISC == 0
#include "firmware/llk/llk_unpack.h"
#include "firmware/llk/stream.h"
#include "firmware/llk/unpack_matmul.h"
#define UNPACK(x) x
#define MATH(x)
#define PACK(x)
#elif COMPILE_FOR_TRISC == 1
#include "firmware/llk/llk_math.h"
#include "firmware/llk/llk_matmul.h"
#include "firmware/llk/llk_reduce.h"
#include "firmware/llk/llk_sdpa.h"
#include "firmware/llk/sfpu/sfpu.h"
#include "firmware/llk/sfpu/sfpu_activation.h"
#include "firmware/llk/sfpu/sfpu_broadcast.h"
#include "firmware/llk/sfpu/sfpu_cast.h"
#include "firmware/llk/sfpu/sfpu_columns.h"
#include "firmware/llk/sfpu/sfpu_compare.h"
#include "firmware/llk/sfpu/sfpu_derivative.h"
#include "firmware/llk/sfpu/sfpu_division.h"
#include "firmware/llk/sfpu/sfpu_exp.h"
#include "firmware/llk/sfpu/sfpu_math.h"
#include "firmware/llk/sfpu/sfpu_pairs.h"
#include "firmware/llk/sfpu/sfpu_polygamma.h"
#include "firmware/llk/sfpu/sfpu_random.h"
#include "firmware/llk/sfpu/sfpu_scan.h"
#include "firmware/llk/sfpu/sfpu_special.h"
#include "firmware/llk/sfpu/sfpu_trigonometry.h"
#include "firmware/llk/sfpu/sfpu_zeros.h"
#include "firmware/llk/transpose_dst.h"
#define UNPACK(x)
#define MATH(x) x
#define PACK(x)
#else
#define TVP_VECTOR_UNIT_BORROWED 1
#include "firmware/llk/llk_pack.h"
#include "firmware/llk/pack_rows.h"
#include "firmware/llk/stream.h"
#define UNPACK(x)
#define MATH(x)
#define PACK(x) x
#endif

#ifndef MAIN
#if COMPILE_FOR_TRISC == 0
#define NAMESPACE chlkc_unpack
#define MAIN unpack_main()
#elif COMPILE_FOR_TRISC == 1
#define NAMESPACE chlkc_math
#define MAIN math_main()
#else
#define NAMESPACE chlkc_pack
#define MAIN pack_main()
#endif
#endif

// Kernels keep helpers there and use them from a kernel_main() outside.
namespace NAMESPACE {}
using namespace NAMESPACE;

using uint = uint32_t;

namespace ckernel {

namespace llk = tvp::llk;

/// True if the host sets, for any buffer, that kernels use only part of its tiles' faces.
inline constexpr bool kSaysFaces = [] {
  for (unsigned i = 0; i < sizeof(unpack_tile_r_dim); ++i)
    if (unpack_tile_face_r_dim[i] != (unpack_tile_r_dim[i] < 16 ? unpack_tile_r_dim[i] : 16))
      return true;
  return false;
}();
/// The tiles of a circular buffer, as described by the host. In a 32-bit Dst the bits of UInt16 are
/// those of BF16 (llk/sfpu/sfpu_cell.h).
ALWI llk::Operand operand(uint32_t cb) {
  const uint32_t height = unpack_tile_r_dim[cb];
  const uint32_t rows = kSaysFaces ? unpack_tile_face_r_dim[cb] : height < 16 ? height : 16;
  auto format = static_cast<llk::DataFormat>(unpack_src_format[cb] & 0xF);
#if COMPILE_FOR_TRISC == 0
  if (DST_ACCUM_MODE && format == llk::DataFormat::kInt16) format = llk::DataFormat::kBf16;
#endif
  return {format, {static_cast<uint8_t>(unpack_tile_num_faces[cb]), static_cast<uint8_t>(rows)}};
}

/// An operand is known by its circular buffer.
constexpr uint32_t get_operand_id(uint32_t cb) { return cb; }
ALWI uint32_t get_operand_num_faces(uint32_t id) { return operand(id).shape.faces; }
ALWI uint32_t get_operand_face_r_dim(uint32_t id) { return operand(id).shape.face_rows; }
constexpr uint32_t get_output_id(uint32_t cb) { return cb; }
ALWI uint32_t get_output_num_faces(uint32_t id) { return operand(id).shape.faces; }
ALWI uint32_t get_output_face_r_dim(uint32_t id) { return operand(id).shape.face_rows; }

/// True if the kernel has a circular buffer with tiles of this format.
constexpr bool any_buffer_of(llk::DataFormat format) {
  for (const uint8_t each : unpack_src_format) {
    if (each != 255 && static_cast<llk::DataFormat>(each & 0xF) == format) return true;
  }
  return false;
}
// A bit for each circular buffer whose FP32 numbers reach Dst unchanged (the host's
// UnpackToDestMode).
#ifndef TVP_UNPACK_TO_DST_FP32
#define TVP_UNPACK_TO_DST_FP32 0u
#endif
/// True if some buffer's tiles go to Dst past SrcA: 32-bit integers or such FP32 numbers. The
/// UNPACK thread then also tracks the half of Dst.
inline constexpr bool kUnpacksToDst =
    any_buffer_of(llk::DataFormat::kInt32) || (DST_ACCUM_MODE && TVP_UNPACK_TO_DST_FP32 != 0);
/// In a 16-bit Dst such a tile takes two rows for each of its own. Half of Dst holds tiles 0 to 3
/// of them.
inline constexpr bool kHasInt32InShortDst =
    !DST_ACCUM_MODE && any_buffer_of(llk::DataFormat::kInt32);
ALWI bool unpacks_fp32_to_dst(uint32_t cb) {
  return DST_ACCUM_MODE && (TVP_UNPACK_TO_DST_FP32 >> cb & 1) != 0 &&
         operand(cb).format == llk::DataFormat::kFp32;
}
inline constexpr bool kHasInt16 = any_buffer_of(llk::DataFormat::kInt16);
inline constexpr bool kHasInt8 = any_buffer_of(llk::DataFormat::kInt8);
/// Numbers with 5-bit exponents do not move unchanged to a 32-bit Dst (ISA MOVA2D.md). Copies of
/// such tiles add zeros, as in tt-llk. Other moves of them are not supported.
ALWI bool copies_by_adding(uint32_t cb) {
  return DST_ACCUM_MODE && llk::kShortExponents && llk::has_short_exponent(operand(cb).format);
}
[[gnu::error(
    "exponents of 5 bits (Float16, Bfp8, Bfp4) are not moved to a DST of 32 bits here")]] void
no_move_of_short_exponents();
ALWI void moves_to_dst(uint32_t cb) {
  if constexpr (DST_ACCUM_MODE && llk::kShortExponents) {
    if (copies_by_adding(cb)) no_move_of_short_exponents();
  }
}

/// The state that this core keeps between calls of the API.
struct ThreadState {
#if COMPILE_FOR_TRISC == 0
  llk::Operand a, b;
  llk::Broadcast broadcast = llk::Broadcast::kNone;
  bool transpose = false;  ///< transposes the faces of `a`
  uint32_t row = 0;    ///< row length of the row-major matrix that SrcA's tiles are cut from, or 0
  llk::DstHalf half;   ///< only if kUnpacksToDst
  llk::Operand parts;  ///< tiles that are cut from rows and paired with one in SrcB
  llk::Fill fill = llk::Fill::kNone;
#elif COMPILE_FOR_TRISC == 1
  llk::DstHalf half;
  llk::TileShape shape;  ///< shape of the last initialized operation
  uint32_t defined_tiles =
      0;  ///< bits of this half of Dst: copied into or reduced since its acquisition; 16 bits
          ///< above: reduced since then and the last reduce_uninit()
  unsigned reduced_base_row = 0;  ///< half of the last reduction
  llk::ReduceAlong reduced_along = llk::ReduceAlong::kRows;
  llk::DataFormat format_a = llk::DataFormat::kBf16;  ///< format of the operand in SrcA
  bool started = false;  ///< the kernel has started and may have used Dst
#else
  llk::DstHalf half;
  llk::Operand out;
  uint32_t row_tiles = 0;                  ///< adjacent tiles while packers write rows
  uint32_t row = 0;                        ///< row length of the matrix, in units of 16 bytes
  llk::TileShape row_part;                 ///< the part of each tile that packers write
  uint32_t row_columns = llk::kWholeRows;  ///< or fewer: only the left ones
#endif
};
static ThreadState thread_state;
#if COMPILE_FOR_TRISC != 1
/// True after the kernel's start. Separate, so that kernels that never read it do not store it.
static bool thread_started = false;
#endif

#define DST_SYNC_MODE (llk::DstHalf::kWhole ? DstSync::SyncFull : DstSync::SyncHalf)

/// Number of tiles of a shape that a kernel has of Dst at a time.
enum DstTileShape { Tile32x32 = 0, Tile32x16 = 1, Tile16x16 = 2 };
template <DstSync kSync, bool kWide, DstTileShape kShape>
constexpr uint32_t get_dest_max_tiles() {
  constexpr uint32_t kRows = (kSync == DstSync::SyncFull ? 1024 : 512) / (kWide ? 2 : 1);
  return kRows >> (6 - kShape);
}

constexpr EltwiseBinaryType ELWADD = EltwiseBinaryType::ELWADD;
constexpr EltwiseBinaryType ELWSUB = EltwiseBinaryType::ELWSUB;
constexpr EltwiseBinaryType ELWMUL = EltwiseBinaryType::ELWMUL;

/// Rows and columns of a face and of a tile.
using tt::constants::FACE_HEIGHT, tt::constants::FACE_WIDTH;
using tt::constants::TILE_HEIGHT, tt::constants::TILE_WIDTH;
constexpr uint32_t FACE_R_DIM = 16, FACE_C_DIM = 16, TILE_R_DIM = 32, TILE_C_DIM = 32;
constexpr uint32_t TILE_NUM_FACES = 4;

constexpr llk::Broadcast broadcast_of(BroadcastType type) {
  return static_cast<llk::Broadcast>(type);
}

#if COMPILE_FOR_TRISC == 1
/// The host's fidelity, which kernels pass as a number or, since 2026, as a type.
struct HostFidelity {
  constexpr operator int() const { return kPhases; }
  constexpr operator MathFidelity() const { return static_cast<MathFidelity>(kPhases); }

  static constexpr int kPhases = static_cast<int>(TVP_MATH_FIDELITY);
};
constexpr HostFidelity MATH_FIDELITY{};

ALWI constexpr llk::Fidelity math_fidelity() {
  constexpr int phases = HostFidelity::kPhases;
  return static_cast<llk::Fidelity>(phases == 0 ? 1 : phases);
}
#elif COMPILE_FOR_TRISC == 2
/// Sets the output of later packs.
ALWI void describe_pack(llk::Operand out) {
  llk::describe_pack(out, thread_state.half);
  if constexpr (kHasInt32InShortDst) llk::read_32_bits(out.format == llk::DataFormat::kInt32);
}
#endif

}  // namespace ckernel

using namespace ckernel;
