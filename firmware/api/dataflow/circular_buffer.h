#pragma once
// A circular buffer as an object. Each method is the function of the same meaning. As the source of
// a transaction it is its front, as the destination its reserved end. Remote buffers and implicit
// synchronization are not supported.

#include <stdint.h>

#include "dataflow/binding_tokens.h"
#include "internal/core_local_mem.h"
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
using DFBBindingToken = DFBAccessor;  // name since summer 2026

/// The result of locking one end of a circular buffer.
class PointerLock {
 public:
  explicit PointerLock(uint32_t pointer) : pointer_(pointer) {}
  PointerLock(const PointerLock&) = delete;
  PointerLock& operator=(const PointerLock&) = delete;

  template <typename T = uint32_t>
  CoreLocalMem<T> get_ptr() const {
    return CoreLocalMem<T>(pointer_);
  }

 private:
  uint32_t pointer_;
};

class CircularBuffer {
 public:
  enum class AddrSelector { WRITE_PTR, READ_PTR };
  using AddrSel = AddrSelector;

  constexpr explicit CircularBuffer(uint32_t id) : id_(id) {}
  constexpr CircularBuffer(DFBAccessor named) : id_(named) {}
  constexpr explicit CircularBuffer(RelayDFBBindingToken over_pipe) : id_(over_pipe) {}

  uint32_t get_cb_id() const { return id_; }
  uint32_t get_id() const { return id_; }
  /// Marks a scope in which only this kernel uses the buffer. It does not exclude other kernels.
  [[nodiscard]] auto scoped_lock() const {
    return Lock([] {});
  }

  // The host's description of the tiles. PACK gets the description of its output.
#if COMPILE_FOR_TRISC == 2
#define TVP_OF_TILES(what) pack_##what[id_]
#else
#define TVP_OF_TILES(what) unpack_##what[id_]
#endif
  constexpr uint32_t get_tile_size() const { return TVP_OF_TILES(tile_size); }
  constexpr uint32_t get_tile_r_dim() const { return TVP_OF_TILES(tile_r_dim); }
  constexpr uint32_t get_tile_c_dim() const { return TVP_OF_TILES(tile_c_dim); }
  constexpr uint32_t get_tile_hw() const { return get_tile_r_dim() * get_tile_c_dim(); }
  constexpr uint32_t get_tile_num_faces() const { return TVP_OF_TILES(tile_num_faces); }
  constexpr uint32_t get_face_r_dim() const { return TVP_OF_TILES(tile_face_r_dim); }
  constexpr uint32_t get_partial_face() const { return TVP_OF_TILES(partial_face); }
  constexpr uint32_t get_narrow_tile() const { return TVP_OF_TILES(narrow_tile); }
  constexpr uint32_t get_num_faces_r_dim() const { return (get_tile_r_dim() + 15) / 16; }
  constexpr uint32_t get_num_faces_c_dim() const { return (get_tile_c_dim() + 15) / 16; }
#undef TVP_OF_TILES
  constexpr DataFormat get_dataformat() const {
#if COMPILE_FOR_TRISC == 2
    return static_cast<DataFormat>(pack_dst_format[id_]);
#else
    return static_cast<DataFormat>(unpack_src_format[id_]);
#endif
  }
  constexpr DataFormat get_unpack_dst_format() const {
    return static_cast<DataFormat>(unpack_dst_format[id_]);
  }
  constexpr DataFormat get_pack_src_format() const {
    return static_cast<DataFormat>(pack_src_format[id_]);
  }
  constexpr DataFormat get_pack_dst_format() const {
    return static_cast<DataFormat>(pack_dst_format[id_]);
  }

  // Capacity of the buffer, here one ring for all threads. MATH does not know it.
#if COMPILE_FOR_TRISC == 1
  uint32_t get_total_num_entries() const { return 0; }
  uint32_t get_total_size_bytes() const { return 0; }
#else
  uint32_t get_total_num_entries() const { return get_local_cb_interface(id_).fifo_num_pages; }
  uint32_t get_total_size_bytes() const {
    return get_total_num_entries() * get_local_cb_interface(id_).fifo_page_size << cb_addr_shift;
  }
#endif
  uint32_t get_local_num_entries() const { return get_total_num_entries(); }
  uint32_t get_local_size_bytes() const { return get_total_size_bytes(); }
  uint32_t get_ring_span_num_entries() const { return get_total_num_entries(); }
  uint32_t get_ring_span_bytes() const { return get_total_size_bytes(); }

  /// Has no effect on this chip.
  void finish() const {}
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
  uint32_t get_entry_size() const {
    return get_local_cb_interface(id_).fifo_page_size << cb_addr_shift;
  }
  uint32_t get_stride_size() const { return get_entry_size(); }
  /// Waits until the writes from the buffer are acknowledged.
  template <typename AnyNoc>
  void write_barrier(const AnyNoc& noc) const {
    noc.async_write_barrier();
  }
#else
#if COMPILE_FOR_TRISC == 1
  uint32_t get_write_ptr() const { return 0; }
  uint32_t get_read_ptr() const { return 0; }
  uint32_t get_entry_size() const { return 0; }
  uint32_t get_stride_size() const { return 0; }
#else
  // Pointers are in units of 16 bytes, sizes in bytes, as in tt-metal since July 2026.
  uint32_t get_write_ptr() const { return get_local_cb_interface(id_).fifo_wr_ptr; }
  uint32_t get_read_ptr() const { return get_local_cb_interface(id_).fifo_rd_ptr; }
  uint32_t get_entry_size() const {
    return get_local_cb_interface(id_).fifo_page_size << cb_addr_shift;
  }
  uint32_t get_stride_size() const { return get_entry_size(); }
#endif
  /// For all three cores: address in bytes, or a word, of a tile that the kernel has waited for.
  uint32_t get_tile_address(uint32_t tile) const { return ckernel::get_tile_address(id_, tile); }
  uint32_t read_tile_value(uint32_t tile, uint32_t word) const {
    return ckernel::read_tile_value(id_, tile, word);
  }
  /// The `index`th number of its type.
  template <typename T>
  T read_tile_value(uint32_t tile, uint32_t index) const {
    static_assert(sizeof(T) <= sizeof(uint32_t), "read_tile_value: at most a word");
    constexpr uint32_t kInWord = sizeof(uint32_t) / sizeof(T);
    const uint32_t word = read_tile_value(tile, index / kInWord);
    const uint32_t bits = word >> (8 * sizeof(T) * (index % kInWord));
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
  }
#endif

  /// As scoped_lock(), with a pointer to the reserved end or to the front.
  [[nodiscard]] auto scoped_write_lock(uint16_t = 1) const {
    return PointerLock(get_write_ptr() << cb_addr_shift);
  }
  [[nodiscard]] auto scoped_read_lock(uint16_t = 1) const {
    return PointerLock(get_read_ptr() << cb_addr_shift);
  }
  /// Moves an end of the buffer on this core only, in its units.
  void evil_set_write_ptr(uint32_t to) const {
#if COMPILE_FOR_TRISC != 1
    get_local_cb_interface(id_).fifo_wr_ptr = to;
#endif
  }
  void evil_set_read_ptr(uint32_t to) const {
#if COMPILE_FOR_TRISC != 1
    get_local_cb_interface(id_).fifo_rd_ptr = to;
#endif
  }

 private:
  uint32_t id_;
};
using DataflowBuffer = CircularBuffer;
// On this chip the order of filling and emptying has no effect.
using DataflowBufferAnyPattern = CircularBuffer;
template <typename T>
inline constexpr bool is_dataflow_buffer_v = false;
template <>
inline constexpr bool is_dataflow_buffer_v<CircularBuffer> = true;
// Name in kernels of spring 2026.
namespace experimental {
using ::CircularBuffer;
using ::DataflowBuffer;
}  // namespace experimental

#if !defined(COMPILE_FOR_TRISC)

/// Uses the same pointer of the buffer at both ends of a transaction.
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
