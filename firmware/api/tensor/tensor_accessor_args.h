#pragma once
// Where a tensor's pages are, as compile-time words and common runtime arguments (kernel_api 1.1).

#include <stdint.h>

#include "compile_time_args.h"

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
};
constexpr bool has(uint32_t flags, ArgConfig flag) {
  return (flags & static_cast<uint32_t>(flag)) != 0;
}
}  // namespace tensor_accessor

// Interleaved tensors take one word, the flags. A sharded one's words follow: rank, banks, tensor
// shape, shard shape, bank coordinates two a word; all of them at compile time.
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET = 0>
struct TensorAccessorArgs {
  static constexpr uint32_t flags = get_ct_arg<CTA_OFFSET>();
  static constexpr bool is_sharded =
      tensor_accessor::has(flags, tensor_accessor::ArgConfig::Sharded);
  static constexpr bool is_dram = tensor_accessor::has(flags, tensor_accessor::ArgConfig::IsDram);
  static_assert((flags & ~3u) == 0,
                "shapes and banks of a sharded tensor are compile-time arguments here");

  static constexpr uint32_t cta_offset = CTA_OFFSET;
  static constexpr uint32_t rank = [] {
    if constexpr (is_sharded) return get_ct_arg<CTA_OFFSET + 1>();
    return 0u;
  }();
  static constexpr uint32_t num_banks = [] {
    if constexpr (is_sharded) return get_ct_arg<CTA_OFFSET + 2>();
    return 0u;
  }();
  static constexpr uint32_t tensor_shape_offset = CTA_OFFSET + 3;
  static constexpr uint32_t shard_shape_offset = tensor_shape_offset + rank;
  static constexpr uint32_t bank_coords_offset = shard_shape_offset + rank;

  static constexpr uint32_t num_compile_time_args() {
    return is_sharded ? 3 + 2 * rank + (num_banks + 1) / 2 : 1;
  }
  static constexpr uint32_t next_compile_time_args_offset() {
    return CTA_OFFSET + num_compile_time_args();
  }
  static constexpr uint32_t next_common_runtime_args_offset() { return CRTA_OFFSET; }
};
