#pragma once

#include <compare>

namespace tvp::runtime {

/// A number with a type of its own, selected by `Tag`. The operator * returns the number.
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
