#include "sw/workloads/sdpa/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "foundation/fault.h"
#include "sw/workloads/sdpa/bf16.h"
#include "sw/workloads/sdpa/npy_file.h"

namespace tvp::workloads::sdpa {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Normal distribution. The standard library's differs between implementations.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : engine_(seed) {}
  double next() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * M_PI * uniform());
  }
  void fill(std::vector<double>& values) {
    for (double& value : values) value = next();
  }

 private:
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  std::mt19937_64 engine_;
};

/// Numerator, sum and maximum over part of a sequence, in double.
struct Softmax {
  std::vector<double> numerator;
  double sum = 0;
  double max = kMinusInfinity;
};

Softmax attend(const std::vector<double>& scores, std::size_t first, std::size_t last,
               const std::vector<double>& values, std::size_t head_dim, double max) {
  Softmax result;
  result.numerator.assign(head_dim, 0.0);
  result.max = max;
  for (std::size_t key = first; key < last; ++key) {
    const double weight = std::exp(scores[key] - max);
    result.sum += weight;
    for (std::size_t d = 0; d < head_dim; ++d)
      result.numerator[d] += weight * values[key * head_dim + d];
  }
  return result;
}

/// share[d] of every device and their sum, written to the golden result.
class GoldenRow {
 public:
  explicit GoldenRow(std::size_t head_dim) : total_(head_dim, 0.0), magnitude_(head_dim, 0.0) {}
  void add(const std::vector<double>& share) {
    for (std::size_t d = 0; d < share.size(); ++d) {
      total_[d] += share[d];
      magnitude_[d] += std::abs(share[d]);
    }
  }
  void store(Golden& golden, std::size_t row) const {
    double largest = 0;
    double parts = 0;
    for (std::size_t d = 0; d < total_.size(); ++d) {
      golden.output[row * total_.size() + d] = total_[d];
      largest = std::max(largest, std::abs(total_[d]));
      parts = std::max(parts, magnitude_[d]);
    }
    golden.amplification[row] = largest > 0 ? std::max(1.0, parts / largest) : 1.0;
  }

 private:
  std::vector<double> total_;
  std::vector<double> magnitude_;
};

Golden empty_golden(Shape shape) {
  return {shape, std::vector<double>(shape.rows() * shape.head_dim),
          std::vector<double>(shape.rows(), 1.0)};
}

/// A score of 4 with an error of 2^-10 has as much effect as the rounding of its weight to BF16.
constexpr double kScoreOfOneRounding = 4;

/// Golden::spread of a row.
double spread_of(const std::vector<double>& scores, const Softmax& whole,
                 const std::vector<double>& values) {
  const std::size_t head_dim = whole.numerator.size();
  double largest = 0;
  std::vector<double> variance(head_dim, 0.0);
  for (std::size_t d = 0; d < head_dim; ++d)
    largest = std::max(largest, std::abs(whole.numerator[d] / whole.sum));
  for (std::size_t key = 0; key < scores.size(); ++key) {
    const double weight = std::exp(scores[key] - whole.max) / whole.sum;
    const double relative = 1 + std::pow(scores[key] / kScoreOfOneRounding, 2);
    for (std::size_t d = 0; d < head_dim; ++d) {
      const double effect = values[key * head_dim + d] - whole.numerator[d] / whole.sum;
      variance[d] += weight * weight * effect * effect * relative;
    }
  }
  return std::sqrt(*std::max_element(variance.begin(), variance.end())) / largest;
}

/// Adds the shares of a device's chunks, which have rounding errors of their own.
void add_chunks(GoldenRow& row, const std::vector<double>& scores, std::size_t first,
                std::size_t last, std::size_t chunk, const std::vector<double>& values,
                const Softmax& whole) {
  const std::size_t head_dim = whole.numerator.size();
  for (std::size_t begin = first; begin < last; begin += chunk) {
    Softmax part =
        attend(scores, begin, std::min(begin + chunk, last), values, head_dim, whole.max);
    for (double& value : part.numerator) value /= whole.sum;
    row.add(part.numerator);
  }
}

void attention_row(Partials& partials, Golden& golden, std::size_t worker, std::size_t r,
                   const std::vector<double>& scores, const std::vector<double>& values,
                   const Decode* decode) {
  const Shape& shape = partials.shape;
  const std::size_t part = scores.size() / shape.devices;
  const double max = *std::max_element(scores.begin(), scores.end());
  const Softmax whole = attend(scores, 0, scores.size(), values, shape.head_dim, max);
  if (decode != nullptr) {
    GoldenRow row(shape.head_dim);
    for (std::size_t device = 0; device < shape.devices; ++device)
      add_chunks(row, scores, device * part, (device + 1) * part, decode->chunk_keys, values,
                 whole);
    row.store(golden, worker * kRows + r);
    golden.spread.push_back(spread_of(scores, whole, values));
    return;
  }
  GoldenRow row(shape.head_dim);
  for (std::size_t device = 0; device < shape.devices; ++device) {
    const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(device * part);
    const double local = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(part));
    const float rounded = round_bf16(local);
    const Softmax mine = attend(scores, device * part, (device + 1) * part, values, shape.head_dim,
                                static_cast<double>(rounded));
    const std::size_t at = partials.row(device, worker, r);
    partials.max[at] = rounded;
    partials.sum[at] = round_bf16(mine.sum);
    std::vector<double> share(shape.head_dim);
    for (std::size_t d = 0; d < shape.head_dim; ++d) {
      partials.numerator[at * shape.head_dim + d] = round_bf16(mine.numerator[d]);
      share[d] = mine.numerator[d] * std::exp(mine.max - max) / whole.sum;
    }
    row.add(share);
  }
  row.store(golden, worker * kRows + r);
}

}  // namespace

Partials::Partials(Shape s)
    : shape(s),
      numerator(s.devices * s.rows() * s.head_dim),
      sum(s.devices * s.rows()),
      max(s.devices * s.rows()) {}

Problem attention_problem(Shape shape, std::size_t sequence, std::uint64_t seed,
                          const std::function<void()>& between, const Decode* decode) {
  Problem problem{Partials(shape), empty_golden(shape)};
  Normal normal(seed);
  const double scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
  AttentionInputs inputs{std::vector<double>(kRows * shape.head_dim),
                         std::vector<double>(sequence * shape.head_dim),
                         std::vector<double>(sequence * shape.head_dim)};
  const auto& [queries, keys, values] = inputs;
  std::vector<double> scores(sequence);
  if (decode != nullptr)
    problem.golden.merges += (sequence / shape.devices - 1) / decode->chunk_keys;
  for (std::size_t worker = 0; worker < shape.workers; ++worker) {
    for (std::vector<double>* part : {&inputs.queries, &inputs.keys, &inputs.values}) {
      between();
      normal.fill(*part);
      if (decode == nullptr) continue;
      for (double& value : *part) value = double{round_bf16(value)};
    }
    if (decode != nullptr) decode->take(worker, inputs);
    for (std::size_t r = 0; r < kRows; ++r) {
      between();
      for (std::size_t key = 0; key < sequence; ++key) {
        double dot = 0;
        for (std::size_t d = 0; d < shape.head_dim; ++d)
          dot += queries[r * shape.head_dim + d] * keys[key * shape.head_dim + d];
        scores[key] = dot * scale;
      }
      attention_row(problem.partials, problem.golden, worker, r, scores, values, decode);
    }
  }
  return problem;
}

namespace {

/// Checks values as stored in BF16 tiles. `right` is true for mathematically valid values.
void check_values(const std::string& path, const std::vector<float>& values, bool (*right)(float),
                  const char* expected) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (right(round_bf16(values[i]))) continue;
    throw foundation::Fault(foundation::FaultKind::kDescription, path,
                            "has " + std::to_string(values[i]) + " as value " + std::to_string(i) +
                                ", expected " + expected);
  }
}

}  // namespace

Problem npy_problem(Shape shape, const NpyPaths& paths) {
  const std::vector<std::size_t> statistics{shape.devices, shape.workers, kRows};
  std::vector<std::size_t> numerators = statistics;
  numerators.push_back(shape.head_dim);
  const NpyFile numerator = NpyFile::load(paths.numerator, numerators);
  const NpyFile sum = NpyFile::load(paths.sum, statistics);
  // The maxima are the scale of the other two, so rounding them is part of reading.
  NpyFile max = NpyFile::load(paths.max, statistics);
  check_values(
      paths.numerator, numerator.values, [](float v) { return std::isfinite(v); },
      "a finite number");
  check_values(
      paths.sum, sum.values, [](float v) { return std::isfinite(v) && v >= 0; },
      "a sum of exponentials: finite and not negative");
  check_values(
      paths.max, max.values, [](float v) { return std::isfinite(v) || (std::isinf(v) && v < 0); },
      "a finite number, or -inf of a row without any score");
  for (float& value : max.values) value = round_bf16(value);
  Problem problem{Partials(shape), empty_golden(shape)};
  for (std::size_t worker = 0; worker < shape.workers; ++worker) {
    for (std::size_t r = 0; r < kRows; ++r) {
      double largest = kMinusInfinity;
      for (std::size_t device = 0; device < shape.devices; ++device)
        largest = std::max(largest, double{max.values[problem.partials.row(device, worker, r)]});
      double total = 0;
      std::vector<double> scales(shape.devices, 0.0);
      for (std::size_t device = 0; device < shape.devices; ++device) {
        const std::size_t at = problem.partials.row(device, worker, r);
        // A row without any score has no scale. Its numerators and sums are zero.
        if (largest != kMinusInfinity) scales[device] = std::exp(max.values[at] - largest);
        total += sum.values[at] * scales[device];
      }
      GoldenRow row(shape.head_dim);
      for (std::size_t device = 0; device < shape.devices; ++device) {
        const std::size_t at = problem.partials.row(device, worker, r);
        std::vector<double> share(shape.head_dim, 0.0);
        for (std::size_t d = 0; d < shape.head_dim && total != 0; ++d)
          share[d] = numerator.values[at * shape.head_dim + d] * scales[device] / total;
        row.add(share);
      }
      row.store(problem.golden, worker * kRows + r);
    }
  }
  const auto rounded = [](const std::vector<float>& from, std::vector<float>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = round_bf16(from[i]);
  };
  rounded(numerator.values, problem.partials.numerator);
  rounded(sum.values, problem.partials.sum);
  rounded(max.values, problem.partials.max);
  return problem;
}

double error_bound(double amplification, std::size_t rounds, double spread) {
  constexpr double kBf16 = 0x1p-8;
  constexpr double kFactor = 0x1p-11 + 1e-5;
  constexpr double kDeviations = 4.5;
  const auto steps = static_cast<double>(rounds);
  const double factors = steps * kFactor * amplification + steps * kFactor + 0x1p-11;
  const double roundings = (steps + 1) * (amplification * amplification + 1) + 1 + spread * spread;
  return factors + kDeviations * kBf16 * std::sqrt(roundings / 3);
}

double lean_bound(std::size_t rows, std::size_t rounds) {
  const double deviation = std::sqrt(static_cast<double>(rounds + 1) / 12);
  return 4.5 * deviation / std::sqrt(static_cast<double>(rows));
}

namespace {

/// Mean error of the results of a row in ulp, weighted by their size.
std::optional<double> lean_of(const double* expected, const float* found, std::size_t count) {
  double larger = 0;
  double places = 0;
  for (std::size_t d = 0; d < count; ++d) {
    const double size = std::abs(expected[d]);
    if (size == 0) continue;
    larger += (found[d] - expected[d]) * expected[d];
    places += size * std::ldexp(1.0, std::ilogb(size) - 7);
  }
  if (places == 0 || !std::isfinite(larger)) return std::nullopt;
  return larger / places;
}

}  // namespace

Errors compare(const Golden& golden, const std::vector<float>& output) {
  const std::size_t head_dim = golden.shape.head_dim;
  Errors errors;
  double leans = 0;
  std::size_t counted = 0;
  for (std::size_t row = 0; row < golden.shape.rows(); ++row) {
    double largest = 0;
    double error = 0;
    std::size_t worst = 0;
    for (std::size_t d = 0; d < head_dim; ++d) {
      const double expected = golden.output[row * head_dim + d];
      largest = std::max(largest, std::abs(expected));
      const double difference =
          std::abs(static_cast<double>(output[row * head_dim + d]) - expected);
      // NaN counts as an infinite error.
      if (difference <= error) continue;
      error = difference >= 0 ? difference : std::numeric_limits<double>::infinity();
      worst = d;
    }
    const double relative = error == 0 ? 0 : error / largest;
    const double bound = error_bound(golden.amplification[row], golden.merges,
                                     golden.spread.empty() ? 0 : golden.spread[row]);
    errors.max_abs = std::max(errors.max_abs, error);
    if (relative > errors.max_rel || row == 0) {
      errors.max_rel = relative;
      errors.bound = bound;
      errors.worst_row = row;
      errors.worst_column = worst;
    }
    errors.margin = std::max(errors.margin, relative / bound);
    const auto lean = lean_of(&golden.output[row * head_dim], &output[row * head_dim], head_dim);
    if (!lean) continue;
    leans += *lean;
    ++counted;
  }
  if (counted != 0) {
    errors.lean = leans / static_cast<double>(counted);
    errors.lean_bound = lean_bound(counted, golden.merges);
  }
  return errors;
}

}  // namespace tvp::workloads::sdpa
