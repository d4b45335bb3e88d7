#pragma once
// Names of enumerators under the names of magic_enum, for programs on machines without that
// library.

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sw/metalium/names.h"

namespace magic_enum {

/// Enumerators from 0 to 127 have names, as with the library's default range.
inline constexpr std::size_t kMost = 128;

template <typename Enum>
std::string_view enum_name(Enum value) {
  return tvp::metalium::enumerator_of<Enum>(static_cast<std::size_t>(value),
                                            std::make_index_sequence<kMost>());
}
template <typename Enum>
constexpr auto enum_integer(Enum value) {
  return static_cast<std::underlying_type_t<Enum>>(value);
}
template <typename Enum>
std::optional<Enum> enum_cast(std::string_view name) {
  for (std::size_t value = 0; value < kMost && !name.empty(); ++value)
    if (enum_name(static_cast<Enum>(value)) == name) return static_cast<Enum>(value);
  return std::nullopt;
}
/// All enumerators that have names, in ascending order.
template <typename Enum>
std::vector<Enum> enum_values() {
  std::vector<Enum> values;
  for (std::size_t value = 0; value < kMost; ++value)
    if (!enum_name(static_cast<Enum>(value)).empty()) values.push_back(static_cast<Enum>(value));
  return values;
}

}  // namespace magic_enum
