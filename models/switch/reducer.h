#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tvp::switching {

/// The arithmetic of a reducing switch: data of several chips in the same beats become one stream.
/// Integers wrap. fp32 and bf16 are rounded to nearest even after each operand, in the order of the
/// chips, so a result does not depend on which chip was ready first.
class Reducer {
 public:
  enum class Op : std::uint8_t { kSum, kMax, kMin, kProd };
  enum class Type : std::uint8_t { kInt32, kInt64, kFp32, kBf16 };

  Reducer(Op op, Type type) : op_(op), type_(type) {}

  std::size_t element_bytes() const {
    if (type_ == Type::kBf16) return 2;
    return type_ == Type::kInt64 ? 8 : 4;
  }
  /// `result` and `operand` hold the same number of whole elements.
  void combine(std::span<std::uint8_t> result, std::span<const std::uint8_t> operand) const;

 private:
  const Op op_;
  const Type type_;
};

}  // namespace tvp::switching
