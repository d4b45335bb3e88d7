#pragma once
// Shards as xtensor cuts them, which knows nothing of the code under test.

#include <cstdint>
#include <cstring>
#include <vector>
#include <xtensor/xarray.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xpad.hpp>

namespace tvp::test {

/// Part `index` of `count` along a dimension.
struct Cut {
  std::size_t dim = 0;
  std::size_t count = 1;
  std::size_t index = 0;
};

/// The part of a tensor that all the cuts leave, of which those of one dimension are made one
/// after the other. Where a dimension does not divide, zeros follow, as often as are needed.
template <typename Datum>
xt::xarray<Datum> golden_shard(const xt::xarray<Datum>& tensor, const std::vector<Cut>& cuts) {
  xt::xarray<Datum> part = tensor;
  for (const Cut& cut : cuts) {
    const std::size_t missing = (cut.count - part.shape(cut.dim) % cut.count) % cut.count;
    std::vector<std::vector<std::size_t>> padding(part.dimension(), {0, 0});
    padding[cut.dim][1] = missing;
    const xt::xarray<Datum> whole = xt::pad(part, padding, xt::pad_mode::constant, Datum{0});
    part = xt::xarray<Datum>(xt::split(whole, cut.count, cut.dim)[cut.index]);
  }
  return part;
}

/// Row by row, as in memory.
template <typename Datum>
std::vector<std::uint8_t> bytes_of(const xt::xarray<Datum>& tensor) {
  std::vector<std::uint8_t> bytes(tensor.size() * sizeof(Datum));
  std::memcpy(bytes.data(), tensor.data(), bytes.size());
  return bytes;
}

}  // namespace tvp::test
