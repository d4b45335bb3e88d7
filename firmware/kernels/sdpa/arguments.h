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
  kArgDevices,  ///< devices on the ring
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
/// Words that follow for each round from the third on.
enum LaterReaderArg : uint32_t {
  kLaterSemaphore,
  kLaterLocal,
  kLaterNeighbor,
  kLaterReaderArgs,
};
constexpr uint32_t later_reader_arg(uint32_t round, LaterReaderArg arg) {
  return kReaderArgs + (round - 3) * kLaterReaderArgs + arg;
}

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

/// The packets of a round: their source and their destination on the partner.
enum PacketArg : uint32_t {
  kPacketSource,
  kPacketX,  ///< coordinates of the same shard core on the partner
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
/// Packet arguments of a round from the third on.
constexpr uint32_t later_packet_arg(uint32_t round) {
  return kWriterArgs + (round - 3) * kPacketArgs;
}

}  // namespace tvp::kernels::sdpa
