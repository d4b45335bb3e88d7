#include "sw/workloads/matmul/matmul.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sw/workloads/matmul/multiplication.h"

namespace tvp::workloads::matmul {

using namespace tvp::runtime;

namespace {

unsigned phases_of(const foundation::Choice& fidelity) {
  return fidelity == "lofi" ? 1 : fidelity == "hifi2" ? 2 : fidelity == "hifi3" ? 3 : 4;
}

/// Mean error of the results in ulp of BF16, weighted by their size.
double lean_of(const Matrix& found, const Matrix& expected) {
  double larger = 0;
  double places = 0;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double size = std::abs(expected.values[i]);
    if (size == 0) continue;
    larger += (found.values[i] - expected.values[i]) * expected.values[i];
    places += size * std::ldexp(1.0, std::ilogb(size) - 7);
  }
  return places == 0 ? 0 : larger / places;
}

/// True if the library computes exact sums, unlike any hardware.
bool sums_are_exact(const DeviceLibrary& library) {
  if (!library.has_settings()) return false;
  for (const auto& setting : nlohmann::json::parse(library.settings()))
    if (setting.at("key") == "coprocessor.exact_sums") return setting.at("value") == "true";
  return false;
}

/// Checks that the mean error is the one of the machine's own rounding. Sums in Dst have three bits
/// more than BF16, so one in eight is a tie and rounds away from zero: 1/16 ulp for each MVMUL.
/// Truncation would lose 1/2 ulp. Exact sums round to nearest, so a large sum drops the part of
/// later fidelity phases that is below half an ulp.
void check_lean(double lean, const Problem& p, Result& result) {
  constexpr double kOtherwise = 0.3;  // partial results, and random variation
  const double mvmuls = p.fidelity_phases * p.k / 16.0;
  const double most = kOtherwise + (p.fp32_dst ? 0 : 1.25 * mvmuls / 16);
  if (p.resident || p.format == DataFormat::Bfp8_b)
    return;  // errors repeat, or occur at other places
  if (!result.passed || (lean >= -kOtherwise && lean <= most)) return;
  result.passed = false;
  result.reason = "mean error of results is " + std::to_string(lean) + " ulp: expected " +
                  std::to_string(-kOtherwise) + " to " + std::to_string(most) + " from rounding";
}

/// Compares each datum with the golden result and its bound.
void compare(const Matrix& found, const GoldenProduct& golden, Multiplication& of, Result& result) {
  double largest = 0, largest_bound = 0;
  std::uint64_t wrong = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double expected = golden.product().values[i];
    const double bound = golden.bound().values[i];
    const double error = std::abs(found.values[i] - expected);
    result.max_abs_error = std::max(result.max_abs_error, error);
    largest = std::max(largest, std::abs(expected));
    largest_bound = std::max(largest_bound, bound);
    if (!(error <= bound) && wrong++ == 0) first = i;
  }
  result.max_rel_error = result.max_abs_error / largest;
  result.error_bound = largest_bound / largest;
  result.passed = wrong == 0;
  const std::string count = std::to_string(wrong) + " of " + std::to_string(found.values.size());
  if (wrong != 0)
    result.reason = count +
                    " results are farther from the product than rounding explains, the first in " +
                    of.origin(first);
}

}  // namespace

Problem Matmul::problem() const {
  Problem p;
  p.m = config_.m;
  p.n = config_.n;
  p.k = config_.k;
  p.blocks = config_.blocks;
  p.resident = config_.resident;
  p.format = config_.format == "bfp8_b" ? DataFormat::Bfp8_b : DataFormat::Float16_b;
  p.fidelity_phases = phases_of(config_.fidelity);
  p.subblock_m = config_.subblock_m;
  p.subblock_n = config_.subblock_n;
  p.fp32_dst = config_.fp32_dst;
  p.l1_accumulate = config_.l1_accumulate;
  p.transpose = config_.transpose;
  p.tile_by_tile = config_.kernel == "tiles";
  return p;
}

void Matmul::check() const { problem().check(name()); }

void Matmul::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const Problem p = problem();
  Multiplication multiplication(mesh, p, seed);
  multiplication.run();

  const GoldenProduct golden = multiplication.golden();
  const Matrix output = multiplication.output();
  compare(output, golden, multiplication, result);
  const double lean = lean_of(output, golden.carried_out());
  result.metrics.push_back({"mean error", lean, "ulp"});
  if (!sums_are_exact(mesh.library())) check_lean(lean, p, result);
  const auto times = multiplication.times();
  const auto cycles = static_cast<double>(times.done - times.go);
  result.phases.push_back(
      {"multiply", static_cast<double>(times.go), static_cast<double>(times.done)});
  result.metrics.push_back({"kernel_cycles", cycles, "cycles"});
  result.metrics.push_back({"cycles_per_tile", cycles / p.tile_products(), "cycles"});
  result.metrics.push_back(
      {"floor_share", 16 * p.fidelity_phases * p.tile_products() / cycles, ""});
}

}  // namespace tvp::workloads::matmul
