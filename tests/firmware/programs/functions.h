#pragma once

#include <cstdint>

namespace tvp::test {

/// Functions of one tile, then those of a tile and a number, of two tiles, and of three.
enum class Function : std::uint8_t {
  kExp,
  kExpScaled,
  kExpFast,
  kExpm1,
  kExp2,
  kSqrt,
  kRsqrt,
  kReciprocal,
  kLog,
  kLog1p,
  kLogWithBase,
  kTanh,
  kSigmoid,
  kSilu,
  kGelu,
  kRoughGelu,
  kAbs,
  kSign,
  kFloor,
  kCeil,
  kTrunc,
  kFrac,
  kSin,
  kCos,
  kEqualZero,
  kNotEqualZero,
  kLessZero,
  kGreaterZero,
  kGreaterEqualZero,
  kLessEqualZero,
  kAddNumber,
  kSubtractNumber,
  kReverseSubtractNumber,
  kMultiplyNumber,
  kReluMax,
  kReluMin,
  kLeakyRelu,
  kFill,
  kClamp,
  kPower,
  kEqualNumber,
  kLessNumber,
  kGreaterEqualNumber,
  kAdd,
  kSubtract,
  kReverseSubtract,
  kMultiply,
  kDivide,
  kMinimum,
  kMaximum,
  kEqual,
  kGreater,
  kLessEqual,
  kCopyDst,
  kWhere,
};

/// Parameters that the test sets before it runs a program.
struct FunctionParameters {
  Function function = Function::kExp;
  float number = 0;
  unsigned tiles = 1;
};
inline FunctionParameters function_parameters;

}  // namespace tvp::test
