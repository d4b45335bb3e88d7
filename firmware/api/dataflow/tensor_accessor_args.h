#pragma once
// Compile-time words and common runtime arguments that describe a tensor's pages (kernel_api 1.1).

#include <stdint.h>

#include <tuple>
#include <utility>

#include "compile_time_args.h"
#include "foundation/contract/tensor_accessor.h"
#include "kernel_args.h"

namespace tensor_accessor {
constexpr uint32_t MAX_RANK = 8;
constexpr uint32_t UNKNOWN = ~0u;
}  // namespace tensor_accessor

namespace tvp::accessors {
/// A kernel without a page size compiles, but stops here at run time. The host appends the size
/// with TensorAccessorArgs(buffer).append_to(arguments), or the kernel passes it to its accessor.
[[noreturn]] inline void no_page_size_among_the_compile_time_arguments() { __builtin_trap(); }
}  // namespace tvp::accessors

/// The words are flags, aligned page size (in the flags' word or after it) and, for sharded
/// tensors, rank, banks, tensor shape, shard shape and bank coordinates, two a word. Each of those
/// five is a compile-time argument from CTA_OFFSET on, or a common runtime argument if the flags
/// say so. Common runtime arguments have the same order and start at CRTA_OFFSET or at the
/// constructor's argument.
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET = tensor_accessor::UNKNOWN>
struct TensorAccessorArgs {
  using Config = tensor_accessor::ArgConfig;

  static constexpr uint32_t flags = get_ct_arg<CTA_OFFSET>();
  static constexpr bool has(Config flag) { return tensor_accessor::has(flags, flag); }

  static constexpr bool is_sharded = has(Config::Sharded);
  static constexpr bool is_dram = has(Config::IsDram);
  static constexpr bool page_size_is_marked =
      (flags & tensor_accessor::kPageSizeMarkMask) == tensor_accessor::kPageSizeMark;
  static constexpr bool page_size_follows = has(Config::AlignedPageSize);
  static constexpr bool has_page_size = page_size_is_marked || page_size_follows;
  static constexpr bool rank_is_crta = has(Config::RuntimeRank);
  static constexpr bool num_banks_is_crta = has(Config::RuntimeNumBanks);
  static constexpr bool tensor_shape_is_crta = has(Config::RuntimeTensorShape);
  static constexpr bool shard_shape_is_crta = has(Config::RuntimeShardShape);
  static constexpr bool bank_coords_is_crta = has(Config::RuntimeBankCoords);
  static_assert((flags & ~0xFFu) == 0 || page_size_is_marked,
                "no flags of a TensorAccessor: are the arguments before it as many as thought?");
  static_assert(!is_sharded || !rank_is_crta || (tensor_shape_is_crta && shard_shape_is_crta),
                "with the rank, the shapes are runtime arguments, too");
  static_assert(!is_sharded || !num_banks_is_crta || bank_coords_is_crta,
                "with the number of banks, their coordinates are runtime arguments, too");

  // --- compile-time words
  static constexpr uint32_t cta_offset = CTA_OFFSET;
  static constexpr uint32_t rank_offset = CTA_OFFSET + 1 + page_size_follows;
  static constexpr uint32_t num_banks_offset = rank_offset + !rank_is_crta;
  static constexpr uint32_t rank = []() -> uint32_t {
    if constexpr (is_sharded && !rank_is_crta) return get_ct_arg<rank_offset>();
    return 0;
  }();
  static constexpr uint32_t num_banks = []() -> uint32_t {
    if constexpr (is_sharded && !num_banks_is_crta) return get_ct_arg<num_banks_offset>();
    return 0;
  }();
  static constexpr uint32_t tensor_shape_offset = num_banks_offset + !num_banks_is_crta;
  static constexpr uint32_t shard_shape_offset =
      tensor_shape_offset + (tensor_shape_is_crta ? 0 : rank);
  static constexpr uint32_t bank_coords_offset =
      shard_shape_offset + (shard_shape_is_crta ? 0 : rank);
  static_assert(!is_sharded || rank_is_crta || (rank > 0 && rank <= tensor_accessor::MAX_RANK),
                "a sharded tensor has 1 to 8 dimensions");
  static_assert(!is_sharded || num_banks_is_crta || num_banks > 0, "a tensor has banks");

  static constexpr uint32_t get_aligned_page_size() {
    if constexpr (page_size_is_marked) {
      return (flags >> tensor_accessor::kPageSizeShift) * tensor_accessor::kPageSizeUnit;
    } else if constexpr (page_size_follows) {
      return get_ct_arg<CTA_OFFSET + 1>();
    } else {
      tvp::accessors::no_page_size_among_the_compile_time_arguments();
      return 0;
    }
  }
  static constexpr uint32_t AlignedPageSize = get_aligned_page_size();
  static constexpr uint32_t num_compile_time_args() {
    if constexpr (!is_sharded) {
      return 1 + page_size_follows;
    } else {
      return bank_coords_offset + (bank_coords_is_crta ? 0 : (num_banks + 1) / 2) - CTA_OFFSET;
    }
  }
  static constexpr uint32_t next_compile_time_args_offset() {
    return CTA_OFFSET + num_compile_time_args();
  }

  // --- common runtime arguments; constants as far as rank and banks are
  constexpr TensorAccessorArgs() = default;
  constexpr explicit TensorAccessorArgs(uint32_t crta_offset) : crta_offset_(crta_offset) {
    static_assert(CRTA_OFFSET == tensor_accessor::UNKNOWN, "the offset is given already");
  }

  constexpr uint32_t crta_offset() const {
    return CRTA_OFFSET != tensor_accessor::UNKNOWN ? CRTA_OFFSET : crta_offset_;
  }
  constexpr uint32_t num_banks_crta_offset() const { return crta_offset() + rank_is_crta; }
  constexpr uint32_t tensor_shape_crta_offset() const {
    return num_banks_crta_offset() + num_banks_is_crta;
  }
  constexpr uint32_t shard_shape_crta_offset() const {
    return tensor_shape_crta_offset() + (tensor_shape_is_crta ? get_rank() : 0);
  }
  constexpr uint32_t bank_coords_crta_offset() const {
    return shard_shape_crta_offset() + (shard_shape_is_crta ? get_rank() : 0);
  }

  constexpr uint32_t get_rank() const {
    if constexpr (rank_is_crta) {
      return get_common_arg_val<uint32_t>(static_cast<int>(crta_offset()));
    } else {
      return rank;
    }
  }
  constexpr uint32_t get_num_banks() const {
    if constexpr (num_banks_is_crta) {
      return get_common_arg_val<uint32_t>(static_cast<int>(num_banks_crta_offset()));
    } else {
      return num_banks;
    }
  }
  constexpr uint32_t num_common_runtime_args() const {
    if constexpr (!is_sharded) {
      return 0;
    } else {
      return bank_coords_crta_offset() + (bank_coords_is_crta ? (get_num_banks() + 1) / 2 : 0) -
             crta_offset();
    }
  }
  constexpr uint32_t next_common_runtime_args_offset() const {
    return crta_offset() + num_common_runtime_args();
  }

 private:
  uint32_t crta_offset_ = 0;
};

// --- several tensors, whose words follow one another

namespace tvp::accessors {

template <uint32_t CTA_OFFSET, uint32_t count>
constexpr auto args_tuple() {
  if constexpr (count == 0) {
    return std::tuple<>();
  } else {
    using First = TensorAccessorArgs<CTA_OFFSET>;
    return std::tuple_cat(std::make_tuple(First()),
                          args_tuple<First::next_compile_time_args_offset(), count - 1>());
  }
}

}  // namespace tvp::accessors

template <uint32_t NUM_TENSORS, uint32_t CTA_OFFSET>
constexpr auto make_tensor_accessor_args_tuple() {
  return tvp::accessors::args_tuple<CTA_OFFSET, NUM_TENSORS>();
}

namespace tensor_accessor::detail {
/// Offset of the words of tensor TENSOR_IDX, in a list of tensors that begins at CTA_OFFSET. With
/// the number of tensors, the end of the list.
template <uint32_t TENSOR_IDX, uint32_t CTA_OFFSET>
constexpr uint32_t get_tensor_accessor_args_cta_offset() {
  if constexpr (TENSOR_IDX == 0) {
    return CTA_OFFSET;
  } else {
    return get_tensor_accessor_args_cta_offset<
        TENSOR_IDX - 1, TensorAccessorArgs<CTA_OFFSET>::next_compile_time_args_offset()>();
  }
}
}  // namespace tensor_accessor::detail
