#include "sw/workloads/matmul/golden.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tvp::workloads::matmul {

using runtime::DataFormat;

namespace {

constexpr unsigned kInner = 16;  ///< products that an MVMUL adds to a datum

/// Bits of mantissa that the even phases take of SrcA (in1), the first two of SrcB (in0).
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

}  // namespace

/// One row of the output: the sum so far, exact for the phases that are carried out, and how far
/// from it the machine may be.
class Golden::Row {
 public:
  Row(unsigned columns, const Arithmetic& arithmetic)
      : arithmetic_(arithmetic), unit_(arithmetic.fp32_dst ? 0x1p-24 : 0x1p-8) {
    for (auto* each : {&sum_, &error_, &variance_, &stored_, &stored_error_})
      each->assign(columns, 0.0);
  }

  const std::vector<double>& sum() const { return sum_; }
  /// How far a datum may be from `sum()`: what single roundings add up to at the most, and what is
  /// as good as never left of the many that go either way.
  double error(std::size_t j) const {
    const double together = arithmetic_.repeated ? arithmetic_.blocks : 1;  // errors repeat, too
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
  /// Two MVMULs, whose order is not stated, of a fidelity phase; `largest` products that whole
  /// operands have in each.
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
  /// What the packers round.
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
  static constexpr double kFlushed = 0x1p-126;  ///< what is smaller becomes zero
  /// Of the squares of what fourteen products lose when they are rounded to 2^-10 of the largest of
  /// their group: a twelfth of a unit's square, an eighth if they are ties half of the time.
  static constexpr double kAligned = (kInner - 2) * 0x1p-20 / 8;
  /// One in 10^10 is farther away.
  static constexpr double kDeviations = 6.5;
  static constexpr double kPhaseWeights[4] = {1, 0x1p-5, 0x1p-7, 0x1p-12};

  const Arithmetic& arithmetic_;
  double unit_;
  std::vector<double> sum_, error_, variance_, stored_, stored_error_;
};

Golden::Golden(const Matrix& in0, const Matrix& in1, const Arithmetic& arithmetic)
    : product_(in0.rows, in1.columns),
      bound_(in0.rows, in1.columns),
      carried_out_(in0.rows, in1.columns) {
  const unsigned n = in1.columns;
  const unsigned k = in0.columns;
  const unsigned phases = arithmetic.fidelity_phases;
  const Matrix in0_parts[2] = {part_of(in0, kHighBitsIn0, true), part_of(in0, kHighBitsIn0, false)};
  const Matrix in1_parts[2] = {part_of(in1, kHighBitsIn1, true), part_of(in1, kHighBitsIn1, false)};

  // What each MVMUL adds to the row: tile along k, phase, half of the tile.
  std::vector<double> steps(std::size_t{k / kInner} * phases * n);
  const auto step_at = [&](unsigned tile, unsigned phase, unsigned half) {
    return &steps[((std::size_t{tile} * phases + phase) * 2 + half) * n];
  };
  const unsigned block = arithmetic.repeated ? k / kTileSide : k / kTileSide / arithmetic.blocks;
  const double times = arithmetic.repeated ? arithmetic.blocks : 1;
  std::vector<double> largest(std::size_t{k / kInner} * n);
  for (unsigned i = 0; i < in0.rows; ++i) {
    std::fill(steps.begin(), steps.end(), 0.0);
    std::fill(largest.begin(), largest.end(), 0.0);
    double* exact = product_.row(i);
    for (unsigned inner = 0; inner < k; ++inner) {
      for (unsigned phase = 0; phase < phases; ++phase) {
        double* to = step_at(inner / kTileSide, phase, inner / kInner % 2);
        const double factor = in0_parts[phase >> 1].at(i, inner);
        const double* row = in1_parts[phase & 1].row(inner);
        for (unsigned j = 0; j < n; ++j) to[j] += factor * row[j];
      }
      const double factor = times * in0.at(i, inner);
      const double* row = in1.row(inner);
      for (unsigned j = 0; j < n; ++j) exact[j] += factor * row[j];
      double* most = &largest[std::size_t{inner / kInner} * n];
      const double one = std::abs(in0.at(i, inner));
      for (unsigned j = 0; j < n; ++j) most[j] = std::max(most[j], one * std::abs(row[j]));
    }

    Row row(n, arithmetic);
    for (unsigned b = 0; b < arithmetic.blocks; ++b) {
      const bool last = b + 1 == arithmetic.blocks;
      row.begin(b != 0 && (last || !arithmetic.accumulates_in_l1));
      const unsigned first = arithmetic.repeated ? 0 : b * block;
      for (unsigned tile = first; tile < first + block; ++tile) {
        for (unsigned phase = 0; phase < phases; ++phase)
          row.add(step_at(tile, phase, 0), step_at(tile, phase, 1),
                  &largest[std::size_t{2 * tile} * n], &largest[std::size_t{2 * tile + 1} * n],
                  phase);
      }
      if (last) {
        row.round(arithmetic.output);
      } else if (b == 0 || !arithmetic.accumulates_in_l1) {
        row.store(arithmetic.partials);
      } else {
        row.accumulate_stored(arithmetic.partials);
      }
    }
    for (unsigned j = 0; j < n; ++j)
      bound_.at(i, j) = row.error(j) + std::abs(row.sum()[j] - exact[j]);
    std::copy(row.sum().begin(), row.sum().end(), carried_out_.row(i));
  }
}

}  // namespace tvp::workloads::matmul
