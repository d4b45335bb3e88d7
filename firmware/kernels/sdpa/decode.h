#pragma once

// Circular buffers, arguments and time stamps of the flash decode that host and kernels share.
// Freestanding.

#include <stdint.h>

#include "firmware/kernels/sdpa/buffers.h"

namespace tvp::kernels::sdpa {

/// Circular buffers of tiles of 32 x 32. Queries are in rows 0 to 7. A core attends to one chunk of
/// keys after the other and merges each chunk's partial result with the total of the earlier ones.
/// kScaleA and kScaleB are those of the merges.
enum DecodeBuffer : uint32_t {
  kQueries,
  kKeys,
  kValues,
  kOnes,     ///< one tile whose faces have ones in row 0
  kScores,   ///< FP32
  kWeights,  ///< exp(score - maximum) of a chunk
  kTotalNumerator,
  kTotalSum,
  kTotalMax,
  kChunkNumerator,
  kChunkSum,
  kChunkMax,
  kTotalDone,  ///< a page for the writer when the total is complete
  kDecodeBuffers,
};
static_assert(static_cast<uint32_t>(kDecodeBuffers) <= static_cast<uint32_t>(kScaleA));
/// Totals that fit into their buffers: the old one and the new one of a merge.
constexpr uint32_t kTotals = 2;

/// Rows of tiles that a core reads before it waits for them: 16 tiles or one row.
constexpr uint32_t read_rows(uint32_t head_tiles) { return head_tiles < 16 ? 16 / head_tiles : 1; }
/// Rows of tiles of a chunk: up to four reads and 512 keys.
constexpr uint32_t chunk_rows(uint32_t head_tiles) {
  const uint32_t rows = read_rows(head_tiles);
  return rows < 4 ? 4 * rows : 16 / rows * rows;
}

enum DecodeCompileArg : uint32_t {
  kDecodeHeadTiles,  ///< tiles of a head
  kDecodeKeyTiles,   ///< tiles of keys of a device
  kDecodeScale,      ///< factor of the scores, as the bits of an FP32
  kDecodeCompileArgs,
};

/// Arguments of the reader. The accessors of queries and keys, which have one layout, follow the
/// compile-time arguments.
enum DecodeReaderArg : uint32_t {
  kDecodeReaderStamps,
  kDecodeWorker,
  kDecodeQueries,  ///< addresses in DRAM
  kDecodeKeys,
  kDecodeReaderArgs,
};
enum DecodeWriterArg : uint32_t {
  kDecodeWriterStamps,
  kDecodeWriterWorker,
  kDecodeValues,   ///< address in DRAM
  kDecodePartial,  ///< address of the partial result in L1, in tiles of 8 x 32
  kDecodeWriterArgs,
};

enum DecodeStamp : uint32_t {
  kDecodeStarted,
  kDecodeKeysRead,
  kDecodeValuesRead,
  kDecodeComputed,
  kDecodeWritten,
  kDecodeStamps,
};

}  // namespace tvp::kernels::sdpa
