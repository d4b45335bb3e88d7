#include "tests/bench/arithmetic_alone.h"

#include <bit>
#include <random>

#include "tests/support/bench_report.h"

namespace tvp::bench {

using namespace tensix::coprocessor;
using test::cpu_seconds;

namespace {

constexpr unsigned kVisits = 16;

/// Blocks of eight rows of SrcB and Dst, and faces of SrcA.
struct Visit {
  unsigned srca_row, srcb_row, dst_row;
};
constexpr Visit visit(unsigned i) {
  constexpr unsigned kRight = 0x9966;
  const unsigned lower = i & 1, inner = i >> 1 & 1, bottom = i >> 2 & 1, right = kRight >> i & 1;
  return {16 * (2 * inner + right), 8 * (i % 8), 8 * lower + 32 * bottom + 16 * right};
}

}  // namespace

MatmulAlone::MatmulAlone(unsigned phases, bool fp32_dst) : phases_(phases), fp32_dst_(fp32_dst) {
  // The numbers of kernels/operands.cpp: between 1/8 and 8, of both signs.
  std::mt19937 random(1);
  for (auto* rows : {&state_->srca, &state_->srcb}) {
    for (FloatSums::SrcRow& row : *rows) {
      for (std::uint32_t& cell : row)
        cell = static_cast<std::uint32_t>((random() & 0x7F800) | (124 + random() % 7));
    }
  }
}

void MatmulAlone::multiply(unsigned i, unsigned phase, std::uint64_t changes) {
  State& state = *state_;
  const auto [srca, srcb, dst] = visit(i);
  FloatSums::Product product;
  product.formats = {datum::SrcStyle::kBf16, datum::SrcStyle::kBf16, fp32_dst_, phase};
  product.rows = 8;
  product.kept = &state.kept;
  product.srca_changes = product.srcb_changes = changes;
  product.srca = {&state.srca[srca], &state.srca[srca + 8]};
  product.srcb = &state.srcb[srcb];
  product.srcb_step = 1;
  product.dst = {&state.dst[2 * dst], fp32_dst_ ? &state.dst[2 * dst + 8] : nullptr};
  product.dst_step = 1;
  FloatSums::aligned().multiply(product);
}

double MatmulAlone::seconds_of(unsigned tiles) {
  const double start = cpu_seconds();
  for (unsigned tile = 0; tile < tiles; ++tile) {
    if (tile % kTilesOfASum == 0) state_->dst = {};
    for (unsigned phase = 0; phase < phases_; ++phase) {
      for (unsigned i = 0; i < kVisits; ++i) multiply(i, phase, tile + 1);
    }
  }
  return cpu_seconds() - start;
}

double ExponentialAlone::seconds_of(unsigned tiles) {
  constexpr unsigned kProducts = 288;
  using Lanes = LaneProducts::Lanes;
  // A step of a polynomial: sum times remaining argument plus a coefficient.
  alignas(64) Lanes x, y, z, written, result{};
  std::mt19937 random(1);
  const auto between = [&random](float low, float high) {
    const float value = low + (high - low) * static_cast<float>(random() % 4096) / 4096;
    return std::bit_cast<std::uint32_t>(value);
  };
  for (unsigned lane = 0; lane < x.size(); ++lane) {
    x[lane] = between(0.5F, 1);
    y[lane] = between(0, 0.3F);
    z[lane] = between(1, 1.5F);
  }
  written.fill(~0U);
  const double start = cpu_seconds();
  const LaneProducts::Function multiply_add = LaneProducts::best();
  for (unsigned i = 0; i < tiles * kProducts; ++i) multiply_add(x, y, z, written, result);
  return cpu_seconds() - start;
}

}  // namespace tvp::bench
