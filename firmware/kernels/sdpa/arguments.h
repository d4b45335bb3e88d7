#pragma once

// Arguments of the data-movement kernels of the SDPA reduction, in their order. Freestanding.

#include <stdint.h>

namespace tvp::kernels::sdpa {

/// Semaphores of the program on every shard core. The first six are words that a mux and its client
/// use; only the last one counts.
enum Semaphore : uint32_t {
  kForwardStatus,
  kForwardCounter,
  kForwardTeardown,
  kBackwardStatus,
  kBackwardCounter,
  kBackwardTeardown,
  kTerminationSync,
  kSemaphores,
};

/// Compile-time arguments of reader and writer.
enum DataMovementCompileArg : uint32_t {
  kArgTiles,  ///< tiles of a numerator
  kArgMuxSlots,
  kArgMuxSlotBytes,
  kDataMovementCompileArgs,
};

enum ReaderArg : uint32_t {
  kReaderRound1Semaphore,  ///< address that the neighbor's packet increments
  kReaderRound2Semaphore,
  kReaderStamps,  ///< address of kStamps words
  kReaderLocal1,  ///< first buffer of the device's own operand
  kReaderNeighbor1,
  kReaderLocal2,
  kReaderNeighbor2,
  kReaderArgs,
};

/// A channel of a mux, from its layout.
enum MuxArg : uint32_t {
  kMuxX,
  kMuxY,
  kMuxChannel,
  kMuxChannelBase,
  kMuxInfo,
  kMuxHandshake,
  kMuxFlowControl,
  kMuxBufferIndex,
  kMuxStatus,
  kMuxTermination,
  kMuxArgs,
};

/// One packet: its source and its destination on the neighbor.
enum PacketArg : uint32_t {
  kPacketSource,
  kPacketX,  ///< coordinates of the same shard core on the neighbor
  kPacketY,
  kPacketDestination,
  kPacketSemaphore,
  kPacketArgs,
};

enum WriterArg : uint32_t {
  kWriterStamps,
  kWriterIsMaster,  ///< ends the muxes when all clients have left them
  kWriterMasterX,
  kWriterMasterY,
  kWriterClients,
  kWriterRound1Packet,
  kWriterRound2Packet = kWriterRound1Packet + kPacketArgs,
  kWriterForwardMux = kWriterRound2Packet + kPacketArgs,
  kWriterBackwardMux = kWriterForwardMux + kMuxArgs,
  kWriterArgs = kWriterBackwardMux + kMuxArgs,
};

}  // namespace tvp::kernels::sdpa
