#include "sw/workloads/microbenchmarks/noc_latency.h"

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

Result NocLatency::run(Context& context) {
  const CoreCoord here{0, 0};
  const CoreCoord there{config_.distance_x, config_.distance_y};
  if (here == there) bad_use("noc_latency", "the two tiles are the same");
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);

  Result result;
  result.passed = true;
  const struct {
    const char* name;
    NocTransfer transfer;
  } kinds[] = {{"write", {true, 1, here, there}},
               {"read", {false, 1, here, there}},
               {"loopback", {true, 1, here, here}}};
  for (const auto& kind : kinds) {
    const std::vector<double> cycles = run_noc_transfer(mesh, kind.transfer, context.seed, result);
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      result.metrics.push_back(
          {std::string(kind.name) + "_" + std::to_string(kSizes[i]), cycles[i], "cycles"});
    }
  }
  context.compile_seconds += mesh.compile_seconds();
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
