#pragma once

#include <cstdint>
#include <vector>

#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

/// A transfer between the L1 of two tiles.
struct NocTransfer {
  bool write = false;  ///< BRISC writes over NoC 0; otherwise NCRISC reads over NoC 1
  std::uint32_t transactions = 1;
  runtime::CoreCoord from;  ///< the tile whose core issues
  runtime::CoreCoord to;    ///< the target tile; may be the same
  bool stateful = false;    ///< registers that all transactions share are written once
  bool fast_dispatch = false;
  bool by_functions = false;  ///< functions instead of a Noc object
};

/// Runs firmware/kernels/microbenchmarks/noc_transfer.cpp on device 0. Returns the cycles for each
/// of kSizes. `result` fails if the arrived bytes differ from the sent ones.
std::vector<double> run_noc_transfer(runtime::MeshDevice& mesh, const NocTransfer& transfer,
                                     std::uint64_t seed, Result& result);

}  // namespace tvp::workloads::microbenchmarks
