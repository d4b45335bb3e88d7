#pragma once

// Names of tile operations that host code and data-movement code of kernels also use.

#include <stdint.h>

namespace ckernel {

enum class BroadcastType { NONE = 0, COL = 1, ROW = 2, SCALAR = 3 };
enum class EltwiseBinaryType { ELWADD, ELWSUB, ELWMUL };
enum class EltwiseBinaryReuseDestType { NONE = 0, DEST_TO_SRCA = 1, DEST_TO_SRCB = 2 };
enum class PoolType { SUM, AVG, MAX, MIN };
enum class ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum DataCopyType { A2D, B2D };
/// Fidelity phases of a product. LLK calls with this parameter use the kernel's fidelity, which the
/// host sets.
enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };
enum SortDir : bool { ArgMax = false, ArgMin = true };
enum class p_dim_stride_target : uint8_t { IGNORE, FACE_ROW_MAJOR, TILE_ROW_MAJOR };
enum class PackMode : uint8_t { Default = 0, Untilize = 1, Tilize = 2 };
/// Transposition on the way to SrcA: within faces, of faces 1 and 2, or both.
enum class Transpose : uint8_t { None = 0, IntraFace = 1, InterFace = 2, Both = 3 };
/// MATH and PACK take turns with the halves of DST or with all of it.
enum class DstSync { SyncHalf, SyncFull };

}  // namespace ckernel
