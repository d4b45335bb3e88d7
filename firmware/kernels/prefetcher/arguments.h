#pragma once

// The arguments that the host shares with the kernels of the prefetcher and of its ring matmul.

#include <stdint.h>

namespace tvp::kernels::prefetcher {

/// Circular buffers. A tensor's weights are seen through the buffer of their format.
enum Buffer : uint32_t {
  kBlocks = 0,      ///< sender: blocks on their way from DRAM, kPlaces
  kWeights = 1,     ///< receiver: bfloat4_b, bfloat8_b, bfloat16, over the remote buffer
  kActivation = 4,  ///< receiver: its own shard of the activation, which stays
  kGathered = 5,    ///< receiver: shards that come round
  kReady = 6,       ///< receiver: weights may be used
  kDone = 7,        ///< receiver: and are not needed any more
  kBias = 8,        ///< receiver: a tile for each of its outputs' tiles, of which row 0 counts
  kOutput = 16,
  kRemote = 31,
};
inline constexpr uint32_t kFormats = 3;

/// Compile-time arguments of all kernels: what changes their code.
enum Switch : uint32_t {
  kSkipCounters,   ///< performance mode: transactions are not counted one by one
  kWriteIds,       ///< writes are awaited by transaction id, a block late
  kStreamCredits,  ///< credits in stream registers, not in L1
  kCompact,        ///< tensors follow each other without gaps
  kPausable,       ///< the writer waits while its pause word is not zero
  kDirect,         ///< no prefetcher: each core reads its weights from DRAM itself
  kHasBias,        ///< sums begin with it
  kFunction,       ///< Function of each result
  kLocalPops,      ///< blocks are left behind by pops of a local buffer over the remote one
};

enum Function : uint32_t { kIdentity, kRelu, kSilu, kGelu };

/// Common runtime arguments: these, then kShapeWords for each tensor.
enum Common : uint32_t {
  kLayers,
  kTensors,
  kRingSize,        ///< blocks of a tensor
  kReceivers,       ///< receivers of each sender
  kShardTiles,      ///< tiles of the activation in a core, for the largest tensor
  kGatheredShards,  ///< shards that kGathered holds
  kPlaces,          ///< blocks that a sender has room for, each with a transaction id
  kRowTiles,        ///< tiles in a row of the activation, whose tiles are in column order
  kShapes,          ///< the first shape
};
enum Shape : uint32_t {
  kFormat,     ///< 0 to 2, see kWeights
  kBlockRows,  ///< tiles along the inner dimension
  kWidth,      ///< tiles along the outer dimension in each receiver
  kTileBytes,
  kPageBytes,    ///< size of a packet from DRAM
  kPages,        ///< in a sender's block
  kPacketBytes,  ///< size of a packet to a receiver
  kPackets,      ///< in a receiver's part of a row
  kShapeWords,
};

/// Runtime arguments of a sender's kernels.
enum SenderArgument : uint32_t { kBank, kChannel, kAddresses, kSenderStats, kPauseWord };
/// Runtime arguments of a receiver's kernels.
enum ReceiverArgument : uint32_t {
  kRingIndex,
  kPlaceInRow,  ///< among the receivers of its sender
  kNextX,
  kNextY,
  kPreviousX,
  kPreviousY,
  kReceiverStats,
  kWeightsBank,  ///< kDirect: its bank, channel, table of addresses and memory for two blocks
  kWeightsChannel,
  kWeightsAddresses,
  kWeightsMemory,
  kWeightsHalf,  ///< bytes of one of them
  kIsHop,        ///< only passes shards of the activation on
  kReceiverArguments,
};
/// Runtime arguments of a rival on the senders' NoC.
enum RivalArgument : uint32_t {
  kRivalMemory,
  kRivalPackets,
  kRivalToX,
  kRivalToY,
  kRivalSenderX,
  kRivalSenderY,
  kRivalPauseWord,
  kRivalDelay,
  kRivalStats,
};
/// Semaphores of the ring.
enum Semaphore : uint32_t { kArrived, kTaken };

/// Words that cores leave for the host: cycles, and the low word of the wall clock.
enum SenderStat : uint32_t {
  kReaderBegin,
  kReaderEnd,
  kReaderNoRoom,  ///< waits for the writer to free a block
  kReaderNoData,  ///< for DRAM
  kWriterBegin,
  kWriterEnd,
  kWriterNoBlock,  ///< for the reader
  kWriterNoRoom,   ///< for a receiver's room
  kWriterNotSent,  ///< for its writes to have left
  kWriterPaused,
  kSenderStats_,
};
enum ReceiverStat : uint32_t {
  kComputeBegin,
  kComputeEnd,
  kNoWeights,
  kNoWeightsAtFirst,  ///< waits for the first tensor
  kNoActivation,
  kReceiverStats_,
};
/// Then follow two words for each layer and tensor: the times when its weights had arrived and when
/// they were no longer needed. With kDirect they are the times of the first and the last block.
inline constexpr uint32_t kTensorStats = kReceiverStats_;

/// Stream registers of kStreamCredits: a receiver's of what has come, a sender's of each receiver's
/// room. Lower streams count pages of local circular buffers.
inline constexpr uint32_t kSentStream = 40;
inline constexpr uint32_t kRoomStream = 41;

}  // namespace tvp::kernels::prefetcher
