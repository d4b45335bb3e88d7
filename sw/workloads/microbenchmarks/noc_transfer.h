#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Sizes that the transfer kernels go through: 32 to 8192 bytes.
inline constexpr std::uint32_t kSizes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
inline constexpr std::uint32_t kLargest = 8192;

/// Cycles of the zones of this name on one processor, in the order in which it went through them.
std::vector<double> zone_cycles(runtime::MeshDevice& mesh, const std::string& name,
                                std::uint32_t processor);

/// What moves between the L1 of two tiles.
struct NocTransfer {
  bool write = false;  ///< by BRISC over NoC 0, or read by NCRISC over NoC 1
  std::uint32_t transactions = 1;
  runtime::CoreCoord from;  ///< the tile whose core issues
  runtime::CoreCoord to;    ///< the tile that answers; may be the same
  bool stateful = false;    ///< registers that all transactions share are written once
};

/// Runs firmware/kernels/microbenchmarks/noc_transfer.cpp on device 0; cycles for each of kSizes.
/// Notes in `result` when the bytes that arrived are not those that were sent.
std::vector<double> run_noc_transfer(runtime::MeshDevice& mesh, const NocTransfer& transfer,
                                     std::uint64_t seed, Result& result);

}  // namespace tvp::workloads::microbenchmarks
