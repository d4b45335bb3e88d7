#pragma once
// Page of a tensor to NoC address (kernel_api 1.1). The page size is given, or is that of the
// compile-time arguments.

#include <stdint.h>

#include "dataflow/noc_addresses.h"
#include "dataflow/noc_transactions.h"
#include "dataflow/tensor_accessor_args.h"

template <typename Args>
class TensorAccessor {
 public:
  // Addresses of pages are multiples of the allocator's alignment, whatever the size.
  TensorAccessor(const Args&, uint32_t base, uint32_t size)
      : bank_base_address(base),
        page_size(size),
        aligned_page_size_(interleaved_addr_gen::get_aligned_page_size<Args::is_dram>(size)) {}

  // The page size is that of the arguments.
  TensorAccessor(const Args& args, uint32_t base)
      : TensorAccessor(args, base, Args::get_aligned_page_size()) {}

  FORCE_INLINE uint64_t get_noc_addr(uint32_t page_id, uint32_t offset = 0,
                                     uint8_t noc = noc_index) const {
    if constexpr (Args::is_sharded) {
      uint32_t shard = 0;
      uint32_t page_in_shard = 0;
      split_page(page_id, shard, page_in_shard);
      return shard_address(shard, page_in_shard * aligned_page_size_ + offset, noc);
    } else {
      return tvp::addr_gen::interleaved<Args::is_dram>(page_id, bank_base_address,
                                                       aligned_page_size_, offset, noc);
    }
  }
  FORCE_INLINE uint64_t get_shard_noc_addr(uint32_t shard_id, uint32_t offset = 0,
                                           uint8_t noc = noc_index) const {
    static_assert(Args::is_sharded, "an interleaved tensor has no shards");
    return shard_address(shard_id, offset, noc);
  }
  FORCE_INLINE uint32_t get_aligned_page_size() const { return aligned_page_size_; }

  static constexpr uint32_t pages_of_shard() {
    uint32_t pages = 1;
    for (uint32_t d = 0; d < Args::rank; ++d)
      pages *= kernel_compile_time_args[Args::shard_shape_offset + d];
    return pages;
  }
  static constexpr uint32_t pages_of_tensor() {
    uint32_t pages = 1;
    for (uint32_t d = 0; d < Args::rank; ++d)
      pages *= kernel_compile_time_args[Args::tensor_shape_offset + d];
    return pages;
  }

  const uint32_t bank_base_address;
  const uint32_t page_size;

 private:
  static constexpr uint32_t bank_xy(uint32_t bank) {
    const uint32_t word = kernel_compile_time_args[Args::bank_coords_offset + bank / 2];
    return (bank & 1) != 0 ? word >> 16 : word & 0xFFFF;
  }

  // Row-major position of a page to shard and position within the shard, dimension by dimension.
  FORCE_INLINE static void split_page(uint32_t page_id, uint32_t& shard, uint32_t& page_in_shard) {
    uint32_t shard_stride = 1;
    uint32_t page_stride = 1;
    for (uint32_t i = Args::rank; i-- > 0;) {
      const uint32_t extent = kernel_compile_time_args[Args::tensor_shape_offset + i];
      const uint32_t shard_extent = kernel_compile_time_args[Args::shard_shape_offset + i];
      const uint32_t coordinate = page_id % extent;
      page_id /= extent;
      shard += coordinate / shard_extent * shard_stride;
      page_in_shard += coordinate % shard_extent * page_stride;
      shard_stride *= (extent + shard_extent - 1) / shard_extent;
      page_stride *= shard_extent;
    }
  }
  FORCE_INLINE uint64_t shard_address(uint32_t shard, uint32_t offset, uint8_t noc) const {
    const uint32_t bank = shard % Args::num_banks;
    const uint32_t xy = bank_xy(bank);  // x << 8 | y
    const uint32_t address = bank_base_address +
                             shard / Args::num_banks * pages_of_shard() * aligned_page_size_ +
                             offset;
    if constexpr (Args::is_dram) {  // x is the bank's number
      return get_noc_addr_from_bank_id<true>(xy >> 8, address, noc);
    } else {
      return ::get_noc_addr(xy >> 8, xy & 0xFF, address, noc);
    }
  }

  uint32_t aligned_page_size_;
};

template <typename Accessor>
FORCE_INLINE void noc_async_read_shard(uint32_t shard_id, const Accessor& accessor,
                                       uint32_t dst_local_l1_addr, uint8_t noc = noc_index) {
  noc_async_read(accessor.get_shard_noc_addr(shard_id, 0, noc), dst_local_l1_addr,
                 Accessor::pages_of_shard() * accessor.get_aligned_page_size(), noc);
}
template <typename Accessor>
FORCE_INLINE void noc_async_write_shard(uint32_t shard_id, const Accessor& accessor,
                                        uint32_t src_local_l1_addr, uint8_t noc = noc_index) {
  noc_async_write(src_local_l1_addr, accessor.get_shard_noc_addr(shard_id, 0, noc),
                  Accessor::pages_of_shard() * accessor.get_aligned_page_size(), noc);
}
