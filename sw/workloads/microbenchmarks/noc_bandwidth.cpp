#include "sw/workloads/microbenchmarks/noc_bandwidth.h"

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

Result NocBandwidth::run(Context& context) {
  const CoreCoord here{0, 0};
  const CoreCoord there{config_.distance_x, config_.distance_y};
  if (here == there) bad_use("noc_bandwidth", "the two tiles are the same");
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);

  Result result;
  result.passed = true;
  const double count = config_.transactions;
  for (const bool write : {true, false}) {
    const std::vector<double> cycles = run_noc_transfer(
        mesh, {write, config_.transactions, here, there, config_.stateful}, context.seed, result);
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const std::string name = (write ? "write_" : "read_") + std::to_string(kSizes[i]);
      result.metrics.push_back({name + "_each", cycles[i] / count, "cycles"});
      result.metrics.push_back({name + "_rate", count * kSizes[i] / cycles[i], "bytes/cycle"});
    }
  }
  context.compile_seconds += mesh.compile_seconds();
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
