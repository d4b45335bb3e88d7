#pragma once
// Converts a page of a tensor to its NoC address (kernel_api 1.1). The page size is an argument, or
// that of the compile-time arguments.

#include <stdint.h>

#include <array>
#include <type_traits>

#include "dataflow/noc_addresses.h"
#include "dataflow/noc_transactions.h"
#include "dataflow/tensor_accessor_args.h"
#include "dataflow/tensor_binding_token.h"
#include "dataflow/tensor_pages.h"
#include "dataflow/tensor_shards.h"

namespace tvp::accessors {
/// An interleaved tensor is specified by its page size only. All accessors of tensors in the same
/// memory have one type.
template <bool in_dram>
struct Interleaved {
  static constexpr bool is_static = true;
  static constexpr bool is_dram = in_dram;
  static constexpr bool is_interleaved = true;
  // An interleaved tensor has no shapes.
  static constexpr bool tensor_shape_static = false;
  static constexpr bool shard_shape_static = false;
  static constexpr bool shapes_static = false;
  constexpr Interleaved() = default;
  template <typename Args>
  constexpr explicit Interleaved(const Args&) {}
};

template <typename Args>
using SpecificationOf =
    std::conditional_t<Args::is_sharded, TensorShards<Args>, Interleaved<Args::is_dram>>;
}  // namespace tvp::accessors

namespace tensor_accessor {
/// An interleaved tensor without arguments.
template <bool in_dram>
constexpr tvp::accessors::Interleaved<in_dram> make_interleaved_dspec() {
  return {};
}
}  // namespace tensor_accessor

template <typename Specification>
class TensorAccessor {
 public:
  using DSpec = Specification;
  static constexpr bool is_dram = DSpec::is_dram;
  static constexpr bool is_sharded = !DSpec::is_interleaved;
  struct PageMapping {
    size_t bank_id;
    size_t bank_page_offset;  ///< in pages from the beginning of the tensor in the bank
  };

  // Addresses of pages are multiples of the allocator's alignment for any size.
  template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET>
  FORCE_INLINE TensorAccessor(const TensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>& args,
                              uint32_t base, uint32_t size)
      : bank_base_address(base),
        page_size(size),
        aligned_page_size_(interleaved_addr_gen::get_aligned_page_size<is_dram>(size)),
        dspec_(args) {}

  FORCE_INLINE TensorAccessor(DSpec specification, uint32_t base, uint32_t size)
      : bank_base_address(base),
        page_size(size),
        aligned_page_size_(interleaved_addr_gen::get_aligned_page_size<is_dram>(size)),
        dspec_(specification) {}

  // Uses the page size of the arguments.
  template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET>
  FORCE_INLINE TensorAccessor(const TensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>& args,
                              uint32_t base)
      : TensorAccessor(args, base, args.get_aligned_page_size()) {}

  FORCE_INLINE explicit TensorAccessor(tensor_accessor::NullTensorBindingToken)
      : TensorAccessor(DSpec(), 0, 0) {}
  template <uint32_t CTA_OFFSET, uint32_t ADDR_CRTA_OFFSET>
  FORCE_INLINE TensorAccessor(
      tensor_accessor::TensorAccessorBindingToken<CTA_OFFSET, ADDR_CRTA_OFFSET> tensor)
      : TensorAccessor(tensor.args, tensor.address()) {}

  FORCE_INLINE uint64_t get_noc_addr(uint32_t page_id, uint32_t offset = 0,
                                     uint8_t noc = noc_index) const {
    if constexpr (is_sharded) {
      return page_address(dspec_.locate(page_id), offset, noc);
    } else {
      return tvp::addr_gen::interleaved<is_dram>(page_id, bank_base_address, aligned_page_size_,
                                                 offset, noc);
    }
  }
  /// NoC address of the page at these coordinates in the tensor, in pages.
  template <typename Coordinates>
  requires requires(const Coordinates& c) { c[0]; }
  FORCE_INLINE uint64_t get_noc_addr(const Coordinates& page_coord, uint32_t offset = 0,
                                     uint8_t noc = noc_index) const {
    return page_address(dspec().locate_at(page_coord), offset, noc);
  }
  FORCE_INLINE uint64_t get_shard_noc_addr(uint32_t shard_id, uint32_t offset = 0,
                                           uint8_t noc = noc_index) const {
    return page_address({shard_id, 0}, offset, noc);
  }
  FORCE_INLINE PageMapping get_bank_and_offset(uint32_t page_id) const {
    const tvp::accessors::ShardPage at = dspec().locate(page_id);
    return {at.shard % dspec_.num_banks(),
            at.shard / dspec_.num_banks() * dspec_.shard_volume() + at.page};
  }

  FORCE_INLINE uint32_t get_aligned_page_size() const { return aligned_page_size_; }
  /// Shapes in pages, strides and banks.
  constexpr const DSpec& dspec() const {
    static_assert(is_sharded, "an interleaved tensor has no shards");
    return dspec_;
  }

  // --- is it in this tile's L1?
  FORCE_INLINE bool is_local_bank(uint32_t virtual_x, uint32_t virtual_y,
                                  uint8_t noc = noc_index) const {
    return virtual_x == my_x[noc] && virtual_y == my_y[noc];
  }
  FORCE_INLINE bool is_local_addr(uint64_t noc_addr, uint8_t noc = noc_index) const {
    return is_local_bank(NOC_UNICAST_ADDR_X(noc_addr), NOC_UNICAST_ADDR_Y(noc_addr), noc);
  }
  FORCE_INLINE bool is_local_shard(uint32_t shard_id, uint8_t noc = noc_index) const {
    const uint32_t xy = dspec().packed_xy_coords()[shard_id % dspec_.num_banks()];
    return is_local_bank(xy >> 8, xy & 0xFF, noc);
  }
  FORCE_INLINE bool is_local_page(uint32_t page_id, uint8_t noc = noc_index) const {
    return is_local_shard(dspec().locate(page_id).shard, noc);
  }

  // --- loops over pages
  /// Pages of the whole tensor. An `end_page_id` of 0 means its end, which an interleaved tensor
  /// does not know.
  tensor_accessor::Pages<TensorAccessor> pages(uint32_t start_page_id = 0, uint32_t end_page_id = 0,
                                               uint8_t noc = noc_index) const {
    if constexpr (is_sharded) {
      if (end_page_id == 0) end_page_id = dspec_.tensor_volume();
    }
    return {{*this, noc}, start_page_id, end_page_id};
  }
  /// Pages of this thread. A kernel has one thread here.
  tensor_accessor::Pages<TensorAccessor> strided_pages() const requires is_sharded {
    return pages();
  }
  tensor_accessor::Pages<TensorAccessor> strided_pages(uint32_t total_pages,
                                                       uint8_t noc = noc_index) const
      requires(!is_sharded) {
    return pages(0, total_pages, noc);
  }
  /// Pages of a shard between two positions in it. An end of 0 means the shard's end.
  tensor_accessor::ShardPages<TensorAccessor> shard_pages(uint32_t shard_id,
                                                          uint32_t start_page_offset = 0,
                                                          uint32_t end_page_offset = 0,
                                                          uint8_t noc = noc_index) const {
    if (end_page_offset == 0) end_page_offset = dspec().shard_volume();
    return {{*this, shard_id, noc}, start_page_offset, end_page_offset};
  }

  constexpr uint32_t get_bank_base_address() const { return bank_base_address; }

  const uint32_t bank_base_address;
  const uint32_t page_size;

 private:
  FORCE_INLINE uint64_t page_address(const tvp::accessors::ShardPage& at, uint32_t offset,
                                     uint8_t noc) const {
    const uint32_t bank = at.shard % dspec().num_banks();
    const uint32_t in_bank = at.shard / dspec_.num_banks() * dspec_.shard_volume() + at.page;
    const uint32_t address = bank_base_address + in_bank * aligned_page_size_ + offset;
    const uint32_t xy = dspec_.packed_xy_coords()[bank];  // x << 8 | y, or for DRAM the bank << 8
    if constexpr (is_dram) {
      return get_noc_addr_from_bank_id<true>(xy >> 8, address, noc);
    } else {
      return ::get_noc_addr(xy >> 8, xy & 0xFF, address, noc);
    }
  }

  uint32_t aligned_page_size_;
  [[no_unique_address]] DSpec dspec_;
};

template <bool in_dram>
TensorAccessor(tvp::accessors::Interleaved<in_dram>, uint32_t, uint32_t)
    -> TensorAccessor<tvp::accessors::Interleaved<in_dram>>;
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET>
TensorAccessor(const TensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>&, uint32_t, uint32_t)
    -> TensorAccessor<tvp::accessors::SpecificationOf<TensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>>>;
template <uint32_t CTA_OFFSET, uint32_t CRTA_OFFSET>
TensorAccessor(const TensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>&, uint32_t)
    -> TensorAccessor<tvp::accessors::SpecificationOf<TensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>>>;
TensorAccessor(tensor_accessor::NullTensorBindingToken)
    ->TensorAccessor<tvp::accessors::Interleaved<true>>;
template <uint32_t CTA_OFFSET, uint32_t ADDR_CRTA_OFFSET>
TensorAccessor(tensor_accessor::TensorAccessorBindingToken<CTA_OFFSET, ADDR_CRTA_OFFSET>)
    -> TensorAccessor<tvp::accessors::SpecificationOf<TensorAccessorArgs<CTA_OFFSET>>>;

template <typename Accessor>
FORCE_INLINE void noc_async_read_shard(uint32_t shard_id, const Accessor& accessor,
                                       uint32_t dst_local_l1_addr, uint8_t noc = noc_index) {
  noc_async_read(accessor.get_shard_noc_addr(shard_id, 0, noc), dst_local_l1_addr,
                 accessor.dspec().shard_volume() * accessor.get_aligned_page_size(), noc);
}
template <typename Accessor>
FORCE_INLINE void noc_async_write_shard(uint32_t shard_id, const Accessor& accessor,
                                        uint32_t src_local_l1_addr, uint8_t noc = noc_index) {
  noc_async_write(src_local_l1_addr, accessor.get_shard_noc_addr(shard_id, 0, noc),
                  accessor.dspec().shard_volume() * accessor.get_aligned_page_size(), noc);
}

// --- several tensors

namespace tvp::accessors {
template <typename Tuple, typename PageSize, size_t... I>
FORCE_INLINE auto make_tuple_of(const Tuple& args, uint32_t first_address_arg,
                                const PageSize& page_size, std::index_sequence<I...>) {
  return std::make_tuple(TensorAccessor(
      std::get<I>(args), get_arg_val<uint32_t>(static_cast<int>(first_address_arg + I)),
      page_size(I))...);
}
template <typename Tuple, size_t... I>
FORCE_INLINE auto make_tuple_of(const Tuple& args, uint32_t first_address_arg,
                                std::index_sequence<I...>) {
  return std::make_tuple(TensorAccessor(
      std::get<I>(args), get_arg_val<uint32_t>(static_cast<int>(first_address_arg + I)))...);
}
}  // namespace tvp::accessors

/// Addresses are consecutive runtime arguments, page sizes are compile-time arguments.
template <typename... Args>
FORCE_INLINE auto make_tensor_accessor_tuple(const std::tuple<Args...>& args,
                                             uint32_t first_address_arg,
                                             uint32_t first_page_size_ct_arg) {
  return tvp::accessors::make_tuple_of(
      args, first_address_arg,
      [=](size_t i) { return kernel_compile_time_args[first_page_size_ct_arg + i]; },
      std::index_sequence_for<Args...>());
}
/// Uses the page sizes of the arguments.
template <typename... Args>
FORCE_INLINE auto make_tensor_accessor_tuple(const std::tuple<Args...>& args,
                                             uint32_t first_address_arg) {
  return tvp::accessors::make_tuple_of(args, first_address_arg, std::index_sequence_for<Args...>());
}
/// Accessors of tensors that the host names.
template <typename... Tokens>
FORCE_INLINE auto make_tensor_accessors(const std::tuple<Tokens...>& tensors) {
  return std::apply([](const auto&... each) { return std::make_tuple(TensorAccessor(each)...); },
                    tensors);
}
/// An accessor of any type, selected at run time. It stores a reference to the accessor.
class AbstractTensorAccessorWrapper {
 public:
  AbstractTensorAccessorWrapper() = default;
  template <typename Accessor>
  AbstractTensorAccessorWrapper(const Accessor& accessor)
      : accessor_(&accessor),
        get_noc_addr_([](const void* self, uint32_t page, uint32_t offset, uint8_t noc) {
          return static_cast<const Accessor*>(self)->get_noc_addr(page, offset, noc);
        }) {}

  uint64_t get_noc_addr(uint32_t page_id, uint32_t offset = 0, uint8_t noc = noc_index) const {
    return get_noc_addr_(accessor_, page_id, offset, noc);
  }

 private:
  const void* accessor_ = nullptr;
  uint64_t (*get_noc_addr_)(const void*, uint32_t, uint32_t, uint8_t) = nullptr;
};

template <typename... Accessors>
FORCE_INLINE auto make_abstract_tensor_accessor_wrappers(
    const std::tuple<Accessors...>& accessors) {
  return std::apply(
      [](const auto&... each) {
        return std::array<AbstractTensorAccessorWrapper, sizeof...(Accessors)>{
            AbstractTensorAccessorWrapper(each)...};
      },
      accessors);
}
