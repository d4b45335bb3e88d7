#include "sw/workloads/matmul/golden_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace tvp::workloads::matmul {

using runtime::DataFormat;

namespace {

constexpr unsigned kInner = 16;  ///< products that an MVMUL adds for a datum

/// Mantissa bits of SrcA (in1) in the even phases, and of SrcB (in0) in the first two.
constexpr unsigned kHighBitsIn1 = 4;
constexpr unsigned kHighBitsIn0 = 6;

double high_part(double value, unsigned bits) {
  const std::uint64_t mask = ~std::uint64_t{0} << (52 - bits);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
}

Matrix part_of(const Matrix& matrix, unsigned bits, bool high) {
  Matrix part = matrix;
  for (double& value : part.values) {
    const double top = high_part(value, bits);
    value = high ? top : value - top;
  }
  return part;
}

/// Adds the products of `kInner` factors and rows of `n` values in the order of the rows. The sums
/// stay in registers.
void add_products(double* __restrict to, const double* __restrict factors, double times,
                  const double* __restrict rows, std::size_t n) {
  double scaled[kInner];
  for (unsigned u = 0; u < kInner; ++u) scaled[u] = times * factors[u];
  for (std::size_t j = 0; j < n; ++j) {
    double sum = to[j];
    for (unsigned u = 0; u < kInner; ++u) sum += scaled[u] * rows[u * n + j];
    to[j] = sum;
  }
}

/// The largest magnitude of the products of `kInner` factors and rows of `n` values.
void largest_products(double* __restrict to, const double* __restrict factors,
                      const double* __restrict rows, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    double most = 0;
    for (unsigned u = 0; u < kInner; ++u)
      most = std::max(most, std::abs(factors[u] * rows[u * n + j]));
    to[j] = most;
  }
}

}  // namespace

/// One row of the output: the sum so far, exact for the executed phases, and the largest error of a
/// correct machine.
class GoldenProduct::Row {
 public:
  Row(unsigned columns, const Arithmetic& arithmetic)
      : arithmetic_(arithmetic), unit_(arithmetic.fp32_dst ? 0x1p-24 : 0x1p-8) {
    for (auto* each : {&sum_, &error_, &variance_, &stored_, &stored_error_})
      each->assign(columns, 0.0);
  }

  const std::vector<double>& sum() const { return sum_; }
  /// Largest error of a datum relative to `sum()`. It adds the maxima of single roundings and, for
  /// the many small roundings of either sign, a bound that they almost never exceed.
  double error(std::size_t j) const {
    const double together =
        arithmetic_.repeated ? arithmetic_.blocks : 1;  // errors repeat with the blocks
    return error_[j] + kDeviations * std::sqrt(together * variance_[j]);
  }

  void begin(bool reloads) {
    if (!reloads) {
      std::fill(sum_.begin(), sum_.end(), 0.0);
      std::fill(error_.begin(), error_.end(), 0.0);
      return;
    }
    const double lost = arithmetic_.partials == DataFormat::Float32 ? 0x1p-10 : 0;
    for (std::size_t j = 0; j < sum_.size(); ++j) {
      sum_[j] = stored_[j];
      error_[j] = stored_error_[j] + lost * (std::abs(stored_[j]) + stored_error_[j]);
    }
  }
  /// Adds two MVMULs, in unspecified order, of a fidelity phase. `largest` is the largest product
  /// of whole operands in each.
  void add(const double* first, const double* second, const double* largest_first,
           const double* largest_second, unsigned phase) {
    const double aligned = kAligned * kPhaseWeights[phase] * kPhaseWeights[phase];
    for (std::size_t j = 0; j < sum_.size(); ++j) {
      const double between = std::max(std::abs(sum_[j] + first[j]), std::abs(sum_[j] + second[j]));
      variance_[j] +=
          aligned * (largest_first[j] * largest_first[j] + largest_second[j] * largest_second[j]);
      error_[j] += unit_ * (between + error_[j]) + kFlushed;
      sum_[j] += first[j] + second[j];
      error_[j] += unit_ * (std::abs(sum_[j]) + error_[j]) + kFlushed;
    }
  }
  void store(DataFormat format) {
    round(format);
    stored_ = sum_;
    stored_error_ = error_;
  }
  void accumulate_stored(DataFormat format) {
    round(format);
    const double unit = format == DataFormat::Float32 ? 0x1p-24 : 0x1p-8;
    for (std::size_t j = 0; j < sum_.size(); ++j) {
      stored_[j] += sum_[j];
      stored_error_[j] += error_[j];
      stored_error_[j] += unit * (std::abs(stored_[j]) + stored_error_[j]) + kFlushed;
    }
  }
  /// Rounds the results like the packers.
  void round(DataFormat format) {
    for (std::size_t group = 0; group < sum_.size(); group += kGroup) {
      double largest = 0;
      for (std::size_t j = group; j < group + kGroup; ++j) {
        const double most = std::abs(sum_[j]) + error_[j];
        largest = std::max(largest, most);
        if (format != DataFormat::Float32 && arithmetic_.fp32_dst) error_[j] += 0x1p-8 * most;
      }
      if (format != DataFormat::Bfp8_b || largest == 0) continue;
      const double unit = std::ldexp(1.0, std::ilogb(1.01 * largest) - 6);
      for (std::size_t j = group; j < group + kGroup; ++j) error_[j] += unit;
    }
  }

 private:
  static constexpr double kFlushed = 0x1p-126;  ///< smaller numbers become zero
  /// Variance of the error of fourteen products that are rounded to 2^-10 of the largest in their
  /// group. Each has 1/12 of a unit squared, or 1/8 if half of them are ties.
  static constexpr double kAligned = (kInner - 2) * 0x1p-20 / 8;
  /// One in 10^10 errors is larger.
  static constexpr double kDeviations = 6.5;
  static constexpr double kPhaseWeights[4] = {1, 0x1p-5, 0x1p-7, 0x1p-12};

  const Arithmetic& arithmetic_;
  double unit_;
  std::vector<double> sum_, error_, variance_, stored_, stored_error_;
};

/// Computes rows of the output independently.
class GoldenProduct::Rows {
 public:
  Rows(const Matrix& in0, const Matrix& in1, const Arithmetic& arithmetic)
      : in0_(in0),
        in1_(in1),
        arithmetic_(arithmetic),
        in0_parts_{part_of(in0, kHighBitsIn0, true), part_of(in0, kHighBitsIn0, false)},
        in1_parts_{part_of(in1, kHighBitsIn1, true), part_of(in1, kHighBitsIn1, false)} {}

  /// Computes every `step`th row from `first` on.
  void work_out(GoldenProduct& golden, unsigned first, unsigned step) const {
    const unsigned n = in1_.columns;
    Terms terms;
    for (unsigned i = first; i < in0_.rows; i += step) {
      const double* exact = multiply(golden, i, terms);
      const Row row = add_up(terms);
      for (unsigned j = 0; j < n; ++j)
        golden.bound_.at(i, j) = row.error(j) + std::abs(row.sum()[j] - exact[j]);
      std::copy(row.sum().begin(), row.sum().end(), golden.carried_out_.row(i));
    }
  }

 private:
  struct Terms {
    std::vector<double>
        steps;  ///< sums that each MVMUL adds: tile along k, phase, half of the tile
    std::vector<double> largest;  ///< largest product of whole operands in each half of a tile
  };

  const double* multiply(GoldenProduct& golden, unsigned i, Terms& terms) const {
    const unsigned n = in1_.columns;
    const unsigned k = in0_.columns;
    const unsigned phases = arithmetic_.fidelity_phases;
    const double times = arithmetic_.repeated ? arithmetic_.blocks : 1;
    terms.steps.resize(std::size_t{k / kInner} * phases * n);
    terms.largest.resize(std::size_t{k / kInner} * n);
    double* exact = golden.product_.row(i);
    for (unsigned inner = 0; inner < k; inner += kInner) {
      for (unsigned phase = 0; phase < phases; ++phase) {
        double* to = &terms.steps[at(inner / kTileSide, phase, inner / kInner % 2)];
        std::fill_n(to, n, 0.0);
        add_products(to, in0_parts_[phase >> 1].row(i) + inner, 1, in1_parts_[phase & 1].row(inner),
                     n);
      }
      add_products(exact, in0_.row(i) + inner, times, in1_.row(inner), n);
      largest_products(&terms.largest[std::size_t{inner / kInner} * n], in0_.row(i) + inner,
                       in1_.row(inner), n);
    }
    return exact;
  }

  Row add_up(const Terms& terms) const {
    const unsigned n = in1_.columns;
    const unsigned tiles = in0_.columns / kTileSide;
    const unsigned block = arithmetic_.repeated ? tiles : tiles / arithmetic_.blocks;
    Row row(n, arithmetic_);
    for (unsigned b = 0; b < arithmetic_.blocks; ++b) {
      const bool last = b + 1 == arithmetic_.blocks;
      row.begin(b != 0 && (last || !arithmetic_.accumulates_in_l1));
      const unsigned first = arithmetic_.repeated ? 0 : b * block;
      for (unsigned tile = first; tile < first + block; ++tile) {
        for (unsigned phase = 0; phase < arithmetic_.fidelity_phases; ++phase)
          row.add(&terms.steps[at(tile, phase, 0)], &terms.steps[at(tile, phase, 1)],
                  &terms.largest[std::size_t{2 * tile} * n],
                  &terms.largest[std::size_t{2 * tile + 1} * n], phase);
      }
      if (last) {
        row.round(arithmetic_.output);
      } else if (b == 0 || !arithmetic_.accumulates_in_l1) {
        row.store(arithmetic_.partials);
      } else {
        row.accumulate_stored(arithmetic_.partials);
      }
    }
    return row;
  }

  std::size_t at(unsigned tile, unsigned phase, unsigned half) const {
    return ((std::size_t{tile} * arithmetic_.fidelity_phases + phase) * 2 + half) * in1_.columns;
  }

  const Matrix& in0_;
  const Matrix& in1_;
  const Arithmetic& arithmetic_;
  const Matrix in0_parts_[2];
  const Matrix in1_parts_[2];
};

/// Rows are computed in parallel, because a large product takes longer than its simulation.
GoldenProduct::GoldenProduct(const Matrix& in0, const Matrix& in1, const Arithmetic& arithmetic)
    : product_(in0.rows, in1.columns),
      bound_(in0.rows, in1.columns),
      carried_out_(in0.rows, in1.columns) {
  const Rows rows(in0, in1, arithmetic);
  const unsigned threads = std::max(1U, std::min(std::thread::hardware_concurrency(), in0.rows));
  std::vector<std::exception_ptr> failures(threads);  // for example failed allocations
  const auto work = [&](unsigned i) {
    try {
      rows.work_out(*this, i, threads);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  others.reserve(threads);
  for (unsigned i = 1; i < threads; ++i) {
    try {
      others.emplace_back(work, i);
    } catch (const std::system_error&) {  // the user has no more threads
      work(i);
    }
  }
  work(0);
  others.clear();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tvp::workloads::matmul
