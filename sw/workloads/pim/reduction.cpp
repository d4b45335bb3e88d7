#include "sw/workloads/pim/reduction.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <type_traits>

namespace tvp::workloads::pim {

namespace {

template <typename T>
T element(const std::vector<std::uint8_t>& bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void put(std::vector<std::uint8_t>& bytes, std::uint64_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

template <typename T>
T combine(const std::string& op, T a, T b) {
  if (op == "sum") return a + b;
  if (op == "prod") return a * b;
  return op == "max" ? std::max(a, b) : std::min(a, b);
}

}  // namespace

Reduction::Reduction(const std::string& type, const std::string& op, unsigned nodes,
                     std::uint64_t bytes, std::uint64_t seed)
    : type_(type), op_(op), inputs_(nodes, std::vector<std::uint8_t>(bytes)) {
  std::mt19937_64 random(seed);
  const bool rounds = type == "fp32" && (op == "sum" || op == "prod");
  const double unit_roundoffs = rounds ? (nodes - 1) * std::ldexp(1.0, -24) : 0.0;
  bound_ = unit_roundoffs / (1 - unit_roundoffs);
  for (auto& input : inputs_) {
    for (std::uint64_t i = 0; i < bytes / element_bytes(); ++i) {
      const std::uint64_t bits = random();
      const double unit = static_cast<double>(bits >> 11) * std::ldexp(1.0, -53);
      if (type == "int64") {
        put<std::uint64_t>(input, i, bits);
      } else if (type == "int32") {
        put<std::uint32_t>(input, i, static_cast<std::uint32_t>(bits));
      } else if (op == "prod") {  // products stay in the range of normal numbers
        put<float>(input, i, static_cast<float>((bits & 1U) != 0 ? 0.5 + unit : -0.5 - unit));
      } else {
        put<float>(input, i, static_cast<float>(2 * unit - 1));
      }
    }
  }
}

Reduction::Verdict Reduction::judge(const std::vector<std::uint8_t>& result) const {
  if (type_ == "int64") return judge_integers<std::int64_t>(result);
  if (type_ == "int32") return judge_integers<std::int32_t>(result);
  return judge_floats(result);
}

template <typename T>
Reduction::Verdict Reduction::judge_integers(const std::vector<std::uint8_t>& result) const {
  using Unsigned = std::make_unsigned_t<T>;  // wraps around
  const bool wraps = op_ == "sum" || op_ == "prod";
  Verdict verdict;
  for (std::uint64_t i = 0; i < result.size() / sizeof(T); ++i) {
    T expected = element<T>(inputs_[0], i);
    for (std::size_t node = 1; node < inputs_.size(); ++node) {
      const T other = element<T>(inputs_[node], i);
      expected = wraps ? static_cast<T>(combine<Unsigned>(op_, static_cast<Unsigned>(expected),
                                                          static_cast<Unsigned>(other)))
                       : combine<T>(op_, expected, other);
    }
    const T found = element<T>(result, i);
    if (found == expected) continue;
    if (verdict.wrong++ == 0) verdict.first_wrong = i;
    const double error = std::abs(static_cast<double>(found) - static_cast<double>(expected));
    verdict.max_abs_error = std::max(verdict.max_abs_error, error);
    verdict.max_rel_error = 1;
  }
  return verdict;
}

Reduction::Verdict Reduction::judge_floats(const std::vector<std::uint8_t>& result) const {
  Verdict verdict;
  for (std::uint64_t i = 0; i < result.size() / sizeof(float); ++i) {
    double expected = static_cast<double>(element<float>(inputs_[0], i));
    double scale = std::abs(expected);
    for (std::size_t node = 1; node < inputs_.size(); ++node) {
      const auto other = static_cast<double>(element<float>(inputs_[node], i));
      expected = combine(op_, expected, other);
      scale += std::abs(other);
    }
    if (op_ == "prod") scale = std::abs(expected);
    const double error = std::abs(static_cast<double>(element<float>(result, i)) - expected);
    const double relative = error == 0 ? 0 : error / scale;
    // In double the golden result itself is rounded, 2^-29 times as much.
    if (!(relative <= bound_ * (1 + 1e-8))) {
      if (verdict.wrong++ == 0) verdict.first_wrong = i;
    }
    verdict.max_abs_error = std::max(verdict.max_abs_error, error);
    verdict.max_rel_error = std::max(verdict.max_rel_error, relative);
  }
  return verdict;
}

std::string Reduction::cpp_type() const {
  return type_ == "fp32" ? "float" : type_ == "int32" ? "std::int32_t" : "std::int64_t";
}

std::string Reduction::cpp_op() const {
  std::string name = op_;
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

}  // namespace tvp::workloads::pim
