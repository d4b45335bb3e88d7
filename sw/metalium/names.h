#pragma once
// Enumerators print as their names. Cores and sub-device ids are keys of hash tables, as programs
// for tt-metal expect (tt_stl/fmt.hpp, core_coord.hpp).

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/programs/core_coord.h"
#include "sw/runtime/strong_type.h"

namespace tvp::metalium {

/// The compiler's name of an enumerator, or a cast that begins with '(' if it has no name.
template <auto kValue>
constexpr std::string_view spelling() {
  constexpr std::string_view all = __PRETTY_FUNCTION__;
  constexpr std::string_view before = "kValue = ";
  constexpr std::size_t begin = all.find(before) + before.size();
  constexpr std::string_view from = all.substr(begin);
  constexpr std::string_view whole = from.substr(0, from.find_first_of(";]"));
  if (whole.front() == '(') return {};
  return whole.substr(whole.rfind(':') + 1);
}

template <typename Enum, std::size_t... kValues>
std::string_view enumerator_of(std::size_t value, std::index_sequence<kValues...>) {
  static constexpr std::string_view kNames[] = {spelling<static_cast<Enum>(kValues)>()...};
  return value < sizeof...(kValues) ? kNames[value] : std::string_view{};
}

/// The enumerator's name, or its number.
template <typename Enum>
std::string enum_name(Enum value) {
  const auto number = static_cast<std::size_t>(value);
  const std::string_view name = enumerator_of<Enum>(number, std::make_index_sequence<256>());
  return name.empty() ? std::to_string(number) : std::string(name);
}

template <typename... Parts>
std::size_t hash_of(const Parts&... parts) {
  std::size_t hash = 0;
  ((hash = (hash ^ std::hash<Parts>{}(parts)) * 0x9E3779B97F4A7C15U + (hash >> 29)), ...);
  return hash;
}

}  // namespace tvp::metalium

/// Prints enumerators that do not convert to integers.
template <typename Enum>
requires(std::is_enum_v<Enum> && !std::is_convertible_v<Enum, int>) struct fmt::formatter<Enum>
    : fmt::formatter<std::string> {
  template <typename Context>
  auto format(Enum value, Context& context) const {
    return fmt::formatter<std::string>::format(tvp::metalium::enum_name(value), context);
  }
};

template <>
struct std::hash<tvp::runtime::CoreRange> {
  std::size_t operator()(const tvp::runtime::CoreRange& range) const noexcept {
    return tvp::metalium::hash_of(range.start_coord, range.end_coord);
  }
};
template <>
struct std::hash<tvp::runtime::MeshCoordinate> {
  std::size_t operator()(const tvp::runtime::MeshCoordinate& device) const noexcept {
    return tvp::metalium::hash_of(device.row, device.column);
  }
};
template <typename T, typename Tag>
struct std::hash<tvp::runtime::StrongType<T, Tag>> {
  std::size_t operator()(const tvp::runtime::StrongType<T, Tag>& number) const noexcept {
    return tvp::metalium::hash_of(*number);
  }
};
