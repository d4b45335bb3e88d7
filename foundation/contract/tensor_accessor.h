#pragma once
// The word that describes the arguments of a TensorAccessor, for kernels and host. The namespace is
// the one that kernels use.

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
  /// Our addition: the word after this one is the aligned page size. Depending on their age,
  /// tt-metal's programs always or never have it, so the code that appends the words says which.
  AlignedPageSize = 1u << 7,
};
/// Our addition: the upper bits of the flags' word hold the aligned page size in units of 16 bytes,
/// behind a mark. A tensor with a known page size thus needs no extra word.
constexpr uint32_t kPageSizeMark = 2u << 8, kPageSizeMarkMask = 3u << 8, kPageSizeShift = 10;
constexpr uint32_t kPageSizeUnit = 16, kLargestMarkedPage = ((1u << 22) - 1) * kPageSizeUnit;
constexpr bool has(uint32_t flags, ArgConfig flag) {
  return (flags & static_cast<uint32_t>(flag)) != 0;
}
constexpr uint32_t operator|(ArgConfig a, ArgConfig b) {
  return static_cast<uint32_t>(a) | static_cast<uint32_t>(b);
}
}  // namespace tensor_accessor
