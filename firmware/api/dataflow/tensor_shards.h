#pragma once
// Shapes of a sharded tensor in pages, and the place of a page. The tensor is divided into shards
// of one shape; the last ones of a dimension may contain padding. Shards are numbered in row-major
// order and assigned to the banks in turn. Pages of a shard are stored in row-major order.

#include <stdint.h>

#include "dataflow/tensor_accessor_args.h"

namespace tvp::accessors {

template <uint32_t N>
struct Shapes {
  uint32_t rank = 0;
  uint32_t num_banks = 0;
  uint32_t tensor[N] = {};
  uint32_t shard[N] = {};
  // Distance of neighbors in each dimension: in pages of the tensor, in pages of a shard, in
  // shards.
  uint32_t tensor_strides[N] = {};
  uint32_t shard_strides[N] = {};
  uint32_t grid[N] = {};
  uint32_t grid_strides[N] = {};
  uint32_t tensor_volume = 1;
  uint32_t shard_volume = 1;
  uint32_t shards = 1;

  constexpr void derive() {
    for (uint32_t i = rank; i-- > 0;) {
      tensor_strides[i] = tensor_volume;
      shard_strides[i] = shard_volume;
      grid_strides[i] = shards;
      grid[i] = (tensor[i] + shard[i] - 1) / shard[i];
      tensor_volume *= tensor[i];
      shard_volume *= shard[i];
      shards *= grid[i];
    }
  }
};

/// Number of a shard and a page's place in it.
struct ShardPage {
  uint32_t shard = 0;
  uint32_t page = 0;
};

/// The specification of a sharded tensor from its arguments: constants, or values read once.
template <typename Args>
class TensorShards {
 public:
  static constexpr bool has_static_rank = !Args::rank_is_crta;
  static constexpr bool has_static_num_banks = !Args::num_banks_is_crta;
  static constexpr bool has_static_bank_coords = !Args::bank_coords_is_crta;
  static constexpr bool has_static_shapes = has_static_rank && has_static_num_banks &&
                                            !Args::tensor_shape_is_crta &&
                                            !Args::shard_shape_is_crta;
  static constexpr bool is_static = has_static_shapes && has_static_bank_coords;
  static constexpr bool tensor_shape_static = has_static_rank && !Args::tensor_shape_is_crta;
  static constexpr bool shard_shape_static = has_static_rank && !Args::shard_shape_is_crta;
  static constexpr bool shapes_static = tensor_shape_static && shard_shape_static;
  static constexpr bool bank_coords_static = has_static_num_banks && has_static_bank_coords;
  static constexpr bool is_dram = Args::is_dram;
  static constexpr bool is_interleaved = false;
  static constexpr uint32_t rank_ct = Args::rank;
  static constexpr uint32_t kMaxRank = has_static_rank ? Args::rank : tensor_accessor::MAX_RANK;

  constexpr TensorShards() = default;
  FORCE_INLINE explicit TensorShards(const Args& args) {
    if constexpr (!has_static_shapes) {
      shapes_.rank = args.get_rank();
      shapes_.num_banks = args.get_num_banks();
      read<Args::tensor_shape_is_crta, Args::tensor_shape_offset>(shapes_.tensor,
                                                                  args.tensor_shape_crta_offset());
      read<Args::shard_shape_is_crta, Args::shard_shape_offset>(shapes_.shard,
                                                                args.shard_shape_crta_offset());
      shapes_.derive();
    }
    if constexpr (!has_static_bank_coords)
      coordinates_.words = reinterpret_cast<const volatile uint32_t*>(
          get_common_arg_addr(static_cast<int>(args.bank_coords_crta_offset())));
  }

  constexpr uint32_t rank() const { return shapes().rank; }
  constexpr uint32_t num_banks() const { return shapes().num_banks; }
  constexpr const auto& tensor_shape() const { return shapes().tensor; }
  constexpr const auto& shard_shape() const { return shapes().shard; }
  constexpr const auto& tensor_strides() const { return shapes().tensor_strides; }
  constexpr const auto& shard_strides() const { return shapes().shard_strides; }
  constexpr const auto& shard_grid() const { return shapes().grid; }
  constexpr const auto& shard_grid_strides() const { return shapes().grid_strides; }
  constexpr uint32_t tensor_volume() const { return shapes().tensor_volume; }
  constexpr uint32_t shard_volume() const { return shapes().shard_volume; }
  constexpr uint32_t num_shards() const { return shapes().shards; }
  constexpr const auto& packed_xy_coords() const { return coordinates_; }

  FORCE_INLINE ShardPage locate(uint32_t page_id) const {
    ShardPage at;
    for (uint32_t i = rank(); i-- > 0;) {
      const uint32_t coordinate = page_id % tensor_shape()[i];
      page_id /= tensor_shape()[i];
      add(at, i, coordinate);
    }
    return at;
  }
  /// The place of a page by its coordinates in the tensor.
  template <typename Coordinates>
  FORCE_INLINE ShardPage locate_at(const Coordinates& coordinates) const {
    ShardPage at;
    for (uint32_t i = 0; i < rank(); ++i) add(at, i, coordinates[i]);
    return at;
  }
  /// Finds the tensor's page at a place of a shard. Returns false for padding.
  FORCE_INLINE bool page_at(const ShardPage& at, uint32_t& page_id) const {
    uint32_t shard = at.shard;
    uint32_t page = at.page;
    page_id = 0;
    for (uint32_t i = rank(); i-- > 0;) {
      const uint32_t coordinate =
          shard % shard_grid()[i] * shard_shape()[i] + page % shard_shape()[i];
      shard /= shard_grid()[i];
      page /= shard_shape()[i];
      if (coordinate >= tensor_shape()[i]) return false;
      page_id += coordinate * tensor_strides()[i];
    }
    return true;
  }

 private:
  struct Constant {
    constexpr Constant() = default;
    constexpr uint16_t operator[](uint32_t bank) const {
      const uint32_t word = kernel_compile_time_args[Args::bank_coords_offset + bank / 2];
      return static_cast<uint16_t>((bank & 1) != 0 ? word >> 16 : word);
    }
  };
  struct Read {
    const volatile uint32_t* words = nullptr;
    FORCE_INLINE uint16_t operator[](uint32_t bank) const {
      const uint32_t word = words[bank / 2];
      return static_cast<uint16_t>((bank & 1) != 0 ? word >> 16 : word);
    }
  };
  struct Nothing {};

  static constexpr auto kShapes = [] {
    Shapes<kMaxRank> shapes;
    if constexpr (has_static_shapes) {
      shapes.rank = Args::rank;
      shapes.num_banks = Args::num_banks;
      for (uint32_t i = 0; i < Args::rank; ++i) {
        shapes.tensor[i] = kernel_compile_time_args[Args::tensor_shape_offset + i];
        shapes.shard[i] = kernel_compile_time_args[Args::shard_shape_offset + i];
      }
      shapes.derive();
    }
    return shapes;
  }();
  constexpr const Shapes<kMaxRank>& shapes() const {
    if constexpr (has_static_shapes) {
      return kShapes;
    } else {
      return shapes_;
    }
  }
  template <bool at_run_time, uint32_t cta_offset>
  FORCE_INLINE void read(uint32_t (&shape)[kMaxRank], uint32_t crta_offset) {
    for (uint32_t i = 0; i < shapes_.rank; ++i) {
      if constexpr (at_run_time) {
        shape[i] = get_common_arg_val<uint32_t>(static_cast<int>(crta_offset + i));
      } else {
        shape[i] = kernel_compile_time_args[cta_offset + i];
      }
    }
  }
  FORCE_INLINE constexpr void add(ShardPage& at, uint32_t i, uint32_t coordinate) const {
    at.shard += coordinate / shard_shape()[i] * shard_grid_strides()[i];
    at.page += coordinate % shard_shape()[i] * shard_strides()[i];
  }

  [[no_unique_address]] std::conditional_t<has_static_shapes, Nothing, Shapes<kMaxRank>> shapes_;
  [[no_unique_address]] std::conditional_t<has_static_bank_coords, Constant, Read> coordinates_;
};

}  // namespace tvp::accessors
