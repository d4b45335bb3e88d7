#include "sw/workloads/microbenchmarks/noc/noc_latency.h"

#include "sw/workloads/microbenchmarks/noc/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

void NocLatency::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const CoreCoord here{0, 0};
  const CoreCoord there = config_.there();
  const bool fast = config_.fast_dispatch;
  const struct {
    const char* name;
    NocTransfer transfer;
  } kinds[] = {{"write", {true, 1, here, there, false, fast}},
               {"read", {false, 1, here, there, false, fast}},
               {"loopback", {true, 1, here, here}}};
  for (const auto& kind : kinds) {
    const std::vector<double> cycles = run_noc_transfer(mesh, kind.transfer, seed, result);
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      result.metrics.push_back(
          {std::string(kind.name) + "_" + std::to_string(kSizes[i]), cycles[i], "cycles"});
    }
  }
}

}  // namespace tvp::workloads::microbenchmarks
