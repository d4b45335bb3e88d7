#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tvp::workloads::sdpa {

/// Rows of a shard core: the heads of a tiny tile.
inline constexpr std::size_t kRows = 8;

struct Shape {
  std::size_t devices = 4;
  std::size_t workers = 8;  ///< shard cores a device
  std::size_t head_dim = 128;

  std::size_t rows() const { return workers * kRows; }  ///< rows of one device
  /// Rounds of the reduction, in which two devices merge at a time.
  std::size_t rounds() const { return static_cast<std::size_t>(std::bit_width(devices)) - 1; }
};

/// Partial attention results of all devices, as floats that BF16 holds exactly:
/// numerator [device][worker][row][head_dim], sum and max [device][worker][row].
struct Partials {
  Shape shape;
  std::vector<float> numerator, sum, max;

  explicit Partials(Shape s);
  std::size_t row(std::size_t device, std::size_t worker, std::size_t r) const {
    return (device * shape.workers + worker) * kRows + r;
  }
};

/// The expected results, in double precision.
struct Golden {
  Shape shape;
  std::vector<double> output;  ///< [worker][row][head_dim]
  /// The cancellation of each row: the largest over head_dim of sum_device |share of the device|,
  /// divided by the row's largest |output|. At least 1.
  std::vector<double> amplification;
  /// The effect of errors in the weights, if the devices compute them; empty otherwise. It is the
  /// standard deviation of each row's result, divided by its largest |output|, for independent
  /// relative errors of 1.
  std::vector<double> spread = {};
  /// Merges in which numerators and sums are rounded.
  std::size_t merges = shape.rounds();
};

/// A problem to solve: partial results and the answer.
struct Problem {
  Partials partials;
  Golden golden;
};

/// Queries, keys and values of a worker, row by row. BF16 holds them exactly.
struct AttentionInputs {
  std::vector<double> queries, keys, values;
};
/// Devices that compute the partial results themselves: chunks of `keys` keys, which they merge.
struct Decode {
  std::size_t chunk_keys;
  std::function<void(std::size_t worker, const AttentionInputs&)> take;
};

/// Attention of workers x 8 queries over a sequence that is split evenly over the devices. Every
/// worker has its own random keys and values from `seed`. Each device's partial result is computed
/// with its largest score rounded to BF16. The golden result is that of the whole sequence.
/// `between` is called several times a second; an exception from it ends the computation. With
/// `decode` the inputs are rounded to BF16 and handed to it.
Problem attention_problem(
    Shape shape, std::size_t sequence, std::uint64_t seed,
    const std::function<void()>& between = [] {}, const Decode* decode = nullptr);

struct NpyPaths {
  std::string numerator, sum, max;
};
/// Partial results from the user's files. The golden result merges them with the maxima rounded to
/// BF16, and numerators and sums as in the files.
Problem npy_problem(Shape shape, const NpyPaths& paths);

/// Errors of `output` [worker][row][head_dim] relative to each row's largest golden magnitude.
struct Errors {
  double max_abs = 0;
  double max_rel = 0;
  double bound = 0;   ///< bound of the row with the largest error
  double margin = 0;  ///< largest error / bound of a row: passed up to 1
  std::size_t worst_row = 0;
  std::size_t worst_column = 0;  ///< column of that row
  /// Mean error of the results in ulp, and the bound within which rounding to nearest keeps it with
  /// so many rows.
  double lean = 0;
  double lean_bound = 0;
};
Errors compare(const Golden& golden, const std::vector<float>& output);

/// Bound on the rounding error of a row, relative to its largest magnitude. Rounding to BF16 has a
/// relative error of at most u = 2^-8. Numerators are rounded on load and after each round, and
/// their errors count with the row's amplification. Sums are rounded at the same points, without
/// amplification. The result is rounded once more. These errors (seven of two rounds) are
/// independent, each with a variance of at most u^2 / 3; the bound takes 4.5 standard deviations of
/// their sum. Factors exp(m - max) and reciprocals of sums are rounded to 10 bits of mantissa
/// (2^-11) in each round, and the program for exp adds 1e-5. These count in full. `spread` is that
/// of the golden result: weights are rounded to BF16 too, and scores lose 2^-10 before the exp.
double error_bound(double amplification, std::size_t rounds, double spread = 0);

/// Rounding to nearest has errors of both signs, which cancel over many rows. Errors of truncation,
/// or of one ulp in one direction, do not cancel. A rounded sum moves all results of a row in the
/// same direction. It has a rounding on load and one a round, each a twelfth of an ulp squared, in
/// units that differ by up to 2 from those of the results. The mean of all rows is within 4.5 of
/// its deviations.
double lean_bound(std::size_t rows, std::size_t rounds);

}  // namespace tvp::workloads::sdpa
