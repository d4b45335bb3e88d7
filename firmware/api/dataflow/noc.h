#pragma once
// A NoC as an object (kernel_api 1.7): transactions between endpoints. The first template parameter
// holds modes or option flags.

#include <stdint.h>

#include "dataflow/noc_modes.h"
#include "dev_mem_map.h"

enum class NocOptions : uint32_t {
  DEFAULT = 0,
  TXN_ID = 1u << 0,          ///< uses transaction id NocOptVals::trid
  POSTED = 1u << 1,          ///< without acknowledgement
  CUSTOM_VC = 1u << 2,       ///< uses NocOptVals::vc
  MCAST_INCL_SRC = 1u << 3,  ///< the sender is in the rectangle
  INLINE_L1 = 1u << 4,
  INLINE_REG = 1u << 5,
};
constexpr NocOptions operator|(NocOptions a, NocOptions b) {
  return static_cast<NocOptions>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool has_flag(NocOptions options, NocOptions flag) {
  return (static_cast<uint32_t>(options) & static_cast<uint32_t>(flag)) != 0;
}

/// Values of options. Each is used only with its option.
struct NocOptVals {
  uint32_t vc = NOC_UNICAST_WRITE_VC;
  uint32_t trid = 0;
};

class Noc : public tvp::NocByModes {
 public:
  using NocByModes::async_read;
  using NocByModes::async_read_barrier;
  using NocByModes::async_read_with_state;
  using NocByModes::async_write;
  using NocByModes::async_write_barrier;
  using NocByModes::async_write_multicast;
  using NocByModes::async_write_with_state;
  using NocByModes::async_writes_flushed;
  using NocByModes::inline_dw_write;
  using NocByModes::NocByModes;
  using NocByModes::set_async_read_state;
  using NocByModes::set_async_write_state;

  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1,
            bool tracing = true, typename Src, typename Dst>
  void async_read(const Src& src, const Dst& dst, uint32_t bytes, const Source<Src>& src_args,
                  const Destination<Dst>& dst_args, const NocOptVals& values = {}) const {
    read<has_flag(options, NocOptions::TXN_ID), max_page_size>(
        source(src, src_args), local_destination(dst, dst_args), bytes, vc_of<options>(values),
        values.trid);
  }
  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src>
  void set_async_read_state(const Src& src, uint32_t bytes, const Source<Src>& src_args,
                            const NocOptVals& values = {}) const {
    set_read_state<has_flag(options, NocOptions::CUSTOM_VC), max_page_size>(source(src, src_args),
                                                                            bytes, values.vc);
    if constexpr (has_flag(options, NocOptions::TXN_ID))
      noc_async_read_set_trid(values.trid, noc_id_);
  }
  /// Reads from `src` on the tile of the state that was set.
  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src,
            typename Dst>
  void async_read_with_state(const Src& src, const Dst& dst, uint32_t bytes,
                             const Source<Src>& src_args, const Destination<Dst>& dst_args,
                             const NocOptVals& values = {}) const {
    if constexpr (has_flag(options, NocOptions::TXN_ID)) {
      static_assert(max_page_size <= NOC_MAX_BURST_SIZE, "with a transaction id: one packet");
      noc_async_read_one_packet_with_state_with_trid(
          0, static_cast<uint32_t>(source(src, src_args)), local_destination(dst, dst_args),
          values.trid, noc_id_);
    } else {
      read_with_state<max_page_size>(source(src, src_args), local_destination(dst, dst_args),
                                     bytes);
    }
  }

  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1,
            bool tracing = true, typename Src, typename Dst>
  void async_write(const Src& src, const Dst& dst, uint32_t bytes, const Source<Src>& src_args,
                   const Destination<Dst>& dst_args, const NocOptVals& values = {}) const {
    write<has_flag(options, NocOptions::TXN_ID), has_flag(options, NocOptions::POSTED),
          max_page_size>(local_source(src, src_args), destination(dst, dst_args), bytes,
                         vc_of<options>(values), values.trid);
  }
  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Dst>
  void set_async_write_state(const Dst& dst, uint32_t bytes, const Destination<Dst>& dst_args,
                             const NocOptVals& values = {}) const {
    set_write_state<has_flag(options, NocOptions::POSTED), max_page_size>(
        destination(dst, dst_args), bytes, vc_of<options>(values));
    if constexpr (has_flag(options, NocOptions::TXN_ID))
      noc_async_write_set_trid(values.trid, noc_id_);
  }
  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src,
            typename Dst>
  void async_write_with_state(const Src& src, const Dst& dst, uint32_t bytes,
                              const Source<Src>& src_args, const Destination<Dst>& dst_args,
                              const NocOptVals& = {}) const {
    write_with_state<has_flag(options, NocOptions::POSTED), max_page_size>(
        local_source(src, src_args), destination(dst, dst_args), bytes);
  }
  template <NocOptions options, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1,
            bool tracing = true, typename Src, typename Dst>
  void async_write_multicast(const Src& src, const Dst& dst, uint32_t bytes, uint32_t num_dsts,
                             const Source<Src>& src_args, const Multicast<Dst>& dst_args,
                             bool linked = false, const NocOptVals& = {}) const {
    static_assert(!has_flag(options, NocOptions::TXN_ID), "no multicasts of a transaction id");
    multicast<has_flag(options, NocOptions::MCAST_INCL_SRC), max_page_size>(
        local_source(src, src_args), noc_traits_t<Dst>::multicast(dst, dst_args, noc_id_), bytes,
        num_dsts, linked);
  }
  template <NocOptions options, typename Dst>
  void inline_dw_write(const Dst& dst, uint32_t value, const Destination<Dst>& dst_args,
                       uint8_t byte_enables = 0xF, const NocOptVals& values = {}) const {
    noc_inline_dw_write<InlineWriteDst::DEFAULT, has_flag(options, NocOptions::POSTED)>(
        destination(dst, dst_args), value, byte_enables, noc_id_,
        static_cast<uint8_t>(vc_of<options>(values)));
  }

  /// True if all reads of a transaction id have arrived.
  bool is_read_trid_flushed(uint32_t trid) const {
    return ncrisc_noc_read_with_transaction_id_flushed(noc_id_, trid);
  }
  template <NocOptions options>
  void async_read_barrier(const NocOptVals& values = {}) const {
    if constexpr (has_flag(options, NocOptions::TXN_ID)) {
      noc_async_read_barrier_with_trid(values.trid, noc_id_);
    } else {
      noc_async_read_barrier(noc_id_);
    }
  }
  template <NocOptions options>
  void async_write_barrier(const NocOptVals& values = {}) const {
    if constexpr (has_flag(options, NocOptions::TXN_ID)) {
      noc_async_write_barrier_with_trid(values.trid, noc_id_);
    } else {
      noc_async_write_barrier(noc_id_);
    }
  }
  template <NocOptions options>
  void async_writes_flushed(const NocOptVals& values = {}) const {
    if constexpr (has_flag(options, NocOptions::TXN_ID)) {
      noc_async_write_flushed_with_trid(values.trid, noc_id_);
    } else if constexpr (has_flag(options, NocOptions::POSTED)) {
      noc_async_posted_writes_flushed(noc_id_);
    } else {
      noc_async_writes_flushed(noc_id_);
    }
  }

  /// Writes zeros to this tile's L1, until write_zeros_l1_barrier().
  template <typename Dst>
  void async_write_zeros(const Dst& dst, uint32_t bytes,
                         const Destination<Dst>& dst_args = {}) const {
    constexpr auto kChunk = static_cast<uint32_t>(MEM_ZEROS_SIZE);
    const uint64_t zeros = ::get_noc_addr(my_x[noc_id_], my_y[noc_id_], MEM_ZEROS_BASE, noc_id_);
    uint32_t to = local_destination(dst, dst_args);
    for (; bytes > kChunk; to += kChunk, bytes -= kChunk)
      noc_async_read<kChunk>(zeros, to, kChunk, noc_id_);
    if (bytes != 0) noc_async_read<kChunk>(zeros, to, bytes, noc_id_);
  }
  void write_zeros_l1_barrier() const { noc_async_read_barrier(noc_id_); }
  /// Writes zeros to a page of a tensor in DRAM, until write_zeros_dram_barrier(). The front of the
  /// scratch buffer must hold zeros, a packet or a page of them.
  template <typename Dst, typename Scratch>
  void async_write_zeros(const Dst& dst, uint32_t bytes, const Destination<Dst>& dst_args,
                         const Scratch& scratch) const {
    const uint32_t from = local_source(scratch, Source<Scratch>{});
    uint64_t to = destination(dst, dst_args);
    for (; bytes > NOC_MAX_BURST_SIZE; to += NOC_MAX_BURST_SIZE, bytes -= NOC_MAX_BURST_SIZE)
      noc_async_write<NOC_MAX_BURST_SIZE>(from, to, NOC_MAX_BURST_SIZE, noc_id_);
    if (bytes != 0) noc_async_write<NOC_MAX_BURST_SIZE>(from, to, bytes, noc_id_);
  }
  void write_zeros_dram_barrier() const { noc_async_write_barrier(noc_id_); }

 private:
  template <NocOptions options>
  static uint32_t vc_of(const NocOptVals& values) {
    return has_flag(options, NocOptions::CUSTOM_VC) ? values.vc : NOC_UNICAST_WRITE_VC;
  }
};
