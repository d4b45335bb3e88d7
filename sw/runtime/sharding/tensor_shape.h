#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tvp::runtime::sharding {

/// Entries of each dimension, outermost first, as in torch: [batch, z, y, x].
using TensorShape = std::vector<std::uint64_t>;

inline constexpr std::size_t kMaxRank = 8;

std::string text_of(const TensorShape& shape);  ///< "[4, 3, 32, 32]"

/// Total number of entries.
std::uint64_t volume(const TensorShape& shape);

/// Throws ShardingError for an invalid tensor: kEmptyTensor, kRank, kDatumSize, kTooLarge.
void check_tensor(const TensorShape& shape, std::uint64_t datum_size);

/// Index of `dim`; negative values count from the end. Throws ShardingError (kNoSuchDimension).
std::size_t dimension(const TensorShape& shape, int dim);

/// Part of a tensor: entries [begin, begin + extent) of each dimension.
struct TensorBox {
  TensorShape begin;
  TensorShape extent;
  bool empty() const { return volume(extent) == 0; }
  bool operator==(const TensorBox&) const = default;
};

}  // namespace tvp::runtime::sharding
