#pragma once
// Checks of programs under tt-metal's names (tt_stl/assert.hpp). A false condition throws an
// exception with its text.

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "sw/metalium/names.h"
#include "sw/runtime/bfloat16.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::metalium {

inline std::string message() { return {}; }
template <typename... Args>
std::string message(fmt::format_string<Args...> format, Args&&... args) {
  return ": " + fmt::format(format, std::forward<Args>(args)...);
}

[[noreturn]] inline void fail(const char* file, int line, const char* kind, const char* condition,
                              const std::string& text) {
  throw std::runtime_error(fmt::format("{}:{}: {}{}{}", file, line, kind, condition, text));
}

}  // namespace tvp::metalium

/// Prints an argument with its name if it has one.
template <typename T>
requires std::is_same_v<T, tvp::runtime::CoreCoord> || std::is_same_v<T, tvp::runtime::CoreRange> ||
    std::is_same_v<T, tvp::runtime::CoreRangeSet> ||
    std::is_same_v<T, tvp::runtime::MeshCoordinate> ||
    std::is_same_v<T, tvp::runtime::MeshCoordinateRange>
struct fmt::formatter<T> : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const T& value, Context& context) const {
    return fmt::formatter<std::string>::format(value.str(), context);
  }
};
template <>
struct fmt::formatter<tvp::runtime::bfloat16> : fmt::formatter<float> {};

#define TT_THROW(...) \
  ::tvp::metalium::fail(__FILE__, __LINE__, "TT_THROW", "", ::tvp::metalium::message(__VA_ARGS__))
#define TT_FATAL(condition, ...)                                                   \
  do {                                                                             \
    if (!(condition)) [[unlikely]]                                                 \
      ::tvp::metalium::fail(__FILE__, __LINE__, "TT_FATAL, expected ", #condition, \
                            ::tvp::metalium::message(__VA_ARGS__));                \
  } while (false)
#define TT_ASSERT(condition, ...) TT_FATAL(condition __VA_OPT__(, ) __VA_ARGS__)
