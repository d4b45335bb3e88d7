#pragma once
// Shards that xtensor cuts, independently of the code under test.

#include <cstdint>
#include <cstring>
#include <vector>
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>

namespace tvp::test {

/// Part `index` of `count` along a dimension.
struct Cut {
  std::size_t dim = 0;
  std::size_t count = 1;
  std::size_t index = 0;
};

/// Appends zeros, so that the dimension becomes a multiple.
template <typename Datum>
xt::xarray<Datum> padded(const xt::xarray<Datum>& tensor, std::size_t dim, std::size_t multiple) {
  std::vector<std::size_t> missing(tensor.shape().begin(), tensor.shape().end());
  missing[dim] = (multiple - missing[dim] % multiple) % multiple;
  if (missing[dim] == 0) return tensor;
  const xt::xarray<Datum> zeros = xt::zeros<Datum>(missing);
  return xt::concatenate(xt::xtuple(tensor, zeros), dim);
}

/// The part of a tensor after all cuts, where cuts of one dimension apply one after the other.
/// Zeros pad dimensions that do not divide.
template <typename Datum>
xt::xarray<Datum> golden_shard(const xt::xarray<Datum>& tensor, const std::vector<Cut>& cuts) {
  xt::xarray<Datum> part = tensor;
  for (const Cut& cut : cuts) {
    const xt::xarray<Datum> whole = padded(part, cut.dim, cut.count);
    part = xt::xarray<Datum>(xt::split(whole, cut.count, cut.dim)[cut.index]);
  }
  return part;
}

/// The datums row by row, as in memory.
template <typename Datum>
std::vector<std::uint8_t> bytes_of(const xt::xarray<Datum>& tensor) {
  std::vector<std::uint8_t> bytes(tensor.size() * sizeof(Datum));
  std::memcpy(bytes.data(), tensor.data(), bytes.size());
  return bytes;
}

}  // namespace tvp::test
