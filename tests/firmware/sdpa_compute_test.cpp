// The compute kernel of the SDPA reduction on one core, with two partial results in L1 and one
// result.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "firmware/kernels/sdpa/buffers.h"
#include "sw/workloads/sdpa/problem.h"
#include "sw/workloads/sdpa/tiles.h"
#include "tests/firmware/compute_bench.h"
#include "tests/firmware/tile_data.h"

namespace tvp::test {

extern const ThreadProgram reduce_two_128_0, reduce_two_128_1, reduce_two_128_2;
extern const ThreadProgram reduce_two_192_0, reduce_two_192_1, reduce_two_192_2;

namespace {

using workloads::sdpa::kRows;
using workloads::sdpa::Partials;
using workloads::sdpa::Shape;
namespace kernel = kernels::sdpa;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const ComputeProgram kReduce128{{&reduce_two_128_0, &reduce_two_128_1, &reduce_two_128_2}};
const ComputeProgram kReduce192{{&reduce_two_192_0, &reduce_two_192_1, &reduce_two_192_2}};

ComputeBench& bench() {
  static ComputeBench instance;
  return instance;
}

struct Reduced {
  std::vector<float> output;  ///< [row][head_dim]
  std::vector<float> sum, max;
};

/// Reduces devices 0 and 1 of `partials`, worker 0, with the kernel.
Reduced reduce(const Partials& partials) {
  const Shape& shape = partials.shape;
  const ComputeProgram& program = shape.head_dim == 128 ? kReduce128 : kReduce192;
  const auto tiles = static_cast<unsigned>(workloads::sdpa::numerator_tiles(shape));
  ComputeBench& machine = bench();
  const auto operand = [&](unsigned device, unsigned first, std::uint32_t address) {
    const std::vector<std::uint8_t> bytes = workloads::sdpa::partial_tiles(partials, device, 0);
    std::copy(bytes.begin(), bytes.end(), machine.l1() + address);
    machine.buffer(program, first, address, 512, tiles, tiles);
    machine.buffer(program, first + 1, address + tiles * 512, 512, 1, 1);
    machine.buffer(program, first + 2, address + (tiles + 1) * 512, 512, 1, 1);
  };
  operand(0, kernel::kFirst1Numerator, 0x20000);
  operand(1, kernel::kSecond1Numerator, 0x30000);
  machine.buffer(program, kernel::kResult2Numerator, 0x40000, 512, tiles, 0);
  machine.buffer(program, kernel::kResult2Sum, 0x42000, 512, 1, 0);
  machine.buffer(program, kernel::kResult2Max, 0x42200, 512, 1, 0);
  machine.buffer(program, kernel::kScaleA, 0x43000, 1024, 1, 0);
  machine.buffer(program, kernel::kScaleB, 0x43400, 1024, 1, 0);
  machine.buffer(program, kernel::kNormalizer, 0x43800, 1024, 1, 0);
  machine.buffer(program, kernel::kOutput, 0x44000, 512, tiles, 0);
  EXPECT_TRUE(machine.execute(program)) << machine.waiting();
  EXPECT_EQ(machine.received(kernel::kOutput), tiles);
  Reduced reduced;
  reduced.output.resize(kRows * shape.head_dim);
  std::vector<std::uint8_t> bytes(machine.l1() + 0x44000, machine.l1() + 0x44000 + tiles * 512);
  workloads::sdpa::read_output_tiles(shape, bytes, 0, reduced.output);
  const Tile sums = Tile::read_bf16(8, machine.l1() + 0x42000);
  const Tile maxima = Tile::read_bf16(8, machine.l1() + 0x42200);
  for (unsigned r = 0; r < kRows; ++r) {
    reduced.sum.push_back(sums.at(r, 0));
    reduced.max.push_back(maxima.at(r, 0));
  }
  return reduced;
}

/// Checks every row of a reduction against the definition in double precision.
void check(const Partials& p, const Reduced& reduced) {
  // Roundings to BF16: numerators and sum once each, and the result. Factors round to 10 bits
  // twice.
  constexpr double kTolerance = 3.1 * 0x1p-8 + 3 * 0x1p-11;
  const std::size_t dim = p.shape.head_dim;
  for (unsigned r = 0; r < kRows; ++r) {
    SCOPED_TRACE("row " + std::to_string(r));
    const std::size_t a = p.row(0, 0, r);
    const std::size_t b = p.row(1, 0, r);
    const float max = std::max(p.max[a], p.max[b]);
    const double scale_a = p.max[a] == max ? 1 : std::exp(double{p.max[a]} - max);
    const double scale_b = p.max[b] == max ? 1 : std::exp(double{p.max[b]} - max);
    const double sum = p.sum[a] * scale_a + p.sum[b] * scale_b;
    EXPECT_EQ(reduced.max[r], max);
    EXPECT_NEAR(reduced.sum[r], sum, 1.2 * 0x1p-8 * sum);
    double largest = 0;
    double parts = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      const double left = p.numerator[a * dim + d] * scale_a;
      const double right = p.numerator[b * dim + d] * scale_b;
      if (sum != 0) largest = std::max(largest, std::abs(left + right) / sum);
      if (sum != 0) parts = std::max(parts, (std::abs(left) + std::abs(right)) / sum);
    }
    for (std::size_t d = 0; d < dim; ++d) {
      const double left = p.numerator[a * dim + d] * scale_a;
      const double right = p.numerator[b * dim + d] * scale_b;
      const double expected = sum == 0 ? 0 : (left + right) / sum;
      ASSERT_NEAR(reduced.output[r * dim + d], expected, kTolerance * parts) << "column " << d;
    }
  }
}

TEST(SdpaCompute, MergesPartialAttention) {
  for (const std::size_t head_dim : {std::size_t{128}, std::size_t{192}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE("head_dim " + std::to_string(head_dim) + ", seed " + std::to_string(seed));
      const Partials partials =
          workloads::sdpa::attention_problem({2, 1, head_dim}, 64, seed).partials;
      check(partials, reduce(partials));
    }
  }
}

Partials adversarial() {
  Partials p({2, 1, 128});
  std::mt19937 engine(11);
  std::uniform_real_distribution<float> uniform(-4, 4);
  const auto fill = [&](unsigned device, unsigned r, float max, float sum, float factor) {
    const std::size_t at = p.row(device, 0, r);
    p.max[at] = workloads::sdpa::round_bf16(max);
    p.sum[at] = workloads::sdpa::round_bf16(sum);
    for (std::size_t d = 0; d < 128; ++d)
      p.numerator[at * 128 + d] = workloads::sdpa::round_bf16(factor * uniform(engine));
  };
  // Row 0: empty on both. Row 1: empty on one. Row 2: equal maxima. Row 3: far apart.
  fill(0, 0, -kInfinity, 0, 0);
  fill(1, 0, -kInfinity, 0, 0);
  fill(0, 1, -kInfinity, 0, 0);
  fill(1, 1, 3, 5, 1);
  fill(0, 2, -7, 2, 1);
  fill(1, 2, -7, 3, 1);
  fill(0, 3, 500, 2, 1);
  fill(1, 3, -500, 3, 1);
  // Row 4: large numbers. Row 5: small ones. Row 6: huge maxima of both signs. Row 7: a factor just
  // above underflow.
  fill(0, 4, 1, 0x1p100f, 0x1p110f);
  fill(1, 4, 2, 0x1p101f, 0x1p111f);
  fill(0, 5, 1, 0x1p-100f, 0x1p-105f);
  fill(1, 5, 1.5f, 0x1p-100f, 0x1p-105f);
  fill(0, 6, -3e38f, 1, 1);
  fill(1, 6, 3e38f, 2, 1);
  fill(0, 7, 0, 1, 0x1p-30f);
  fill(1, 7, -40, 1, 0x1p30f);
  return p;
}

TEST(SdpaCompute, KeepsToTheDefinitionAtTheEdges) {
  const Partials partials = adversarial();
  const Reduced reduced = reduce(partials);
  check(partials, reduced);
  for (std::size_t d = 0; d < 128; ++d) EXPECT_EQ(reduced.output[d], 0);
  for (const float value : reduced.output) EXPECT_TRUE(std::isfinite(value));
}

TEST(SdpaCompute, RepeatsBitForBit) {
  const Partials partials = adversarial();
  const Reduced first = reduce(partials);
  const support::Cycle before = bench().cycles();
  const Reduced second = reduce(partials);
  const support::Cycle took = bench().cycles() - before;
  reduce(partials);
  EXPECT_EQ(first.output, second.output);
  // Twice the time, except for the order of accesses to the banks of L1.
  EXPECT_NEAR(static_cast<double>(bench().cycles() - before), 2.0 * static_cast<double>(took), 4);
  RecordProperty("cycles", static_cast<int>(took));
}

TEST(SdpaCompute, AMissingMultiplyAddFailsTheGolden) {
  const workloads::sdpa::Problem problem = workloads::sdpa::attention_problem({2, 1, 128}, 64, 1);
  EXPECT_LE(compare(problem.golden, reduce(problem.partials).output).margin, 1);
  bench().drop_opcode(regs::tensix::Opcode::kSfpmad);
  EXPECT_GT(compare(problem.golden, reduce(problem.partials).output).margin, 1);
}

}  // namespace
}  // namespace tvp::test
