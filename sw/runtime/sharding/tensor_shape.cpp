#include "sw/runtime/sharding/tensor_shape.h"

#include <algorithm>

#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

/// NoC addresses, which address tiles and bytes within them, have 36 bits of address (ISA
/// NoC/README). No system here has 4096 tiles' worth of them.
constexpr std::uint64_t kMostBytes = 1ULL << 48;

}  // namespace

std::string text_of(const TensorShape& shape) {
  std::string text = "[";
  for (const std::uint64_t entries : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(entries);
  }
  return text + "]";
}

std::uint64_t volume(const TensorShape& shape) {
  std::uint64_t all = 1;
  for (const std::uint64_t entries : shape) all *= entries;
  return all;
}

void check_tensor(const TensorShape& shape, std::uint64_t datum_size) {
  if (shape.empty() || std::find(shape.begin(), shape.end(), 0U) != shape.end())
    refuse(Refusal::kEmptyTensor, "a tensor of shape " + text_of(shape),
           "one or more dimensions of at least 1");
  if (shape.size() > kMaxRank)
    refuse(Refusal::kRank, "a tensor of " + std::to_string(shape.size()) + " dimensions",
           "at most " + std::to_string(kMaxRank));
  if (datum_size == 0) refuse(Refusal::kDatumSize, "datums of 0 bytes", "at least 1");
  std::uint64_t left = kMostBytes / datum_size;
  for (const std::uint64_t entries : shape) left /= entries;
  if (left == 0)
    refuse(Refusal::kTooLarge,
           "a tensor of shape " + text_of(shape) + " with " + std::to_string(datum_size) +
               " bytes a datum",
           "at most 2^48 bytes");
}

std::size_t dimension(const TensorShape& shape, int dim) {
  const int rank = static_cast<int>(shape.size());
  if (dim < -rank || dim >= rank)
    refuse(Refusal::kNoSuchDimension,
           "dimension " + std::to_string(dim) + " of a tensor of shape " + text_of(shape),
           std::to_string(-rank) + " to " + std::to_string(rank - 1));
  return static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
}

}  // namespace tvp::runtime::sharding
