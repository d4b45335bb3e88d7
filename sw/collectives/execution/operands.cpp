#include "sw/collectives/execution/operands.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "sw/runtime/bfloat16.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

/// A stateless generator (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

/// The error bound of a result of n roundings in any order, relative to the sum of magnitudes or to
/// the product. Where n u / (1 - n u) does not apply, sums have the bound of Jeannerod and Rump
/// (Improved error bounds for inner products in floating-point arithmetic, 2013). With bf16 and
/// hundreds of ranks the bound accepts nearly everything; use other types there.
double error_bound(double n, double u, bool is_sum) {
  if (n * u < 0.5) return n * u / (1 - n * u);
  return is_sum ? n * u : std::expm1(n * std::log1p(u));
}

bool divided(Primitive primitive) {
  switch (primitive) {
    case Primitive::kReduceScatter:
    case Primitive::kAllGather:
    case Primitive::kAllToAll:
    case Primitive::kGather:
    case Primitive::kScatter:
      return true;
    default:
      return false;
  }
}

/// In the order of Operands::Op; an average is a sum.
constexpr std::string_view kRedops[] = {"sum", "max", "min", "prod", "band", "bor", "bxor"};
constexpr std::string_view kFirstOfIntegers = "band";

std::size_t index_of(std::span<const std::string_view> words, std::string_view word) {
  if (word == "avg") word = "sum";
  return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}

std::string shown(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

void require_redop(const Demand& demand) {
  constexpr std::string_view kTypes[] = {"fp32", "bf16", "int32"};
  if (std::ranges::find(kTypes, demand.type) == std::end(kTypes))
    runtime::bad_use(demand.where + ".type",
                     "is " + demand.type + ": expected fp32, bf16 or int32");
  const std::size_t op = index_of(kRedops, demand.redop);
  if (op == std::size(kRedops))
    runtime::bad_use(
        demand.where + ".redop",
        "is " + demand.redop + ": expected sum, prod, max, min, avg, band, bor or bxor");
  if (op >= index_of(kRedops, kFirstOfIntegers) && demand.type != "int32")
    runtime::bad_use(demand.where + ".redop", "is " + demand.redop + ", which " + demand.type +
                                                  " lacks: expected type int32, or one of sum, "
                                                  "prod, max, min and avg");
}

void require_bytes(const Demand& demand) {
  const unsigned element = demand.type == "bf16" ? 2 : 4;
  if (demand.bytes == 0 || demand.bytes % element != 0)
    runtime::bad_use(demand.where + ".bytes", "is " + std::to_string(demand.bytes) +
                                                  ": expected a multiple of " +
                                                  std::to_string(element) + ", not 0");
}

Operands::Operands(const Schedule& schedule, const Demand& demand, std::uint32_t alignment)
    : schedule_(schedule), seed_(demand.seed), content_(demand.content) {
  require_redop(demand);
  type_ = demand.type == "int32" ? Type::kInt32 : demand.type == "bf16" ? Type::kBf16 : Type::kFp32;
  element_bytes_ = type_ == Type::kBf16 ? 2 : 4;
  op_ = static_cast<Op>(index_of(kRedops, demand.redop));
  require_bytes(demand);
  const std::uint64_t chunks = schedule.vector_chunks();
  const std::uint64_t chunk = (demand.bytes + chunks - 1) / chunks;
  const std::uint64_t padded = (chunk + alignment - 1) / alignment * alignment;
  if (padded * (chunks + schedule.scratch) > 0x8000'0000)
    runtime::bad_use(demand.where + ".bytes", "is " + std::to_string(demand.bytes) +
                                                  ": expected less than 2 GiB with scratch memory");
  chunk_bytes_ = static_cast<std::uint32_t>(padded);
  bytes_ = divided(schedule.primitive) ? padded * chunks : demand.bytes;
  const bool exact = type_ == Type::kInt32 || op_ == Op::kMax || op_ == Op::kMin;
  if (reduces(schedule.primitive) && !exact) {
    const double u = std::ldexp(1, type_ == Type::kBf16 ? -8 : -24);
    const double n = schedule.size() - 1.0 + (schedule.average ? 2 : 0);
    bound_ = error_bound(n, u, op_ == Op::kSum);
  }
  check_content(demand);
}

void Operands::check_content(const Demand& demand) const {
  if (content_.empty()) return;
  if (content_.size() != schedule_.size())
    runtime::bad_use(demand.where, "content of " + std::to_string(content_.size()) +
                                       " ranks: expected " + std::to_string(schedule_.size()));
  for (const std::vector<std::uint8_t>& one : content_)
    if (one.size() != input_bytes())
      runtime::bad_use(demand.where, "content of " + std::to_string(one.size()) +
                                         " bytes: expected " + std::to_string(input_bytes()) +
                                         ", whole chunks");
}

std::uint32_t Operands::draw(std::uint32_t rank, std::uint64_t index) const {
  if (!content_.empty()) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, content_[rank].data() + index * element_bytes_, element_bytes_);
    return bits;
  }
  const std::uint64_t random = mix(mix(seed_ ^ std::uint64_t{rank} << 40) ^ index);
  if (type_ == Type::kInt32) return static_cast<std::uint32_t>(random);
  const double unit = std::ldexp(static_cast<double>(random >> 12), -52);  // 0 to 1
  // Factors are near 1, so that products of many ranks neither vanish nor overflow.
  const double x = op_ == Op::kProd ? (random & 1 ? 1 : -1) * (0.75 + unit / 2) : 2 * unit - 1;
  const auto single = static_cast<float>(x);
  return type_ == Type::kBf16 ? runtime::bfloat16(single).bits()
                              : std::bit_cast<std::uint32_t>(single);
}

double Operands::value(std::uint32_t bits) const {
  switch (type_) {
    case Type::kInt32:
      return static_cast<std::int32_t>(bits);
    case Type::kBf16:
      return runtime::bfloat16::from_bits(static_cast<std::uint16_t>(bits));
    case Type::kFp32:
      break;
  }
  return std::bit_cast<float>(bits);
}

std::vector<std::uint8_t> Operands::input(std::uint32_t rank) const {
  std::vector<std::uint8_t> bytes(input_bytes(), 0);
  const std::uint64_t count =
      std::min<std::uint64_t>(divided(schedule_.primitive) ? input_bytes() : bytes_,
                              input_bytes()) /
      element_bytes_;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = draw(rank, i);
    std::memcpy(bytes.data() + i * element_bytes_, &bits, element_bytes_);
  }
  return bytes;
}

bool Operands::has_output(std::uint32_t rank) const {
  switch (schedule_.primitive) {
    case Primitive::kReduce:
    case Primitive::kGather:
      return rank == schedule_.root;
    case Primitive::kSendRecv:
      return rank == schedule_.peer;
    case Primitive::kCustom:
      return false;
    default:
      return true;
  }
}

std::pair<std::uint32_t, std::uint64_t> Operands::origin(std::uint32_t rank,
                                                         std::uint64_t index) const {
  const std::uint64_t part = std::uint64_t{chunk_bytes_} * schedule_.share / element_bytes_;
  switch (schedule_.primitive) {
    case Primitive::kAllGather:
    case Primitive::kGather:
      return {static_cast<std::uint32_t>(index / part), index % part};
    case Primitive::kAllToAll:
      return {static_cast<std::uint32_t>(index / part), rank * part + index % part};
    case Primitive::kScatter:
      return {schedule_.root, rank * part + index};
    case Primitive::kReduceScatter:
      return {0, rank * part + index};
    default:
      return {schedule_.root, index};
  }
}

std::uint64_t Operands::valid_elements() const {
  return (divided(schedule_.primitive) ? output_bytes() : bytes_) / element_bytes_;
}

std::uint32_t Operands::combine(std::uint32_t a, std::uint32_t b) const {
  const auto x = static_cast<std::int32_t>(a);
  const auto y = static_cast<std::int32_t>(b);
  switch (op_) {
    case Op::kSum:
      return a + b;
    case Op::kProd:
      return a * b;
    case Op::kMax:
      return static_cast<std::uint32_t>(std::max(x, y));
    case Op::kBand:
      return a & b;
    case Op::kBor:
      return a | b;
    case Op::kBxor:
      return a ^ b;
    case Op::kMin:
      break;
  }
  return static_cast<std::uint32_t>(std::min(x, y));
}

Operands::Expected Operands::reduced(std::uint64_t index) const {
  const std::uint32_t ranks = schedule_.size();
  if (type_ == Type::kInt32) {
    std::uint32_t bits = draw(0, index);
    for (std::uint32_t rank = 1; rank < ranks; ++rank) bits = combine(bits, draw(rank, index));
    double result = static_cast<std::int32_t>(bits);
    if (schedule_.average) result = std::trunc(result / ranks);
    return {result, 1};
  }
  double result = value(draw(0, index));
  double magnitude = std::fabs(result);
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    const double x = value(draw(rank, index));
    magnitude += std::fabs(x);
    switch (op_) {
      case Op::kSum:
        result += x;
        break;
      case Op::kProd:
        result *= x;
        break;
      case Op::kMax:
        result = std::max(result, x);
        break;
      case Op::kMin:
        result = std::min(result, x);
        break;
      case Op::kBand:
      case Op::kBor:
      case Op::kBxor:
        break;  // integers only, see above
    }
  }
  if (schedule_.average) return {result / ranks, magnitude / ranks};
  return {result, op_ == Op::kProd ? std::fabs(result) : magnitude};
}

const std::vector<Operands::Expected>& Operands::reduction() const {
  if (reduction_.empty()) {
    const std::uint64_t count =
        (divided(schedule_.primitive) ? input_bytes() : bytes_) / element_bytes_;
    reduction_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) reduction_.push_back(reduced(i));
  }
  return reduction_;
}

Operands::Verdict Operands::judge(std::uint32_t rank,
                                  const std::vector<std::uint8_t>& found) const {
  Verdict verdict;
  if (!has_output(rank)) return verdict;
  const bool combines = reduces(schedule_.primitive);
  for (std::uint64_t i = 0; i < valid_elements(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, found.data() + i * element_bytes_, element_bytes_);
    const auto [source, index] = origin(rank, i);
    bool right = false;
    Expected expected;
    if (combines) {
      expected = reduction()[index];
      const double error = std::fabs(value(bits) - expected.value);
      right = error <= bound_ * expected.scale;  // false for NaN
      verdict.max_abs_error = std::max(verdict.max_abs_error, error);
      if (expected.scale > 0)
        verdict.max_rel_error = std::max(verdict.max_rel_error, error / expected.scale);
    } else {
      const std::uint32_t sent = draw(source, index);
      expected.value = value(sent);
      right = bits == sent;
    }
    if (right) continue;
    if (verdict.wrong++ == 0) {
      verdict.first_wrong = i;
      verdict.first = "is " + shown(value(bits)) + ", expected " + shown(expected.value);
    }
  }
  return verdict;
}

}  // namespace tvp::collectives
