#pragma once

#include <compare>

namespace tvp::runtime {

/// A number that is not to be taken for another: `Tag` tells kinds apart, * gives the number.
template <typename T, typename Tag>
class StrongType {
 public:
  constexpr StrongType() = default;
  constexpr explicit StrongType(T value) : value_(value) {}
  constexpr const T& operator*() const { return value_; }
  constexpr const T& get() const { return value_; }
  constexpr auto operator<=>(const StrongType&) const = default;

 private:
  T value_{};
};

}  // namespace tvp::runtime
