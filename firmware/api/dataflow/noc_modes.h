#pragma once
// The Noc object with modes as template parameters, and virtual channel and transaction id as
// trailing arguments.

#include "dataflow/noc_object.h"

namespace tvp {

class NocByModes : public NocObject {
 public:
  enum class AddressType { NOC, LOCAL_L1 };
  enum class TxnIdMode { ENABLED, DISABLED };
  enum class ResponseMode { NON_POSTED, POSTED };
  enum class BarrierMode { TXN_ID, FULL };
  enum class McastMode { INCLUDE_SRC, EXCLUDE_SRC };
  enum class VcSelection { DEFAULT, CUSTOM };

  using NocObject::NocObject;

  template <TxnIdMode txn_id_mode = TxnIdMode::DISABLED,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool tracing = true, typename Src,
            typename Dst>
  void async_read(const Src& src, const Dst& dst, uint32_t bytes, const Source<Src>& src_args,
                  const Destination<Dst>& dst_args, uint32_t vc = NOC_UNICAST_WRITE_VC,
                  uint32_t trid = INVALID_TXN_ID) const {
    read<txn_id_mode == TxnIdMode::ENABLED, max_page_size>(
        source(src, src_args), local_destination(dst, dst_args), bytes, vc, trid);
  }
  template <VcSelection vc_selection = VcSelection::DEFAULT,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src>
  void set_async_read_state(const Src& src, uint32_t bytes, const Source<Src>& src_args,
                            uint8_t vc = 0) const {
    set_read_state<vc_selection == VcSelection::CUSTOM, max_page_size>(source(src, src_args), bytes,
                                                                       vc);
  }
  template <VcSelection vc_selection = VcSelection::DEFAULT,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src, typename Dst>
  void async_read_with_state(const Src& src, const Dst& dst, uint32_t bytes,
                             const Source<Src>& src_args, const Destination<Dst>& dst_args,
                             uint8_t = 0) const {
    read_with_state<max_page_size>(source(src, src_args), local_destination(dst, dst_args), bytes);
  }

  template <TxnIdMode txn_id_mode = TxnIdMode::DISABLED,
            ResponseMode response_mode = ResponseMode::NON_POSTED,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool tracing = true, typename Src,
            typename Dst>
  void async_write(const Src& src, const Dst& dst, uint32_t bytes, const Source<Src>& src_args,
                   const Destination<Dst>& dst_args, uint32_t vc = NOC_UNICAST_WRITE_VC,
                   uint32_t trid = INVALID_TXN_ID) const {
    write<txn_id_mode == TxnIdMode::ENABLED, response_mode == ResponseMode::POSTED, max_page_size>(
        local_source(src, src_args), destination(dst, dst_args), bytes, vc, trid);
  }
  template <ResponseMode response_mode = ResponseMode::NON_POSTED,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Dst>
  void set_async_write_state(const Dst& dst, uint32_t bytes, const Destination<Dst>& dst_args,
                             uint8_t vc = NOC_UNICAST_WRITE_VC) const {
    set_write_state<response_mode == ResponseMode::POSTED, max_page_size>(
        destination(dst, dst_args), bytes, vc);
  }
  template <ResponseMode response_mode = ResponseMode::NON_POSTED,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src, typename Dst>
  void async_write_with_state(const Src& src, const Dst& dst, uint32_t bytes,
                              const Source<Src>& src_args, const Destination<Dst>& dst_args,
                              uint8_t = NOC_UNICAST_WRITE_VC) const {
    write_with_state<response_mode == ResponseMode::POSTED, max_page_size>(
        local_source(src, src_args), destination(dst, dst_args), bytes);
  }
  template <McastMode mcast_mode = McastMode::EXCLUDE_SRC,
            TxnIdMode txn_id_mode = TxnIdMode::DISABLED,
            ResponseMode response_mode = ResponseMode::NON_POSTED,
            uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool tracing = true, typename Src,
            typename Dst>
  void async_write_multicast(const Src& src, const Dst& dst, uint32_t bytes, uint32_t num_dsts,
                             const Source<Src>& src_args, const Multicast<Dst>& dst_args,
                             bool linked = false, uint32_t = INVALID_TXN_ID) const {
    static_assert(txn_id_mode == TxnIdMode::DISABLED, "no multicasts of a transaction id");
    static_assert(response_mode == ResponseMode::NON_POSTED, "no posted multicasts");
    multicast<mcast_mode == McastMode::INCLUDE_SRC, max_page_size>(
        local_source(src, src_args), noc_traits_t<Dst>::multicast(dst, dst_args, noc_id_), bytes,
        num_dsts, linked);
  }
  template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT,
            TxnIdMode txn_id_mode = TxnIdMode::DISABLED,
            ResponseMode response_mode = ResponseMode::NON_POSTED, typename Dst>
  void inline_dw_write(const Dst& dst, uint32_t value, const Destination<Dst>& dst_args,
                       uint8_t byte_enables = 0xF, uint32_t vc = NOC_UNICAST_WRITE_VC,
                       uint32_t = INVALID_TXN_ID) const {
    static_assert(txn_id_mode == TxnIdMode::DISABLED, "no inline writes of a transaction id");
    noc_inline_dw_write<dst_type, response_mode == ResponseMode::POSTED>(
        destination(dst, dst_args), value, byte_enables, noc_id_, static_cast<uint8_t>(vc));
  }

  template <BarrierMode barrier = BarrierMode::FULL>
  void async_read_barrier(uint32_t trid = INVALID_TXN_ID) const {
    if constexpr (barrier == BarrierMode::TXN_ID) {
      noc_async_read_barrier_with_trid(trid, noc_id_);
    } else {
      noc_async_read_barrier(noc_id_);
    }
  }
  template <BarrierMode barrier = BarrierMode::FULL>
  void async_write_barrier(uint32_t trid = INVALID_TXN_ID) const {
    if constexpr (barrier == BarrierMode::TXN_ID) {
      noc_async_write_barrier_with_trid(trid, noc_id_);
    } else {
      noc_async_write_barrier(noc_id_);
    }
  }
  template <ResponseMode response_mode = ResponseMode::NON_POSTED,
            BarrierMode barrier = BarrierMode::FULL>
  void async_writes_flushed(uint32_t trid = INVALID_TXN_ID) const {
    if constexpr (barrier == BarrierMode::TXN_ID) {
      noc_async_write_flushed_with_trid(trid, noc_id_);
    } else if constexpr (response_mode == ResponseMode::POSTED) {
      noc_async_posted_writes_flushed(noc_id_);
    } else {
      noc_async_writes_flushed(noc_id_);
    }
  }
};

}  // namespace tvp
