#include "sw/workloads/microbenchmarks/noc/noc_bandwidth.h"

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/noc/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

void NocBandwidth::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  if (config_.functions && config_.stateful)
    bad_use("noc_bandwidth.functions", "a Noc object is what saves registers (stateful)");
  const CoreCoord here{0, 0};
  const CoreCoord there = config_.there();
  const double count = config_.transactions;
  const struct {
    const char* name;
    bool write;
    CoreCoord to;
  } kinds[] = {{"write", true, there}, {"read", false, there}, {"loopback", true, here}};
  for (const auto& kind : kinds) {
    // The core's own tile runs the kernel, so it does not only wake up.
    if (config_.fast_dispatch && kind.to == here) continue;
    const std::vector<double> cycles =
        run_noc_transfer(mesh,
                         {kind.write, config_.transactions, here, kind.to, config_.stateful,
                          config_.fast_dispatch, config_.functions},
                         seed, result);
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const std::string name = std::string(kind.name) + "_" + std::to_string(kSizes[i]);
      result.metrics.push_back({name + "_each", cycles[i] / count, "cycles"});
      result.metrics.push_back({name + "_rate", count * kSizes[i] / cycles[i], "bytes/cycle"});
    }
  }
}

}  // namespace tvp::workloads::microbenchmarks
