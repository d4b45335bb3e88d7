#pragma once

// Rings of slots for messages over an ethernet link, as in tt-metal's benchmarks. Each payload is
// followed by 16 bytes of sync words, which the receiver sends back. The operations and their order
// are part of the measured time, so rings are two arrays on a core's stack.

#include <type_traits>

#include "ethernet/dataflow_api.h"
#include "risc_common.h"

namespace tvp::kernels::microbenchmarks {

constexpr uint32_t kSyncBytes = 16;

/// The messages of all slots, and the sync words behind each payload.
template <uint32_t kSlots>
struct Ring {
  uint32_t address[kSlots];
  volatile uint32_t* sync[kSlots];
};

FORCE_INLINE void send_message(uint32_t address, uint32_t bytes) {
  tvp::eth::wait_txq(0);
  eth_send_bytes_over_channel_payload_only_unsafe_one_packet(address, address, bytes);
}

template <uint32_t kSlots>
FORCE_INLINE uint32_t behind(uint32_t slot) {
  return (slot + 1) % kSlots;
}

/// The sender. All slots but one may be in flight.
template <uint32_t kSlots>
class Sender {
 public:
  Sender(const Ring<kSlots>& ring, uint32_t bytes, uint32_t messages)
      : ring_(ring), bytes_(bytes + kSyncBytes), to_send_(messages) {}

  static void prepare(const Ring<kSlots>& ring) {
    for (volatile uint32_t* sync : ring.sync) *sync = 1;
  }
  /// Counts acknowledged messages.
  FORCE_INLINE void step(uint32_t& done) {
    const uint32_t next = behind<kSlots>(write_);
    if (next != read_ && to_send_ != 0) {
      const uint32_t address = ring_.address[write_];
      *ring_.sync[write_] = 1;
      send_message(address, bytes_);
      write_ = next;
      --to_send_;
    }
    volatile uint32_t* sync = ring_.sync[read_];
    if (*sync != 0) return;
    const uint32_t after = behind<kSlots>(read_);
    *sync = 1;
    read_ = after;
    ++done;
  }

 private:
  const Ring<kSlots>& ring_;
  uint32_t bytes_;
  uint32_t to_send_;
  uint32_t write_ = 0;
  uint32_t read_ = 0;
};

/// Arguments of both ethernet cores. The worker's words are used only if the core has a worker.
enum EthernetArg : uint32_t { kBegins, kWorkerX, kWorkerY, kWorkerAddress };

/// Forwards arrived messages to a worker, with one transaction id for each two slots.
template <uint32_t kSlots>
class Worker {
 public:
  static constexpr uint32_t kIds = kSlots / 2;

  Worker(uint32_t x, uint32_t y, uint32_t address) : to_(address) {
    noc_async_write_one_packet_with_trid_set_state(get_noc_addr(x, y, address));
  }
  /// As the API at the time of the benchmark (tt-metal of June 2025), it waits for the initiator
  /// once; later releases wait twice.
  FORCE_INLINE void write(uint32_t slot, uint32_t address, uint32_t bytes) const {
    noc_wait_cmd_buf(noc_index, write_cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc_index, write_cmd_buf, NOC_PACKET_TAG,
                          NOC_PACKET_TAG_TRANSACTION_ID(id(slot)));
    NOC_CMD_BUF_WRITE_REG(noc_index, write_cmd_buf, NOC_TARG_ADDR_LO, address);
    NOC_CMD_BUF_WRITE_REG(noc_index, write_cmd_buf, NOC_RET_ADDR_LO, to_);
    NOC_CMD_BUF_WRITE_REG(noc_index, write_cmd_buf, NOC_AT_LEN_BE, bytes);
    noc_send(noc_index, write_cmd_buf);
  }
  FORCE_INLINE bool has_left(uint32_t slot) const {
    return ncrisc_noc_nonposted_write_with_transaction_id_sent(noc_index, id(slot));
  }

 private:
  FORCE_INLINE static uint32_t id(uint32_t slot) { return slot % kIds + 1; }

  uint32_t to_;
};
/// Its writes were not counted. Their acknowledgements are therefore waited for by time, and
/// software's counters restart.
inline void wait_for_worker() {
  const uint32_t begin = c_tensix_core::read_wall_clock_l();
  while (c_tensix_core::read_wall_clock_l() - begin < 1000) {
  }
  ncrisc_noc_counters_init();
}
/// No worker.
struct NoWorker {
  FORCE_INLINE void write(uint32_t, uint32_t, uint32_t) const {}
  FORCE_INLINE bool has_left(uint32_t) const { return true; }
};

/// Arguments of this core, for either kind of test.
template <typename To>
To worker() {
  if constexpr (std::is_same_v<To, NoWorker>) {
    return {};
  } else {
    return To(get_arg_val<uint32_t>(kWorkerX), get_arg_val<uint32_t>(kWorkerY),
              get_arg_val<uint32_t>(kWorkerAddress));
  }
}

/// The receiver, which answers with the sync words or with the whole message.
template <uint32_t kSlots, bool kWhole, typename To = NoWorker>
class Receiver {
 public:
  Receiver(const Ring<kSlots>& ring, uint32_t bytes, const To& to = {})
      : ring_(ring), bytes_(bytes), to_(to) {}

  /// Counts answered messages.
  FORCE_INLINE void step(uint32_t& done) {
    const uint32_t next = behind<kSlots>(write_);
    if (next != read_ && *ring_.sync[write_] != 0) {
      if constexpr (!std::is_same_v<To, NoWorker>) {
        to_.write(write_, ring_.address[write_], bytes_);
        *ring_.sync[write_] = 0;
      }
      write_ = next;
    }
    if (read_ == write_ || !to_.has_left(read_)) return;
    volatile uint32_t* sync = ring_.sync[read_];
    const uint32_t address = ring_.address[read_];
    *sync = 0;
    if constexpr (kWhole) {
      send_message(address, bytes_ + kSyncBytes);
    } else {
      send_message(reinterpret_cast<uintptr_t>(sync), kSyncBytes);
    }
    read_ = behind<kSlots>(read_);
    ++done;
  }

 private:
  const Ring<kSlots>& ring_;
  uint32_t bytes_;
  const To to_;
  uint32_t write_ = 0;
  uint32_t read_ = 0;
};

}  // namespace tvp::kernels::microbenchmarks
