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

namespace tensor_accessor {
/// Whether the word after the flags is the aligned page size, a multiple of 16. Programs give it or
/// leave it out: then a rank, the flags of a next tensor or the end of the arguments follow.
template <uint32_t CTA_OFFSET>
constexpr bool has_page_size() {
  if constexpr (CTA_OFFSET + 1 < kernel_compile_time_args.size()) {
    const uint32_t word = kernel_compile_time_args[CTA_OFFSET + 1];
    return word != 0 && word % 16 == 0;
  }
  return false;
}
}  // namespace tensor_accessor

// Words at compile time: flags, the aligned page size (which may be absent) and, of sharded
// tensors, rank, banks, tensor shape, shard shape, bank coordinates two a word.
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET = 0>
struct TensorAccessorArgs {
  static constexpr uint32_t flags = get_ct_arg<CTA_OFFSET>();
  static constexpr bool is_sharded =
      tensor_accessor::has(flags, tensor_accessor::ArgConfig::Sharded);
  static constexpr bool is_dram = tensor_accessor::has(flags, tensor_accessor::ArgConfig::IsDram);
  static_assert((flags & ~3u) == 0,
                "shapes and banks of a sharded tensor are compile-time arguments here");
  static constexpr bool has_page_size = tensor_accessor::has_page_size<CTA_OFFSET>();

  static constexpr uint32_t cta_offset = CTA_OFFSET;
  static constexpr uint32_t rank_offset = CTA_OFFSET + 1 + has_page_size;
  static constexpr uint32_t rank = [] {
    if constexpr (is_sharded) return get_ct_arg<rank_offset>();
    return 0u;
  }();
  static constexpr uint32_t num_banks = [] {
    if constexpr (is_sharded) return get_ct_arg<rank_offset + 1>();
    return 0u;
  }();
  static constexpr uint32_t tensor_shape_offset = rank_offset + 2;
  static constexpr uint32_t shard_shape_offset = tensor_shape_offset + rank;
  static constexpr uint32_t bank_coords_offset = shard_shape_offset + rank;

  constexpr TensorAccessorArgs() = default;
  constexpr explicit TensorAccessorArgs(uint32_t /*crta_offset*/) {}

  static constexpr uint32_t get_aligned_page_size() {
    static_assert(has_page_size, "the page size is not among the compile-time arguments");
    return get_ct_arg<CTA_OFFSET + 1>();
  }
  static constexpr uint32_t num_compile_time_args() {
    return 1 + has_page_size + (is_sharded ? 2 + 2 * rank + (num_banks + 1) / 2 : 0);
  }
  static constexpr uint32_t next_compile_time_args_offset() {
    return CTA_OFFSET + num_compile_time_args();
  }
  static constexpr uint32_t num_common_runtime_args() { return 0; }
  static constexpr uint32_t next_common_runtime_args_offset() { return CRTA_OFFSET; }
};
