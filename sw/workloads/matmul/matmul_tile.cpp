#include "sw/workloads/matmul/matmul_tile.h"

#include <string>

#include "sw/workloads/matmul/multiplication.h"

namespace tvp::workloads::matmul {

using namespace tvp::runtime;

namespace {
constexpr const char* kFidelities[] = {"lofi", "hifi2", "hifi3", "hifi4"};
}  // namespace

Problem MatmulTile::problem(unsigned phases, std::uint32_t k) const {
  Problem problem;
  problem.m = config_.rows * kTileSide;
  problem.n = config_.columns * kTileSide;
  problem.subblock_m = config_.rows;
  problem.subblock_n = config_.columns;
  problem.k = k;
  problem.resident = true;
  problem.format = config_.format == "bfp8_b" ? DataFormat::Bfp8_b : DataFormat::Float16_b;
  problem.fidelity_phases = phases;
  problem.check("matmul_tile");
  return problem;
}

double MatmulTile::cycles_of(MeshDevice& mesh, const Problem& problem, std::uint64_t seed,
                             Result& result) const {
  Multiplication multiplication(mesh, problem, seed);
  multiplication.run();
  const auto times = multiplication.times();
  const Matrix found = multiplication.output();
  const GoldenProduct golden = multiplication.golden();
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double error = found.values[i] - golden.product().values[i];
    const double bound = golden.bound().values[i];
    if (error <= bound && -error <= bound) continue;  // false for NaN
    result.passed = false;
    result.reason = std::string("a result of ") + kFidelities[problem.fidelity_phases - 1] +
                    " is farther from the product than rounding explains";
  }
  return static_cast<double>(times.done - times.go);
}

void MatmulTile::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const double block_tiles = config_.rows * config_.columns;
  double cycles_of_phases[4] = {};
  for (unsigned phases = 1; phases <= 4; ++phases) {
    const Problem shorter = problem(phases, 512);
    const Problem longer = problem(phases, 1024);
    const double less = cycles_of(mesh, shorter, seed, result);
    const double more = cycles_of(mesh, longer, seed, result);
    const double each = (more - less) / (longer.tile_products() - shorter.tile_products());
    cycles_of_phases[phases - 1] = each;
    const std::string name = kFidelities[phases - 1];
    result.metrics.push_back({name, each, "cycles"});
    // Adds one tile of the inner dimension to all tiles of the block.
    result.metrics.push_back({"step_" + name, each * block_tiles, "cycles"});
  }
  result.metrics.push_back({"phase", cycles_of_phases[3] - cycles_of_phases[2], "cycles"});
}

}  // namespace tvp::workloads::matmul
