#pragma once

#include <algorithm>
#include <cstdint>

#include "sw/runtime/tilize_utils.h"

namespace tvp::runtime::sharding {

/// Order of the datums of a shard on a device, compared with the host's order row by row. Compute
/// kernels need tiles (tilize_utils.h).
class ShardOrder {
 public:
  static constexpr std::uint32_t kTile = 32;  ///< rows and columns
  static constexpr std::uint32_t kFace = 16;

  /// Order of a shard with `columns` columns. Tiles require whole tiles.
  ShardOrder(TensorLayoutType layout, std::uint64_t columns, std::uint64_t datum_size)
      : columns_(columns),
        datum_size_(datum_size),
        side_(layout == TensorLayoutType::TILED_NFACES ? kFace : kTile),
        tiled_(layout != TensorLayoutType::LIN_ROW_MAJOR) {}

  /// Bytes from a row to the next one.
  std::uint64_t stride() const { return columns_ * datum_size_; }

  /// Calls visit(offset on the device, offset row by row, bytes, rows) for the parts of [begin,
  /// end) on the device, in its order. A part has `bytes` bytes of each of `rows` rows below each
  /// other.
  template <typename Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    if (!tiled_) {
      visit(begin, begin, end - begin, std::uint64_t{1});
      return;
    }
    const std::uint64_t run = side_ * datum_size_;
    while (begin < end) {
      const std::uint64_t number = begin / run;
      const std::uint64_t within = begin - number * run;
      const bool whole = within == 0 && end - begin >= run;
      const std::uint64_t rows = whole ? std::min(side_ - number % side_, (end - begin) / run) : 1;
      const std::uint64_t bytes = whole ? run : std::min(run - within, end - begin);
      visit(begin, row_by_row(number) * datum_size_ + within, bytes, rows);
      begin += bytes * rows;
    }
  }

 private:
  /// The first datum of row number `run` of a face, or of a tile without faces.
  std::uint64_t row_by_row(std::uint64_t run) const {
    const std::uint64_t faces = kTile / side_;  // faces along a side of a tile
    const std::uint64_t row = run % side_;
    const std::uint64_t face = run / side_ % (faces * faces);
    const std::uint64_t tile = run / side_ / (faces * faces);
    const std::uint64_t tiles = columns_ / kTile;  // tiles in a row
    return (tile / tiles * kTile + face / faces * side_ + row) * columns_ + tile % tiles * kTile +
           face % faces * side_;
  }

  std::uint64_t columns_;
  std::uint64_t datum_size_;
  std::uint64_t side_;
  bool tiled_;
};

}  // namespace tvp::runtime::sharding
