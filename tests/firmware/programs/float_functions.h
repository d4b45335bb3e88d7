#pragma once

#include <cstdint>

namespace tvp::test {

/// The rows of float_functions.def.
enum class FloatFunction : std::uint8_t {
#define FLOAT_FUNCTION(name, ...) name,
#include "tests/firmware/programs/float_functions.def"
#undef FLOAT_FUNCTION
};

/// Parameters that the test sets before it runs programs/float_functions.cpp.
struct FloatFunctionParameters {
  FloatFunction function{};
  float k[3] = {};
  unsigned tiles = 1;
};
inline FloatFunctionParameters float_function_parameters;

}  // namespace tvp::test
