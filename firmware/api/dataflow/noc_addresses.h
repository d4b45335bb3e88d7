#pragma once
// NoC addresses: 36 bits within the tile, then x and y (kernel_api 1.1). Coordinates are those of
// the host (internal/noc_registers.h).

#include <stdint.h>

#include "alignment.h"
#include "foundation/contract/data_format.h"
#include "internal/mod_div_lib.h"
#include "internal/noc_nonblocking_api.h"

// Constants of the number of banks, for kernels that compute page addresses themselves.
#if (NUM_DRAM_BANKS & (NUM_DRAM_BANKS - 1)) != 0
#define IS_NOT_POW2_NUM_DRAM_BANKS 1
#else
#define LOG_BASE_2_OF_NUM_DRAM_BANKS __builtin_ctz(NUM_DRAM_BANKS)
#endif
#if (NUM_L1_BANKS & (NUM_L1_BANKS - 1)) != 0
#define IS_NOT_POW2_NUM_L1_BANKS 1
#else
#define LOG_BASE_2_OF_NUM_L1_BANKS __builtin_ctz(NUM_L1_BANKS)
#endif

#if !defined(NOC_INDEX)
#define NOC_INDEX 0
#endif
constexpr uint8_t noc_index = NOC_INDEX;

FORCE_INLINE uint64_t get_noc_addr_helper(uint32_t noc_xy, uint32_t addr) {
  return (uint64_t(noc_xy) << NOC_ADDR_COORD_SHIFT) | addr;
}
FORCE_INLINE uint32_t get_noc_xy(uint32_t noc_x, uint32_t noc_y, uint8_t noc = noc_index) {
  return NOC_XY_ENCODING(DYNAMIC_NOC_X(noc, noc_x), DYNAMIC_NOC_Y(noc, noc_y));
}
FORCE_INLINE uint64_t get_noc_addr(uint32_t noc_x, uint32_t noc_y, uint32_t addr,
                                   uint8_t noc = noc_index) {
  return get_noc_addr_helper(get_noc_xy(noc_x, noc_y, noc), addr);
}
// NoC address on the core's own tile.
FORCE_INLINE uint64_t get_noc_addr(uint32_t addr, uint8_t noc = noc_index) {
  return get_noc_addr_helper(NOC_XY_ENCODING(my_x[noc], my_y[noc]), addr);
}
// NoC address of a rectangle in the direction of the NoC's data flow: for NoC 1 the caller swaps
// start and end.
FORCE_INLINE uint64_t get_noc_multicast_addr(uint32_t noc_x_start, uint32_t noc_y_start,
                                             uint32_t noc_x_end, uint32_t noc_y_end, uint32_t addr,
                                             uint8_t noc = noc_index) {
  return get_noc_addr_helper(
      NOC_MULTICAST_ENCODING(DYNAMIC_NOC_X(noc, noc_x_start), DYNAMIC_NOC_Y(noc, noc_y_start),
                             DYNAMIC_NOC_X(noc, noc_x_end), DYNAMIC_NOC_Y(noc, noc_y_end)),
      addr);
}
FORCE_INLINE uint64_t get_noc_addr_from_logical_xy(uint32_t logical_x, uint32_t logical_y,
                                                   uint32_t addr, uint8_t noc = noc_index) {
  return get_noc_addr(worker_logical_col_to_virtual_col[logical_x],
                      worker_logical_row_to_virtual_row[logical_y], addr, noc);
}

namespace tvp::noc {
/// Coordinates by software's names. (Not named coord_t as in tt-metal, because published kernels
/// define that name.)
struct Coordinates {
  uint32_t x;
  uint32_t y;
};
}  // namespace tvp::noc
FORCE_INLINE tvp::noc::Coordinates get_virtual_coord_from_worker_logical_coord(uint8_t logical_x,
                                                                               uint8_t logical_y) {
  return {worker_logical_col_to_virtual_col[logical_x],
          worker_logical_row_to_virtual_row[logical_y]};
}

/// True if an address generator or accessor stores its page size in memory.
template <typename T>
inline constexpr bool has_get_aligned_page_size_v = requires(const T& of) {
  of.get_aligned_page_size();
};

// --- banks

namespace interleaved_addr_gen {

template <bool DRAM>
FORCE_INLINE constexpr uint32_t num_banks() {
#if defined(NUM_L1_BANKS)
  return DRAM ? tvp::chip::kDramBanks : NUM_L1_BANKS;
#else
  return DRAM ? tvp::chip::kDramBanks : tvp::chip::kL1Banks;
#endif
}
template <bool DRAM>
FORCE_INLINE uint32_t get_bank_offset_index(uint32_t id) {
  return udivsi3_const_divisor<num_banks<DRAM>()>(id);
}
template <bool DRAM>
FORCE_INLINE uint32_t get_bank_index(uint32_t id, uint32_t bank_offset_index) {
  return id - bank_offset_index * num_banks<DRAM>();
}
template <bool DRAM>
FORCE_INLINE uint32_t get_noc_xy(uint32_t bank_index, uint8_t noc = noc_index) {
  const uint16_t xy =
      DRAM ? dram_bank_to_noc_xy[noc][bank_index] : l1_bank_to_noc_xy[noc][bank_index];
  return uint32_t(xy) << (NOC_ADDR_LOCAL_BITS - NOC_ADDR_COORD_SHIFT);
}
template <bool DRAM>
FORCE_INLINE uint32_t get_bank_offset(uint32_t bank_index) {
  return DRAM ? static_cast<uint32_t>(bank_to_dram_offset[bank_index]) : 0;
}
template <bool DRAM>
FORCE_INLINE constexpr uint32_t get_allocator_alignment() {
  return DRAM ? DRAM_ALIGNMENT : L1_ALIGNMENT;
}
template <bool DRAM>
FORCE_INLINE constexpr uint32_t get_aligned_page_size(uint32_t page_size) {
  return (page_size + get_allocator_alignment<DRAM>() - 1) & ~(get_allocator_alignment<DRAM>() - 1);
}

}  // namespace interleaved_addr_gen

template <bool DRAM>
FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank_id, uint32_t bank_address_offset,
                                                uint8_t noc = noc_index) {
  return get_noc_addr_helper(
      interleaved_addr_gen::get_noc_xy<DRAM>(bank_id, noc),
      bank_address_offset + interleaved_addr_gen::get_bank_offset<DRAM>(bank_id));
}

namespace tvp::addr_gen {
// Pages of a buffer interleaved over all banks, `stride` bytes apart within a bank.
template <bool DRAM>
FORCE_INLINE uint64_t interleaved(uint32_t id, uint32_t base, uint32_t stride, uint32_t offset,
                                  uint8_t noc) {
  const uint32_t row = interleaved_addr_gen::get_bank_offset_index<DRAM>(id);
  const uint32_t bank = interleaved_addr_gen::get_bank_index<DRAM>(id, row);
  return get_noc_addr_helper(
      interleaved_addr_gen::get_noc_xy<DRAM>(bank, noc),
      base + row * stride + interleaved_addr_gen::get_bank_offset<DRAM>(bank) + offset);
}
}  // namespace tvp::addr_gen

/// NoC address of page `id` of interleaved DRAM.
FORCE_INLINE uint64_t get_dram_noc_addr(uint32_t id, uint32_t page_size, uint32_t bank_base_address,
                                        uint32_t offset = 0, uint8_t noc = noc_index) {
  return tvp::addr_gen::interleaved<true>(
      id, bank_base_address, interleaved_addr_gen::get_aligned_page_size<true>(page_size), offset,
      noc);
}

template <bool DRAM>
struct InterleavedAddrGen {
  uint32_t bank_base_address;
  uint32_t page_size;
  uint32_t aligned_page_size = interleaved_addr_gen::get_aligned_page_size<DRAM>(page_size);

  FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0,
                                     uint8_t noc = noc_index) const {
    return tvp::addr_gen::interleaved<DRAM>(id, bank_base_address, aligned_page_size, offset, noc);
  }
  FORCE_INLINE void noc_async_read_page(uint32_t id, uint32_t dest_addr, uint32_t offset = 0,
                                        uint8_t noc = noc_index) const {
    noc_async_read_tile(id, *this, dest_addr, offset, noc);
  }
};

namespace tvp::addr_gen {
// Pages whose size is a power of two. `kFast` only separates the types of the two names, for
// overloads.
template <bool DRAM, bool kFast>
struct Pow2Pages {
  const uint32_t bank_base_address;
  const uint32_t log_base_2_of_page_size;
  const uint32_t aligned_log_base_2_of_page_size = log_base_2_of_page_size > (DRAM ? 5u : 4u)
                                                       ? log_base_2_of_page_size
                                                       : (DRAM ? 5u : 4u);

  FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0,
                                     uint8_t noc = noc_index) const {
    return interleaved<DRAM>(id, bank_base_address, 1u << aligned_log_base_2_of_page_size, offset,
                             noc);
  }
  // Reads part of a page. A name of kernels of 2024.
  FORCE_INLINE void noc_async_read_partial_page(uint32_t id, uint32_t dest_addr, uint32_t size,
                                                uint32_t offset) const {
    ncrisc_noc_fast_read_any_len(noc_index, read_cmd_buf, get_noc_addr(id, offset), dest_addr,
                                 size);
  }
  FORCE_INLINE void noc_async_write_page(uint32_t id, uint32_t src_addr, uint32_t size,
                                         uint32_t offset = 0) const {
    ncrisc_noc_fast_write_any_len(noc_index, write_cmd_buf, src_addr, get_noc_addr(id, offset),
                                  size, NOC_UNICAST_WRITE_VC, false, false, 1);
  }
};

/// NoC address of a page, from any of these generators or a tensor accessor.
template <typename AddrGen>
FORCE_INLINE uint32_t page_bytes(const AddrGen& pages) {
  if constexpr (requires { pages.log_base_2_of_page_size; }) {
    return 1u << pages.log_base_2_of_page_size;
  } else {
    return pages.page_size;
  }
}
}  // namespace tvp::addr_gen

template <bool DRAM>
using InterleavedPow2AddrGen = tvp::addr_gen::Pow2Pages<DRAM, false>;
template <bool DRAM>
using InterleavedPow2AddrGenFast = tvp::addr_gen::Pow2Pages<DRAM, true>;

// Pages that are tiles of `tile_hw` datums.
template <bool DRAM, uint32_t tile_hw = 1024>
struct InterleavedAddrGenFast {
  uint32_t bank_base_address;
  uint32_t page_size;
  DataFormat data_format;

  FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0,
                                     uint8_t noc = noc_index) const {
    return tvp::addr_gen::interleaved<DRAM>(
        id, bank_base_address, interleaved_addr_gen::get_aligned_page_size<DRAM>(page_size), offset,
        noc);
  }
  FORCE_INLINE void noc_async_read_tile(uint32_t id, uint32_t dest_addr, uint32_t offset = 0,
                                        uint8_t noc = noc_index) const {
    noc_async_read_page(id, *this, dest_addr, offset, noc);
  }
  FORCE_INLINE void noc_async_write_tile(uint32_t id, uint32_t src_addr,
                                         uint8_t noc = noc_index) const {
    noc_async_write_page(id, *this, src_addr, 0, 0, noc);
  }
};

// The generator for a page size, as kernels of 2025 select it. The size, or its logarithm, is a
// constant or a run-time value.
template <bool DRAM, uint32_t page_size>
FORCE_INLINE auto get_interleaved_addr_gen(uint32_t base) {
  if constexpr ((page_size & (page_size - 1)) != 0) {
    return InterleavedAddrGen<DRAM>{.bank_base_address = base, .page_size = page_size};
  } else {
    return tvp::addr_gen::Pow2Pages<DRAM, page_size <= NOC_MAX_BURST_SIZE>{
        .bank_base_address = base,
        .log_base_2_of_page_size = static_cast<uint32_t>(__builtin_ctz(page_size))};
  }
}
template <bool DRAM, bool is_size_pow2>
FORCE_INLINE auto get_interleaved_addr_gen(uint32_t base, uint32_t page_size,
                                           uint32_t log2_page_size) {
  if constexpr (is_size_pow2) {
    return InterleavedPow2AddrGen<DRAM>{.bank_base_address = base,
                                        .log_base_2_of_page_size = log2_page_size};
  } else {
    return InterleavedAddrGen<DRAM>{.bank_base_address = base, .page_size = page_size};
  }
}
template <bool DRAM, bool is_size_pow2>
FORCE_INLINE auto get_interleaved_addr_gen(uint32_t base, uint32_t size_or_log2) {
  return get_interleaved_addr_gen<DRAM, is_size_pow2>(base, size_or_log2, size_or_log2);
}

// NoC address of page `id`, from an address generator or accessor.
template <bool DRAM, typename AddrGen>
FORCE_INLINE uint64_t get_noc_addr(const uint32_t id, const AddrGen& addrgen, uint32_t offset = 0,
                                   uint8_t noc = noc_index) {
  return addrgen.get_noc_addr(id, offset, noc);
}
template <typename AddrGen>
requires requires(const AddrGen& a) { a.get_noc_addr(0u, 0u, uint8_t{}); }
FORCE_INLINE uint64_t get_noc_addr(const uint32_t id, const AddrGen& addrgen, uint32_t offset = 0,
                                   uint8_t noc = noc_index) {
  return addrgen.get_noc_addr(id, offset, noc);
}
