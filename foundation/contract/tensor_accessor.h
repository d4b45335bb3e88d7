#pragma once
// The word that says what the arguments of a TensorAccessor hold. Shared by kernels and host, in
// the namespace that kernels know.

#include <stdint.h>

namespace tensor_accessor {
enum class ArgConfig : uint32_t {
  None = 0,
  Sharded = 1u << 0,
  IsDram = 1u << 1,
  RuntimeRank = 1u << 2,
  RuntimeNumBanks = 1u << 3,
  RuntimeTensorShape = 1u << 4,
  RuntimeShardShape = 1u << 5,
  RuntimeBankCoords = 1u << 6,
  /// Ours: the word after this one is the aligned page size. tt-metal's programs have it always or
  /// never, by their age; who appends the words says which.
  AlignedPageSize = 1u << 7,
};
/// Ours, too: the flags' word ends with the aligned page size, in units of 16 bytes, and a mark in
/// front of it, so that a tensor whose page size is known has as many words as one of which the
/// kernel gives it.
constexpr uint32_t kPageSizeMark = 2u << 8, kPageSizeMarkMask = 3u << 8, kPageSizeShift = 10;
constexpr uint32_t kPageSizeUnit = 16, kLargestMarkedPage = ((1u << 22) - 1) * kPageSizeUnit;
constexpr bool has(uint32_t flags, ArgConfig flag) {
  return (flags & static_cast<uint32_t>(flag)) != 0;
}
constexpr uint32_t operator|(ArgConfig a, ArgConfig b) {
  return static_cast<uint32_t>(a) | static_cast<uint32_t>(b);
}
}  // namespace tensor_accessor
