#pragma once
// The endpoints of a Noc object's transfers. For each kind of endpoint, noc_traits_t names the
// arguments of a transaction and converts them to addresses in this tile's L1 (`local_…`) or on the
// NoC.

#include <stdint.h>

#include "dataflow/dataflow_api.h"
#include "debug/assert.h"
#include "internal/core_local_mem.h"

template <typename T>
struct noc_traits_t;

/// Another tile by its coordinates, or this tile's L1 for a local end.
struct UnicastEndpoint {
  uint64_t get_noc_unicast_addr(uint32_t x, uint32_t y, uint32_t addr, uint8_t noc) const {
    return ::get_noc_addr(x, y, addr, noc);
  }
};
/// The tiles of a rectangle.
struct MulticastEndpoint {};

enum class AllocatorBankType { L1, DRAM };
/// A bank by the allocator's number.
template <AllocatorBankType bank_type>
struct AllocatorBank {};

/// A sharded tensor by its pages or shards. Shards on this tile can also be local ends.
template <typename Accessor>
struct PageView {
  explicit PageView(const Accessor& of) : accessor(of) {}
  uint64_t get_noc_addr(uint32_t page_id, uint32_t offset, uint8_t noc) const {
    return accessor.get_noc_addr(page_id, offset, noc);
  }

  const Accessor& accessor;
};
template <typename Accessor>
struct ShardView {
  explicit ShardView(const Accessor& of) : accessor(of) {}
  bool is_local_shard(uint32_t shard_id, uint8_t noc) const {
    return accessor.is_local_shard(shard_id, noc);
  }
  uint64_t get_noc_addr(uint32_t shard_id, uint32_t offset, uint8_t noc) const {
    return accessor.get_shard_noc_addr(shard_id, offset, noc);
  }

  const Accessor& accessor;
};

namespace tvp::noc_args {
struct Tile {
  uint32_t noc_x = 0;
  uint32_t noc_y = 0;
  uint32_t addr = 0;
};
struct Rectangle {
  uint32_t noc_x_start = 0;
  uint32_t noc_y_start = 0;
  uint32_t noc_x_end = 0;
  uint32_t noc_y_end = 0;
  uint32_t addr = 0;
};
struct RectangleOffset {
  uint32_t noc_x_start = 0;
  uint32_t noc_y_start = 0;
  uint32_t noc_x_end = 0;
  uint32_t noc_y_end = 0;
  uint32_t offset_bytes = 0;
};
struct Bank {
  uint32_t bank_id = 0;
  uint32_t addr = 0;
};
struct Page {
  uint32_t page_id = 0;
  uint32_t offset_bytes = 0;
};
struct Shard {
  uint32_t shard_id = 0;
  uint32_t offset_bytes = 0;
};
struct Offset {
  uint32_t offset_bytes = 0;
};
}  // namespace tvp::noc_args

template <>
struct noc_traits_t<UnicastEndpoint> {
  using src_args_type = tvp::noc_args::Tile;
  using dst_args_type = tvp::noc_args::Tile;
  static uint32_t local_source(const UnicastEndpoint&, const src_args_type& args) {
    return args.addr;
  }
  static uint32_t local_destination(const UnicastEndpoint&, const dst_args_type& args) {
    return args.addr;
  }
  static uint64_t source(const UnicastEndpoint&, const src_args_type& args, uint8_t noc) {
    return ::get_noc_addr(args.noc_x, args.noc_y, args.addr, noc);
  }
  static uint64_t destination(const UnicastEndpoint&, const dst_args_type& args, uint8_t noc) {
    return ::get_noc_addr(args.noc_x, args.noc_y, args.addr, noc);
  }
};

template <>
struct noc_traits_t<MulticastEndpoint> {
  using dst_args_mcast_type = tvp::noc_args::Rectangle;
  static uint64_t multicast(const MulticastEndpoint&, const dst_args_mcast_type& args,
                            uint8_t noc) {
    return ::get_noc_multicast_addr(args.noc_x_start, args.noc_y_start, args.noc_x_end,
                                    args.noc_y_end, args.addr, noc);
  }
};

template <AllocatorBankType bank_type>
struct noc_traits_t<AllocatorBank<bank_type>> {
  using src_args_type = tvp::noc_args::Bank;
  using dst_args_type = tvp::noc_args::Bank;
  static uint64_t source(const AllocatorBank<bank_type>&, const src_args_type& args, uint8_t noc) {
    return ::get_noc_addr_from_bank_id<bank_type == AllocatorBankType::DRAM>(args.bank_id,
                                                                             args.addr, noc);
  }
  static uint64_t destination(const AllocatorBank<bank_type>& bank, const dst_args_type& args,
                              uint8_t noc) {
    return source(bank, args, noc);
  }
};

template <typename T, typename AddressType>
struct noc_traits_t<CoreLocalMem<T, AddressType>> {
  using Memory = CoreLocalMem<T, AddressType>;
  using src_args_type = tvp::noc_args::Offset;
  using dst_args_type = tvp::noc_args::Offset;
  using dst_args_mcast_type = tvp::noc_args::RectangleOffset;
  static uint32_t local_source(const Memory& memory, const src_args_type& args) {
    return static_cast<uint32_t>(memory.get_address()) + args.offset_bytes;
  }
  static uint32_t local_destination(const Memory& memory, const dst_args_type& args) {
    return static_cast<uint32_t>(memory.get_address()) + args.offset_bytes;
  }
  static uint64_t multicast(const Memory& memory, const dst_args_mcast_type& args, uint8_t noc) {
    return ::get_noc_multicast_addr(
        args.noc_x_start, args.noc_y_start, args.noc_x_end, args.noc_y_end,
        static_cast<uint32_t>(memory.get_address()) + args.offset_bytes, noc);
  }
};

/// Address generators and accessors by the page of a tensor.
template <typename T>
requires requires(const T& pages) { pages.get_noc_addr(0u, 0u, uint8_t{}); }
struct noc_traits_t<T> {
  using src_args_type = tvp::noc_args::Page;
  using dst_args_type = tvp::noc_args::Page;
  static uint64_t source(const T& pages, const src_args_type& args, uint8_t noc) {
    return pages.get_noc_addr(args.page_id, args.offset_bytes, noc);
  }
  static uint64_t destination(const T& pages, const dst_args_type& args, uint8_t noc) {
    return pages.get_noc_addr(args.page_id, args.offset_bytes, noc);
  }
};

/// Views. The parts on this tile can also be local ends.
template <typename View, typename Arguments, uint32_t Arguments::*kId>
struct tvp_view_traits {
  using src_args_type = Arguments;
  using dst_args_type = Arguments;
  static uint32_t local_source(const View& view, const Arguments& args) {
    const uint64_t address = source(view, args, noc_index);
    ASSERT(view.accessor.is_local_addr(address));
    return static_cast<uint32_t>(address);
  }
  static uint32_t local_destination(const View& view, const Arguments& args) {
    return local_source(view, args);
  }
  static uint64_t source(const View& view, const Arguments& args, uint8_t noc) {
    return view.get_noc_addr(args.*kId, args.offset_bytes, noc);
  }
  static uint64_t destination(const View& view, const Arguments& args, uint8_t noc) {
    return source(view, args, noc);
  }
};
template <typename Accessor>
struct noc_traits_t<PageView<Accessor>>
    : tvp_view_traits<PageView<Accessor>, tvp::noc_args::Page, &tvp::noc_args::Page::page_id> {};
template <typename Accessor>
struct noc_traits_t<ShardView<Accessor>>
    : tvp_view_traits<ShardView<Accessor>, tvp::noc_args::Shard, &tvp::noc_args::Shard::shard_id> {
};

/// A page from an iterator.
template <>
struct noc_traits_t<tensor_accessor::Page> {
  using src_args_type = tvp::noc_args::Offset;
  using dst_args_type = tvp::noc_args::Offset;
  static uint64_t source(const tensor_accessor::Page& page, const src_args_type& args, uint8_t) {
    return page.noc_addr() + args.offset_bytes;
  }
  static uint64_t destination(const tensor_accessor::Page& page, const dst_args_type& args,
                              uint8_t) {
    return page.noc_addr() + args.offset_bytes;
  }
};
