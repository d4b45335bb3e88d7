#pragma once

// The arguments that the host shares with the kernels of the prefetcher and of its ring matmul.

#include <stdint.h>

namespace tvp::kernels::prefetcher {

/// Circular buffers. A tensor's weights are accessed through the buffer of their format.
enum Buffer : uint32_t {
  kBlocks = 0,      ///< sender: blocks in transit from DRAM, kPlaces
  kWeights = 1,     ///< receiver: bfloat4_b, bfloat8_b, bfloat16, over the remote buffer
  kActivation = 4,  ///< receiver: its own shard of the activation, or the resident tensor
  kGathered = 5,    ///< receiver: arriving shards
  kReady = 6,       ///< receiver: weights may be used
  kDone = 7,        ///< receiver: weights are no longer needed
  kBias = 8,        ///< receiver: a tile for each of its outputs' tiles; only row 0 is used
  kOutput = 16,
  kRemote = 31,
};
inline constexpr uint32_t kFormats = 3;

/// Compile-time arguments of all kernels.
enum Switch : uint32_t {
  kSkipCounters,    ///< performance mode: transactions are not counted one by one
  kWriteIds,        ///< waits for writes by transaction id, a block later
  kStreamCredits,   ///< credits in stream registers, not in L1
  kCompact,         ///< tensors follow each other without gaps
  kPausable,        ///< other operations may pause the senders
  kDirect,          ///< no prefetcher: each core reads its weights from DRAM itself
  kHasBias,         ///< sums begin with the bias
  kFunction,        ///< Function of each result
  kLocalPops,       ///< pops of a local buffer over the remote one skip blocks
  kConsumer,        ///< Consumer of the blocks
  kConsumerPauses,  ///< receivers pause their sender while they write results
};

enum Function : uint32_t { kIdentity, kRelu, kSilu, kGelu };
enum Consumer : uint32_t { kMatmul, kActivationFunction, kElementwiseChain };

/// Common runtime arguments: these, then kShapeWords for each tensor.
enum Common : uint32_t {
  kLayers,
  kTensors,
  kRingSize,        ///< blocks of a tensor
  kReceivers,       ///< receivers of each sender
  kShardTiles,      ///< tiles of the activation in a core, for the largest tensor
  kGatheredShards,  ///< capacity of kGathered in shards
  kPlaces,          ///< blocks of a sender, each with a transaction id
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
enum SenderArgument : uint32_t { kBank, kChannel, kAddresses, kSenderStats, kControl };
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
  kIsHop,        ///< only forwards shards of the activation
  kReceiverArguments,
};
/// Runtime arguments of an element-wise consumer's kernels, in place of those of the ring.
enum ElementwiseArgument : uint32_t {
  kResultsBank,
  kElementwisePlace,  ///< as kPlaceInRow
  kResultsAddress,    ///< in the bank, for the results of all layers
  kSenderX,
  kSenderY,
  kSenderControl,
  kElementwiseStats,
  kPauseScratch,
  kElementwiseArguments,
};
static_assert(kElementwisePlace == uint32_t{kPlaceInRow} &&
              kElementwiseStats == uint32_t{kReceiverStats});
/// Runtime arguments of a rival: another operation, on the senders' NoC or on their banks.
enum RivalArgument : uint32_t {
  kRivalMemory,  ///< kRivalPlaces packets of 8 KiB, 16 bytes for pauses, RivalStats
  kRivalPackets,
  kRivalDelay,
  kRivalPauses,
  kRivalSenderX,
  kRivalSenderY,
  kRivalControl,
  kRivalToX,  ///< on the NoC: the core to which it writes
  kRivalToY,
  kRivalBank = kRivalToX,  ///< on a bank: what it reads
  kRivalAddress = kRivalToY,
};
/// Packets that a rival has room for. One on the banks has as many in flight.
inline constexpr uint32_t kRivalPlaces = 4;
inline constexpr uint32_t kRivalPacketBytes = 8192;
inline constexpr uint32_t kRivalScratch = kRivalPlaces * kRivalPacketBytes;
inline constexpr uint32_t kRivalStats = kRivalScratch + 16;
inline constexpr uint32_t kRivalBytes = kRivalStats + 16;
enum RivalStat : uint32_t {
  kRivalCycles,       ///< duration of its transfers
  kRivalPauseCycles,  ///< until the sender had stopped
};
/// Semaphores of the ring.
enum Semaphore : uint32_t { kArrived, kTaken };

/// Words that cores write for the host: cycles, and the low word of the wall clock.
enum SenderStat : uint32_t {
  kReaderBegin,
  kReaderEnd,
  kReaderNoRoom,  ///< waits for the writer to free a block
  kReaderNoData,  ///< waits for DRAM
  kWriterBegin,
  kWriterEnd,
  kWriterNoBlock,  ///< waits for the reader
  kWriterNoRoom,   ///< waits for room at a receiver
  kWriterNotSent,  ///< waits for its writes to leave
  kWriterPaused,
  kSenderStats_,
  kReaderPaused = kSenderStats_,  ///< with kPausable
};
enum ReceiverStat : uint32_t {
  kComputeBegin,
  kComputeEnd,
  kNoWeights,
  kNoWeightsAtFirst,  ///< waits for the first tensor
  kNoActivation,
  kNoRoomForResults = kNoActivation,  ///< element-wise: waits for the writer of results
  kReceiverStats_,
};
/// Then follow two words for each layer and tensor: the times when its weights had arrived and when
/// they were no longer needed. With kDirect they are the times of the first and the last block, and
/// for an element-wise consumer those of its first block and of its last result in DRAM.
inline constexpr uint32_t kTensorStats = kReceiverStats_;

/// Stream registers of kStreamCredits: a receiver's for arrived pages, a sender's for the room of
/// each receiver. Lower streams count pages of local circular buffers.
inline constexpr uint32_t kSentStream = 40;
inline constexpr uint32_t kRoomStream = 41;

}  // namespace tvp::kernels::prefetcher
