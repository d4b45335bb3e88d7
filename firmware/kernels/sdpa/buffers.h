#pragma once

// The circular buffers that host and kernels of the SDPA reduction share. Freestanding.

#include <stdint.h>

namespace tvp::kernels::sdpa {

/// Tiles of a packet at the most: 4 KiB. A longer partial result takes several packets.
constexpr uint32_t kPacketTiles = 8;
constexpr uint32_t kTileBytes = 512;
/// Statistics of a partial result: a tile of sums and a tile of maxima.
constexpr uint32_t kStatisticsTiles = 2;
constexpr uint32_t packets_of(uint32_t numerator_tiles) {
  return (numerator_tiles + kStatisticsTiles + kPacketTiles - 1) / kPacketTiles;
}

/// Circular buffers. A partial result is three of them, consecutive in L1: numerator tiles, one
/// tile of sums, one tile of maxima (each in column 0). This is also the payload of a packet. One
/// operand of a round is the device's own (the input shard, or the result of round 1). The other is
/// in the MeshBuffer that the neighbor writes. The host places them accordingly and passes the
/// order to the reader. From round 3 on, one buffer holds a partial result as [maxima | sums |
/// numerator]: a core has too few buffers otherwise. The operands of all these rounds follow each
/// other in two buffers.
enum Buffer : uint32_t {
  kFirst1Numerator,  ///< first operand of round 1, from the device that comes first on the ring
  kFirst1Sum,
  kFirst1Max,
  kSecond1Numerator,
  kSecond1Sum,
  kSecond1Max,
  kResult1Numerator,  ///< result of round 1, for which the writer and the reader wait
  kResult1Sum,
  kResult1Max,
  kFirst2Numerator,  ///< first operand of round 2
  kFirst2Sum,
  kFirst2Max,
  kSecond2Numerator,
  kSecond2Sum,
  kSecond2Max,
  kResult2Numerator,  ///< result of round 2, not yet divided by the sum
  kResult2Sum,
  kResult2Max,
  kScaleA,      ///< FP32: factors of the operands of a merge
  kScaleB,      ///< FP32
  kNormalizer,  ///< FP32: reciprocals of the sums
  kOutput,      ///< aliases the output shard
  kLaterFirst,  ///< first operands of round 3, 4, ...
  kLaterSecond,
  kLaterResult,  ///< result of round 3; the buffers of later rounds follow
  kBuffers = kLaterResult + 3,
};
constexpr uint32_t later_result(uint32_t round) { return kLaterResult + round - 3; }

/// Wall clock words that the kernels write for the host, in the order of a round trip.
enum Stamp : uint32_t {
  kReaderStart,
  kRound1Arrived,     ///< the neighbor's partial result is here
  kRound1Statistics,  ///< maxima, factors and sums are merged, numerators not yet
  kRound1Computed,
  kRound2Arrived,
  kRound2Computed,
  kNormalized,
  kWriterStart,
  kForwardConnected,
  kRound1Sent,
  kBackwardReady,  ///< set-up of the second mux done, not yet connected
  kBackwardConnected,
  kRound2Sent,
  kDisconnected,
  kStamps,
};
/// Words that follow for each round from the third on.
enum LaterStamp : uint32_t {
  kLaterArrived,
  kLaterComputed,
  kLaterSent,
  kLaterStamps,
};
constexpr uint32_t later_stamp(uint32_t round, LaterStamp event) {
  return kStamps + (round - 3) * kLaterStamps + event;
}
constexpr uint32_t stamps_of(uint32_t rounds) {
  return rounds > 2 ? later_stamp(rounds + 1, kLaterArrived) : kStamps;
}

}  // namespace tvp::kernels::sdpa
