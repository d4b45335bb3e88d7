#pragma once
// Where a tensor's pages are, as compile-time words and common runtime arguments (kernel_api 1.1).

#include <stdint.h>

#include "compile_time_args.h"
#include "firmware/contract/tensor_accessor.h"

// Words at compile time: flags, the aligned page size if they say so and, of sharded tensors,
// rank, banks, tensor shape, shard shape, bank coordinates two a word.
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET = 0>
struct TensorAccessorArgs {
  static constexpr uint32_t flags = get_ct_arg<CTA_OFFSET>();
  static constexpr bool is_sharded =
      tensor_accessor::has(flags, tensor_accessor::ArgConfig::Sharded);
  static constexpr bool is_dram = tensor_accessor::has(flags, tensor_accessor::ArgConfig::IsDram);
  static constexpr bool has_page_size =
      tensor_accessor::has(flags, tensor_accessor::ArgConfig::AlignedPageSize);
  static_assert((flags & 0x7C) == 0,
                "rank, banks and shapes of a sharded tensor are compile-time arguments here, not "
                "run-time ones");
  static_assert((flags & ~0xFFu) == 0,
                "no flags of a TensorAccessor: are the arguments before it as many as thought?");

  static constexpr uint32_t cta_offset = CTA_OFFSET;
  static constexpr uint32_t rank_offset = CTA_OFFSET + 1 + has_page_size;
  static constexpr uint32_t rank = []() -> uint32_t {
    if constexpr (is_sharded) return get_ct_arg<rank_offset>();
    return 0u;
  }();
  static constexpr uint32_t num_banks = []() -> uint32_t {
    if constexpr (is_sharded) return get_ct_arg<rank_offset + 1>();
    return 0u;
  }();
  static constexpr uint32_t tensor_shape_offset = rank_offset + 2;
  static constexpr uint32_t shard_shape_offset = tensor_shape_offset + rank;
  static constexpr uint32_t bank_coords_offset = shard_shape_offset + rank;

  constexpr TensorAccessorArgs() = default;
  constexpr explicit TensorAccessorArgs(uint32_t /*crta_offset*/) {}

  static constexpr uint32_t get_aligned_page_size() {
    static_assert(has_page_size,
                  "the page size is not among the compile-time arguments: the host appends it with "
                  "TensorAccessorArgs(buffer).append_to(arguments), or the kernel gives it");
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
