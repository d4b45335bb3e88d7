#pragma once

#include <cstdint>

namespace tvp::test {

/// The rows of integer_functions.def.
enum class IntegerFunction : std::uint8_t {
#define INTEGER_FUNCTION(name, ...) name,
#define UINT16_FUNCTION(name, ...) name,
#define CAST_FUNCTION(name, ...) name,
#include "tests/firmware/programs/integer_functions.def"
#undef INTEGER_FUNCTION
#undef UINT16_FUNCTION
#undef CAST_FUNCTION
};

/// Parameters that the test sets before it runs programs/integer_functions.cpp.
struct IntegerFunctionParameters {
  IntegerFunction function{};
  std::uint32_t a = 0, b = 1, out = 16;  ///< buffers
};
inline IntegerFunctionParameters integer_function_parameters;

}  // namespace tvp::test
