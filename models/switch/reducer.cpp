#include "models/switch/reducer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "foundation/fault.h"

namespace tvp::switching {

namespace {

/// A bf16 number as it travels. A sum or product of two is first rounded to fp32; with 24 and 8
/// bits of significand this equals rounding once.
class Bf16 {
 public:
  Bf16() = default;
  explicit Bf16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool is_nan = std::isnan(value);
    bits_ = static_cast<std::uint16_t>(
        (is_nan ? bits | 0x40'0000U : bits + 0x7FFFU + (bits >> 16 & 1)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16); }
  bool operator<(const Bf16& other) const {
    return static_cast<float>(*this) < static_cast<float>(other);
  }

 private:
  std::uint16_t bits_ = 0;
};

/// `Stored` is the type of an element as it travels, `Wide` the type of the computation. Integers
/// use an unsigned type, so they wrap.
template <typename Stored, typename Wide>
Stored apply(Reducer::Op op, Stored a, Stored b) {
  switch (op) {
    case Reducer::Op::kSum:
      return static_cast<Stored>(static_cast<Wide>(a) + static_cast<Wide>(b));
    case Reducer::Op::kProd:
      return static_cast<Stored>(static_cast<Wide>(a) * static_cast<Wide>(b));
    case Reducer::Op::kMax:
      return std::max(a, b);
    case Reducer::Op::kMin:
      break;
  }
  return std::min(a, b);
}

template <typename Stored, typename Wide>
void combine_all(Reducer::Op op, std::span<std::uint8_t> result,
                 std::span<const std::uint8_t> operand) {
  for (std::size_t at = 0; at < result.size(); at += sizeof(Stored)) {
    Stored a;
    Stored b;
    std::memcpy(&a, result.data() + at, sizeof a);
    std::memcpy(&b, operand.data() + at, sizeof b);
    a = apply<Stored, Wide>(op, a, b);
    std::memcpy(result.data() + at, &a, sizeof a);
  }
}

}  // namespace

void Reducer::combine(std::span<std::uint8_t> result, std::span<const std::uint8_t> operand) const {
  if (result.size() != operand.size() || result.size() % element_bytes() != 0) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "switch",
                            std::to_string(operand.size()) + " bytes are combined with " +
                                std::to_string(result.size()) + ": expected whole elements of " +
                                std::to_string(element_bytes()) + " bytes, as many on both sides");
  }
  switch (type_) {
    case Type::kInt32:
      return combine_all<std::int32_t, std::uint32_t>(op_, result, operand);
    case Type::kInt64:
      return combine_all<std::int64_t, std::uint64_t>(op_, result, operand);
    case Type::kFp32:
      return combine_all<float, float>(op_, result, operand);
    case Type::kBf16:
      return combine_all<Bf16, float>(op_, result, operand);
  }
}

}  // namespace tvp::switching
