#pragma once
// Sizes of a tensor under tt-metal's names (tt-metalium/shape.hpp).

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace tt::tt_metal {

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::uint32_t> sizes) : sizes_(sizes) {}
  explicit Shape(std::span<const std::uint32_t> sizes) : sizes_(sizes.begin(), sizes.end()) {}
  explicit Shape(std::vector<std::uint32_t> sizes) : sizes_(std::move(sizes)) {}

  std::size_t rank() const { return sizes_.size(); }
  std::size_t size() const { return sizes_.size(); }
  bool empty() const { return sizes_.empty(); }
  /// Negative dimensions count from the last one, -1. Throws Fault(kDescription) beyond the rank.
  std::uint32_t operator[](std::int32_t dimension) const { return sizes_[index(dimension)]; }
  std::uint32_t& operator[](std::int32_t dimension) { return sizes_[index(dimension)]; }
  /// Product of all sizes; 1 without dimensions.
  std::size_t volume() const;
  std::span<const std::uint32_t> view() const { return sizes_; }
  auto begin() const { return sizes_.begin(); }
  auto end() const { return sizes_.end(); }
  auto cbegin() const { return sizes_.begin(); }
  auto cend() const { return sizes_.end(); }
  bool operator==(const Shape&) const = default;

 private:
  std::size_t index(std::int32_t dimension) const;

  std::vector<std::uint32_t> sizes_;
};

}  // namespace tt::tt_metal
