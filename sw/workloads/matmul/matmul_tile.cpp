#include "sw/workloads/matmul/matmul_tile.h"

#include <string>

#include "sw/workloads/matmul/multiplication.h"

namespace tvp::workloads::matmul {

using namespace tvp::runtime;

Result MatmulTile::run(Context& context) {
  MeshDevice::Options options;
  options.print = context.print;
  MeshDevice mesh(context.library, options);

  Result result;
  result.passed = true;
  const double block_tiles = config_.rows * config_.columns;
  static constexpr const char* kFidelities[] = {"lofi", "hifi2", "hifi3", "hifi4"};
  double cycles_of_phases[4] = {};
  for (unsigned phases = 1; phases <= 4; ++phases) {
    double cycles[2] = {};
    double tiles[2] = {};
    for (unsigned longer = 0; longer < 2; ++longer) {
      Problem problem;
      problem.m = config_.rows * kTileSide;
      problem.n = config_.columns * kTileSide;
      problem.subblock_m = config_.rows;
      problem.subblock_n = config_.columns;
      problem.k = longer != 0 ? 1024 : 512;
      problem.resident = true;
      problem.format = config_.format == "bfp8_b" ? DataFormat::Bfp8_b : DataFormat::Float16_b;
      problem.fidelity_phases = phases;
      problem.check("matmul_tile");
      Multiplication multiplication(mesh, problem, context.seed);
      multiplication.run();
      const auto times = multiplication.times();
      cycles[longer] = static_cast<double>(times.done - times.go);
      tiles[longer] = problem.tile_products();
      const Matrix found = multiplication.output();
      const Golden golden = multiplication.golden();
      for (std::size_t i = 0; i < found.values.size(); ++i) {
        const double error = found.values[i] - golden.product().values[i];
        if (!(error <= golden.bound().values[i] && -error <= golden.bound().values[i])) {
          result.passed = false;
          result.reason = std::string("a result of ") + kFidelities[phases - 1] +
                          " is farther from the product than rounding explains";
        }
      }
    }
    const double each = (cycles[1] - cycles[0]) / (tiles[1] - tiles[0]);
    cycles_of_phases[phases - 1] = each;
    result.metrics.push_back({kFidelities[phases - 1], each, "cycles"});
    // All tiles of the block with one more tile of the inner dimension.
    result.metrics.push_back(
        {std::string("step_") + kFidelities[phases - 1], each * block_tiles, "cycles"});
  }
  context.compile_seconds += mesh.compile_seconds();
  result.metrics.push_back({"phase", cycles_of_phases[3] - cycles_of_phases[2], "cycles"});
  return result;
}

}  // namespace tvp::workloads::matmul
