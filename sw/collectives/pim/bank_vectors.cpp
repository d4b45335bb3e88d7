#include "sw/collectives/pim/bank_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <type_traits>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr std::uint64_t kElementBytes = 8;

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

bool is_bitwise(const std::string& op) { return op == "band" || op == "bor" || op == "bxor"; }

}  // namespace

BankVectors::BankVectors(const std::string& where, const std::string& type, const std::string& op,
                         unsigned ranks, std::uint64_t bytes, std::uint64_t seed)
    : type_(type), op_(op), operation_(op_of(op)), bytes_(bytes) {
  if (type == "fp32" && is_bitwise(op)) {
    runtime::bad_use(where, "fp32 has no operation '" + op +
                                "': expected sum, max, min or prod, or an integer type");
  }
  if (bytes % element_bytes() != 0) {
    runtime::bad_use(where, std::to_string(bytes) + " bytes are not a whole number of " + type +
                                " elements of " + std::to_string(element_bytes()) + " bytes");
  }
  const std::uint64_t padded = (bytes + kElementBytes - 1) / kElementBytes * kElementBytes;
  inputs_.assign(ranks, std::vector<std::uint8_t>(padded));
  const bool rounds = type == "fp32" && (op == "sum" || op == "prod");
  const double unit_roundoffs = rounds ? (ranks - 1) * std::ldexp(1.0, -24) : 0.0;
  bound_ = unit_roundoffs / (1 - unit_roundoffs);
  std::mt19937_64 random(seed);
  for (auto& input : inputs_)
    for (std::uint64_t i = 0; i < elements(); ++i) draw(input, i, random());
}

void BankVectors::draw(std::vector<std::uint8_t>& input, std::uint64_t index,
                       std::uint64_t bits) const {
  const double unit = static_cast<double>(bits >> 11) * std::ldexp(1.0, -53);
  if (type_ == "int64") {
    put<std::uint64_t>(input, index, bits);
  } else if (type_ == "int32") {
    put<std::uint32_t>(input, index, static_cast<std::uint32_t>(bits));
  } else if (op_ == "prod") {
    // The mean of log2 is near 0, so products of hundreds stay in the range of normal numbers.
    const double magnitude = std::exp2(unit - 0.5);
    put<float>(input, index, static_cast<float>((bits & 1U) != 0 ? magnitude : -magnitude));
  } else {
    put<float>(input, index, static_cast<float>(2 * unit - 1));
  }
}

BankVectors::Chunk BankVectors::chunk(unsigned rank) const {
  const std::uint64_t words = padded_bytes() / kElementBytes;
  const auto border = [&](std::uint64_t r) {
    return (r * (words / ranks()) + std::min<std::uint64_t>(r, words % ranks())) * kElementBytes;
  };
  return {border(rank), border(rank + 1)};
}

BankVectors::Op BankVectors::op_of(const std::string& name) {
  constexpr const char* kNames[] = {"sum", "max", "min", "prod", "band", "bor", "bxor"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  return static_cast<Op>(found - std::begin(kNames));
}

template <typename T>
T BankVectors::combine(T a, T b) const {
  if (operation_ == Op::kMax) return std::max(a, b);
  if (operation_ == Op::kMin) return std::min(a, b);
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;  // wraps around
    const auto x = static_cast<Unsigned>(a);
    const auto y = static_cast<Unsigned>(b);
    if (operation_ == Op::kBand) return static_cast<T>(x & y);
    if (operation_ == Op::kBor) return static_cast<T>(x | y);
    if (operation_ == Op::kBxor) return static_cast<T>(x ^ y);
    return static_cast<T>(operation_ == Op::kSum ? x + y : x * y);
  } else {
    return operation_ == Op::kSum ? a + b : a * b;
  }
}

template <typename T>
void BankVectors::reduce_integers(Golden& golden) const {
  for (std::uint64_t i = 0; i < elements(); ++i) {
    T expected = element<T>(inputs_[0], i);
    for (unsigned rank = 1; rank < ranks(); ++rank)
      expected = combine(expected, element<T>(inputs_[rank], i));
    golden.integers.push_back(expected);
  }
}

void BankVectors::reduce_floats(Golden& golden) const {
  for (std::uint64_t i = 0; i < elements(); ++i) {
    auto expected = static_cast<double>(element<float>(inputs_[0], i));
    double scale = std::abs(expected);
    for (unsigned rank = 1; rank < ranks(); ++rank) {
      const auto other = static_cast<double>(element<float>(inputs_[rank], i));
      expected = combine(expected, other);
      scale += std::abs(other);
    }
    golden.floats.push_back(expected);
    golden.scales.push_back(operation_ == Op::kProd ? std::abs(expected) : scale);
  }
}

const BankVectors::Golden& BankVectors::golden() const {
  if (!golden_.integers.empty() || !golden_.floats.empty()) return golden_;
  if (type_ == "int64") {
    reduce_integers<std::int64_t>(golden_);
  } else if (type_ == "int32") {
    reduce_integers<std::int32_t>(golden_);
  } else {
    reduce_floats(golden_);
  }
  return golden_;
}

void BankVectors::Verdict::add(const Verdict& other) {
  if (wrong == 0) first_wrong = other.first_wrong;
  wrong += other.wrong;
  max_abs_error = std::max(max_abs_error, other.max_abs_error);
  max_rel_error = std::max(max_rel_error, other.max_rel_error);
}

BankVectors::Verdict BankVectors::judge_reduced(const std::vector<std::uint8_t>& found,
                                                std::uint64_t begin) const {
  if (type_ == "int64") return judge_integers<std::int64_t>(found, begin);
  if (type_ == "int32") return judge_integers<std::int32_t>(found, begin);
  return judge_floats(found, begin);
}

template <typename T>
BankVectors::Verdict BankVectors::judge_integers(const std::vector<std::uint8_t>& found,
                                                 std::uint64_t begin) const {
  Verdict verdict;
  const std::vector<std::int64_t>& golden = this->golden().integers;
  for (std::uint64_t i = begin / sizeof(T);
       i < std::min((begin + found.size()) / sizeof(T), elements()); ++i) {
    const auto expected = static_cast<T>(golden[i]);
    const T value = element<T>(found, i - begin / sizeof(T));
    if (value == expected) continue;
    if (verdict.wrong++ == 0) verdict.first_wrong = i;
    const double error = std::abs(static_cast<double>(value) - static_cast<double>(expected));
    verdict.max_abs_error = std::max(verdict.max_abs_error, error);
    verdict.max_rel_error = 1;
  }
  return verdict;
}

BankVectors::Verdict BankVectors::judge_floats(const std::vector<std::uint8_t>& found,
                                               std::uint64_t begin) const {
  Verdict verdict;
  const Golden& golden = this->golden();
  for (std::uint64_t i = begin / sizeof(float);
       i < std::min((begin + found.size()) / sizeof(float), elements()); ++i) {
    const double expected = golden.floats[i];
    const double scale = golden.scales[i];
    const auto value = static_cast<double>(element<float>(found, i - begin / sizeof(float)));
    const double error = std::abs(value - expected);
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

BankVectors::Verdict BankVectors::judge_copied(const std::vector<std::uint8_t>& found,
                                               unsigned rank, std::uint64_t begin) const {
  Verdict verdict;
  const std::uint64_t size = element_bytes();
  const std::uint64_t end = std::min(begin + found.size(), bytes_);
  for (std::uint64_t at = begin; at < end; at += size) {
    if (std::memcmp(found.data() + (at - begin), inputs_[rank].data() + at, size) == 0) continue;
    if (verdict.wrong++ == 0) verdict.first_wrong = at / size;
    verdict.max_rel_error = 1;
  }
  return verdict;
}

std::vector<std::uint8_t> BankVectors::reduce(
    const std::vector<std::vector<std::uint8_t>>& operands) const {
  std::vector<std::uint8_t> result = operands[0];
  const auto all = [&]<typename T>(T /*type*/) {
    for (std::size_t rank = 1; rank < operands.size(); ++rank)
      for (std::uint64_t i = 0; i < result.size() / sizeof(T); ++i)
        put<T>(result, i, combine(element<T>(result, i), element<T>(operands[rank], i)));
  };
  if (type_ == "int64") {
    all(std::int64_t{});
  } else if (type_ == "int32") {
    all(std::int32_t{});
  } else {
    all(float{});
  }
  return result;
}

std::int64_t BankVectors::integer(const std::vector<std::uint8_t>& bytes,
                                  std::uint64_t index) const {
  if (type_ == "int64") return element<std::int64_t>(bytes, index);
  return element<std::int32_t>(bytes, index);
}

std::int64_t BankVectors::as_written(unsigned rank, std::uint64_t index) const {
  const unsigned n = ranks();
  // Row n-1 of Pascal's triangle; its largest entry for 64 ranks still fits.
  std::vector<std::uint64_t> times(n, 0);
  times[0] = 1;
  for (unsigned row = 1; row < n; ++row)
    for (unsigned k = row; k > 0; --k) times[k] += times[k - 1];
  std::uint64_t value = op_ == "prod" ? 1 : 0;
  const unsigned owner = (rank + 1) % n;  // the second phase moves accumulators N-1 ranks on
  for (unsigned k = 0; k < n; ++k) {
    auto factor = static_cast<std::uint64_t>(integer(inputs_[(owner + n - k) % n], index));
    if (op_ == "sum") {
      value += times[k] * factor;
      continue;
    }
    for (std::uint64_t power = times[k]; power != 0; power >>= 1, factor *= factor)
      if ((power & 1U) != 0) value *= factor;
  }
  return type_ == "int64" ? static_cast<std::int64_t>(value) : static_cast<std::int32_t>(value);
}

std::string BankVectors::text(const std::vector<std::uint8_t>& bytes, std::uint64_t index) const {
  if (type_ == "fp32") return std::to_string(element<float>(bytes, index));
  return std::to_string(integer(bytes, index));
}

std::string BankVectors::cpp_type() const {
  return type_ == "fp32" ? "float" : type_ == "int32" ? "std::int32_t" : "std::int64_t";
}

std::string BankVectors::cpp_op() const {
  std::string name = "k" + op_;
  name[1] = static_cast<char>(name[1] - 'a' + 'A');
  return name;
}

}  // namespace tvp::collectives
