#pragma once
// A circular buffer as an object; each method is the function of the same meaning. As the source of
// a transaction it is its front, as the destination its reserved end. Remote buffers and implicit
// synchronization are not here.

#include <stdint.h>

#include "lock.h"

#if defined(COMPILE_FOR_TRISC)
#include "api/compute/cb_api.h"
#else
#include "dataflow/noc.h"
#include "dataflow/noc_traits.h"
#endif

/// A circular buffer that the host names for a kernel; compute calls take it as an index.
class DFBAccessor {
 public:
  explicit constexpr DFBAccessor(uint32_t id) : id_(id) {}
  constexpr operator uint32_t() const { return id_; }
  constexpr uint16_t resolve_id() const { return static_cast<uint16_t>(id_); }

 private:
  uint32_t id_;
};
using DFBBindingToken = DFBAccessor;  // since summer of 2026

class CircularBuffer {
 public:
  enum class AddrSelector { WRITE_PTR, READ_PTR };
  using AddrSel = AddrSelector;

  constexpr explicit CircularBuffer(uint32_t id) : id_(id) {}
  constexpr CircularBuffer(DFBAccessor named) : id_(named) {}

  uint32_t get_cb_id() const { return id_; }
  uint32_t get_id() const { return id_; }
  /// For a scope in which the kernel alone uses the buffer: nobody is kept from it.
  [[nodiscard]] auto scoped_lock() const {
    return Lock([] {});
  }
  void reserve_back(uint32_t tiles) const { cb_reserve_back(id_, tiles); }
  void push_back(uint32_t tiles) const { cb_push_back(id_, tiles); }
  void wait_front(uint32_t tiles) const { cb_wait_front(id_, tiles); }
  void pop_front(uint32_t tiles) const { cb_pop_front(id_, tiles); }
#if !defined(COMPILE_FOR_TRISC)
  bool pages_reservable_at_back(int32_t pages) const {
    return cb_pages_reservable_at_back(static_cast<int32_t>(id_), pages);
  }
  bool pages_available_at_front(int32_t pages) const {
    return cb_pages_available_at_front(static_cast<int32_t>(id_), pages);
  }
  uint32_t get_write_ptr() const { return ::get_write_ptr(id_); }
  uint32_t get_read_ptr() const { return ::get_read_ptr(id_); }
  uint32_t get_tile_size() const { return ::get_tile_size(id_); }
  uint32_t get_tile_hw() const { return ::get_tile_hw(id_); }
  uint32_t get_entry_size() const {
    return get_local_cb_interface(id_).fifo_page_size << cb_addr_shift;
  }
  uint32_t get_stride_size() const { return get_entry_size(); }
  DataFormat get_dataformat() const { return ::get_dataformat(id_); }
  /// Waits until what was written from the buffer has been acknowledged.
  template <typename AnyNoc>
  void write_barrier(const AnyNoc& noc) const {
    noc.async_write_barrier();
  }
  /// Waits until all that was pushed has been popped.
  void finish() const {
    ::cb_reserve_back(static_cast<int32_t>(id_),
                      static_cast<int32_t>(get_local_cb_interface(id_).fifo_num_pages));
  }
#else
#if COMPILE_FOR_TRISC != 1
  // Units of 16 bytes.
  uint32_t get_write_ptr() const { return get_local_cb_interface(id_).fifo_wr_ptr; }
  uint32_t get_read_ptr() const { return get_local_cb_interface(id_).fifo_rd_ptr; }
  uint32_t get_entry_size() const { return get_local_cb_interface(id_).fifo_page_size; }
  uint32_t get_stride_size() const { return get_entry_size(); }
#endif
  /// For all three cores, of a tile that has been waited for: its address in bytes, a word of it.
  uint32_t get_tile_address(uint32_t tile) const { return ckernel::get_tile_address(id_, tile); }
  uint32_t read_tile_value(uint32_t tile, uint32_t word) const {
    return ckernel::read_tile_value(id_, tile, word);
  }
  void finish() const {}
#endif

 private:
  uint32_t id_;
};
using DataflowBuffer = CircularBuffer;
// Kernels of spring 2026 that name buffers find them so, too.
namespace experimental {
using ::CircularBuffer;
using ::DataflowBuffer;
}  // namespace experimental

#if !defined(COMPILE_FOR_TRISC)

/// The buffer with the same pointer at both ends of a transaction.
template <CircularBuffer::AddrSelector selector>
struct CircularBufferView {
  CircularBuffer buffer;
  uint32_t pointer() const {
    return selector == CircularBuffer::AddrSelector::WRITE_PTR ? buffer.get_write_ptr()
                                                               : buffer.get_read_ptr();
  }
};
template <CircularBuffer::AddrSelector selector>
constexpr CircularBufferView<selector> use(const CircularBuffer& buffer) {
  return {buffer};
}

namespace tvp::noc_args {
inline uint64_t multicast_to(const RectangleOffset& args, uint32_t address, uint8_t noc) {
  return ::get_noc_multicast_addr(args.noc_x_start, args.noc_y_start, args.noc_x_end,
                                  args.noc_y_end, address + args.offset_bytes, noc);
}
}  // namespace tvp::noc_args

template <>
struct noc_traits_t<CircularBuffer> {
  using src_args_type = tvp::noc_args::Offset;
  using dst_args_type = tvp::noc_args::Offset;
  using dst_args_mcast_type = tvp::noc_args::RectangleOffset;
  static uint32_t local_source(const CircularBuffer& buffer, const src_args_type& args) {
    return buffer.get_read_ptr() + args.offset_bytes;
  }
  static uint32_t local_destination(const CircularBuffer& buffer, const dst_args_type& args) {
    return buffer.get_write_ptr() + args.offset_bytes;
  }
  static uint64_t multicast(const CircularBuffer& buffer, const dst_args_mcast_type& args,
                            uint8_t noc) {
    return tvp::noc_args::multicast_to(args, buffer.get_write_ptr(), noc);
  }
};

template <CircularBuffer::AddrSelector selector>
struct noc_traits_t<CircularBufferView<selector>> {
  using View = CircularBufferView<selector>;
  using src_args_type = tvp::noc_args::Offset;
  using dst_args_type = tvp::noc_args::Offset;
  using dst_args_mcast_type = tvp::noc_args::RectangleOffset;
  static uint32_t local_source(const View& view, const src_args_type& args) {
    return view.pointer() + args.offset_bytes;
  }
  static uint32_t local_destination(const View& view, const dst_args_type& args) {
    return view.pointer() + args.offset_bytes;
  }
  static uint64_t multicast(const View& view, const dst_args_mcast_type& args, uint8_t noc) {
    return tvp::noc_args::multicast_to(args, view.pointer(), noc);
  }
};

#endif
