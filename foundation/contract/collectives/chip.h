#pragma once
// A rank on a chip. The interpreter runs on one data-movement core of a worker. It passes moves
// between DRAM and L1 to the other data-movement core, and combinations to the compute cores,
// through rings of commands in L1. Counts are free-running; each word has one writer.

#include <stdint.h>

#include "foundation/contract/collectives/program.h"
#include "foundation/contract/fabric/worker_connection.h"

namespace tvp::contract::collectives {

/// Moves are within the interleaved DRAM buffer `memories[memory]`. Compile-time argument `memory`
/// of the kernel is the shift of its page size. This constant is the shift of the host's own
/// buffers.
constexpr uint32_t kPageShift = 12;
constexpr uint32_t kPageBytes = 1 << kPageShift;

constexpr uint32_t kMoveStore =
    1 << 8;  ///< flag beside the memory's number: L1 to DRAM; without it: DRAM to L1
constexpr uint32_t kMoveStop = 1 << 9;
struct Move {
  uint32_t at;
  uint32_t local;  ///< address in L1
  uint32_t bytes;
  uint32_t what;
};
constexpr uint32_t kMoves = 32;  ///< commands in the ring

enum class Combining : uint32_t { kCombine, kScale, kStop };
struct Combination {
  uint32_t mine;      ///< addresses in L1
  uint32_t received;  ///< address in L1; for kScale the factor as bits of an FP32
  uint32_t tiles;
  Combining what;
};
constexpr uint32_t kCombinations = 16;

constexpr uint32_t kHeaderBytes = 64;  ///< one packet header
/// A slice is sent in at most this many packets. Each but the last has the payload size that the
/// host chose; the last one also counts.
constexpr uint32_t kPackets = 4;
constexpr uint32_t kMeshPacketBytes = 4096;              ///< at most the fabric's default
constexpr uint32_t kSliceHeaders = kStaging * kPackets;  ///< headers of one outgoing connection

/// Placed behind the program in the memory of a worker.
struct ChipLayout {
  uint32_t moves_posted;
  uint32_t moves_done;
  uint32_t combinations_posted;
  uint32_t times;  ///< two words of 64 bits: begin and end
  uint32_t moves;
  uint32_t combinations;
  uint32_t headers;  ///< kSliceHeaders for each outgoing connection, one for credits for each
                     ///< incoming one
  uint32_t end;
};
constexpr ChipLayout chip_layout(uint32_t base, uint32_t outs, uint32_t ins) {
  ChipLayout l{};
  l.moves_posted = base;
  l.moves_done = base + 16;
  l.combinations_posted = base + 32;
  l.times = base + 48;
  l.moves = base + 64;
  l.combinations = l.moves + kMoves * static_cast<uint32_t>(sizeof(Move));
  l.headers = l.combinations + kCombinations * static_cast<uint32_t>(sizeof(Combination));
  l.end = l.headers + (outs * kSliceHeaders + ins) * kHeaderBytes;
  return l;
}

/// Ports of a worker: at most one router in each direction.
constexpr uint32_t kPorts = 4;
constexpr uint32_t kSemaphoresPerPort = 3;
constexpr uint32_t kStatusSemaphore = kPorts * kSemaphoresPerPort;
constexpr uint32_t kSemaphoreCount = kStatusSemaphore + 1;

/// Circular buffers whose pointers the compute cores set directly, since operands and results can
/// be anywhere in L1.
enum CombineBuffer : uint32_t { kMine, kReceived, kCombined = 16 };

/// Run-time arguments of the interpreter's kernel. For each port, its number and the
/// ConnectionRuntimeArg words follow.
enum ChipArg : uint32_t {
  kChipProgram,  ///< address in L1
  kChipBase,     ///< address of the ChipLayout
  kChipX,        ///< coordinates of the same worker on every chip
  kChipY,
  kChipRouterStatus,
  kChipTileShift,
  kChipPacketBytes,
  kChipPorts,
  kChipArgs,
};
constexpr uint32_t kPortArgs = 1 + fabric::kConnectionRuntimeArgs;

}  // namespace tvp::contract::collectives
