#pragma once

// The circular buffers that host and kernels of the SDPA reduction share. Freestanding.

#include <stdint.h>

namespace tvp::kernels::sdpa {

/// Circular buffers. A partial result is three of them, consecutive in L1: numerator tiles, one
/// tile of sums, one tile of maxima (each in column 0). This is also the payload of a packet. One
/// operand of a round is the device's own (the input shard, or the result of round 1). The other is
/// in the MeshBuffer that the neighbor writes. The host places them accordingly and passes the
/// order to the reader.
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
  kBuffers,
};

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

}  // namespace tvp::kernels::sdpa
