#pragma once
// The transactions of both forms of the Noc object (dataflow/noc.h, experimental/noc.h).
// noc_traits_t converts endpoints to addresses. Each method is the function of the same meaning.

#include <stdint.h>

#include "dataflow/noc_traits.h"

namespace tvp {

class NocObject {
 public:
  static constexpr uint32_t INVALID_TXN_ID = 0xFFFFFFFF;

  NocObject() : noc_id_(noc_index) {}
  explicit NocObject(uint8_t noc_id) : noc_id_(noc_id) {}

  uint8_t get_noc_id() const { return noc_id_; }
  bool is_local_bank(uint32_t virtual_x, uint32_t virtual_y) const {
    return virtual_x == my_x[noc_id_] && virtual_y == my_y[noc_id_];
  }
  bool is_local_addr(uint64_t noc_addr) const {
    return is_local_bank(NOC_UNICAST_ADDR_X(noc_addr), NOC_UNICAST_ADDR_Y(noc_addr));
  }

  void async_atomic_barrier() const { noc_async_atomic_barrier(noc_id_); }
  void async_full_barrier() const { noc_async_full_barrier(noc_id_); }

 protected:
  template <typename T>
  using Source = typename noc_traits_t<T>::src_args_type;
  template <typename T>
  using Destination = typename noc_traits_t<T>::dst_args_type;
  template <typename T>
  using Multicast = typename noc_traits_t<T>::dst_args_mcast_type;

  template <typename T>
  uint64_t source(const T& from, const Source<T>& args) const {
    return noc_traits_t<T>::source(from, args, noc_id_);
  }
  template <typename T>
  uint64_t destination(const T& to, const Destination<T>& args) const {
    return noc_traits_t<T>::destination(to, args, noc_id_);
  }
  template <typename T>
  static uint32_t local_source(const T& from, const Source<T>& args) {
    return noc_traits_t<T>::local_source(from, args);
  }
  template <typename T>
  static uint32_t local_destination(const T& to, const Destination<T>& args) {
    return noc_traits_t<T>::local_destination(to, args);
  }

  template <bool with_trid, uint32_t max_page_size>
  void read(uint64_t from, uint32_t to, uint32_t bytes, uint32_t vc, uint32_t trid) const {
    if constexpr (with_trid) {
      noc_async_read_set_trid(trid, noc_id_);
      // The counter of a transaction id has eight bits.
      while (NOC_STATUS_READ_REG(noc_id_, NIU_MST_REQS_OUTSTANDING_ID(trid)) >
             (NOC_MAX_TRANSACTION_ID_COUNT + 1) / 2) {
      }
    }
    noc_async_read<max_page_size>(from, to, bytes, noc_id_, vc);
  }
  template <bool custom_vc, uint32_t max_page_size>
  void set_read_state(uint64_t from, uint32_t bytes, uint32_t vc) const {
    constexpr bool one_packet = max_page_size <= NOC_MAX_BURST_SIZE;
    ncrisc_noc_read_set_state<custom_vc, one_packet>(noc_id_, read_cmd_buf, from, bytes, vc);
  }
  template <uint32_t max_page_size>
  void read_with_state(uint64_t from, uint32_t to, uint32_t bytes) const {
    if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
      noc_async_read_one_packet_with_state(static_cast<uint32_t>(from), to, 0, noc_id_);
    } else {
      noc_async_read_with_state(static_cast<uint32_t>(from), to, bytes, noc_id_);
    }
  }

  template <bool with_trid, bool posted, uint32_t max_page_size>
  void write(uint32_t from, uint64_t to, uint32_t bytes, uint32_t vc, uint32_t trid) const {
    if constexpr (with_trid) {
      ncrisc_noc_fast_write_any_len<true>(noc_id_, write_cmd_buf, from, to, bytes, vc, false, false,
                                          1, true, posted, trid);
    } else {
      noc_async_write<max_page_size, true, posted>(from, to, bytes, noc_id_, vc);
    }
  }
  template <bool posted, uint32_t max_page_size>
  void set_write_state(uint64_t to, uint32_t bytes, uint32_t vc) const {
    constexpr bool one_packet = max_page_size <= NOC_MAX_BURST_SIZE;
    ncrisc_noc_write_set_state<posted, one_packet>(noc_id_, write_cmd_buf, to, bytes, vc);
  }
  template <bool posted, uint32_t max_page_size>
  void write_with_state(uint32_t from, uint64_t to, uint32_t bytes) const {
    auto to_low = static_cast<uint32_t>(to);
    if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
      noc_async_write_one_packet_with_state<posted>(from, to_low, noc_id_);
    } else {
      while (bytes > NOC_MAX_BURST_SIZE) {
        ncrisc_noc_write_with_state<posted, true, false>(noc_id_, write_cmd_buf, from, to_low,
                                                         NOC_MAX_BURST_SIZE);
        from += NOC_MAX_BURST_SIZE;
        to_low += NOC_MAX_BURST_SIZE;
        bytes -= NOC_MAX_BURST_SIZE;
      }
      ncrisc_noc_write_with_state<posted, true, false>(noc_id_, write_cmd_buf, from, to_low, bytes);
    }
  }
  template <bool include_source, uint32_t max_page_size>
  void multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t destinations,
                 bool linked) const {
    if constexpr (include_source) {
      noc_async_write_multicast_loopback_src(from, to, bytes, destinations, linked, noc_id_);
    } else {
      noc_async_write_multicast<max_page_size>(from, to, bytes, destinations, linked, noc_id_);
    }
  }

  uint8_t noc_id_;
};

}  // namespace tvp
