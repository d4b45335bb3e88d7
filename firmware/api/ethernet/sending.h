#pragma once
// Sends over the link of an ethernet tile (ISA EthernetTile/EthernetTxRx.md). An idle queue accepts
// a command. The source of a transfer must not change until the receiver has acknowledged it.

#include <stdint.h>

#include "dataflow/noc_transactions.h"
#include "dataflow/semaphores.h"
#include "foundation/regs/ethernet.h"

namespace tvp::eth {
FORCE_INLINE volatile uint32_t& txq(uint32_t queue, uint32_t offset) {
  return *reinterpret_cast<volatile uint32_t*>(regs::ethernet::kTxq0 + queue * 0x1000 + offset);
}
FORCE_INLINE void wait_txq(uint32_t queue) {
  while (txq(queue, regs::ethernet::txq::kCmd) != 0) {
  }
}
}  // namespace tvp::eth

// Registers of the tile by address, and of a queue by their offset.
FORCE_INLINE void eth_reg_write(uint32_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}
FORCE_INLINE uint32_t eth_reg_read(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
/// Offset of the register with the state of a queue.
constexpr uint32_t ETH_TXQ_CMD = tvp::regs::ethernet::txq::kCmd;
FORCE_INLINE void eth_txq_reg_write(uint32_t queue, uint32_t offset, uint32_t value) {
  tvp::eth::txq(queue, offset) = value;
}
FORCE_INLINE uint32_t eth_txq_reg_read(uint32_t queue, uint32_t offset) {
  return tvp::eth::txq(queue, offset);
}

FORCE_INLINE bool eth_txq_is_busy(uint32_t queue = 0) {
  return tvp::eth::txq(queue, tvp::regs::ethernet::txq::kCmd) != 0;
}

namespace internal_ {

FORCE_INLINE bool eth_txq_is_busy(uint32_t queue = 0) { return ::eth_txq_is_busy(queue); }

// The queue must be idle.
FORCE_INLINE void eth_send_packet_bytes_unsafe(uint32_t queue, uint32_t source,
                                               uint32_t destination, uint32_t bytes) {
  namespace reg = tvp::regs::ethernet::txq;
  tvp::eth::txq(queue, reg::kTransferStartAddr) = source;
  tvp::eth::txq(queue, reg::kTransferSizeBytes) = bytes;
  tvp::eth::txq(queue, reg::kDestAddr) = destination;
  tvp::eth::txq(queue, reg::kCmd) = reg::kCmdL1Write;
}
// Addresses and size are in words of 16 bytes.
FORCE_INLINE void eth_send_packet_unsafe(uint32_t queue, uint32_t source_word,
                                         uint32_t destination_word, uint32_t words) {
  eth_send_packet_bytes_unsafe(queue, source_word << 4, destination_word << 4, words << 4);
}
template <bool ctx_switch = true>
FORCE_INLINE void eth_send_packet(uint32_t queue, uint32_t source_word, uint32_t destination_word,
                                  uint32_t words) {
  tvp::eth::wait_txq(queue);
  eth_send_packet_unsafe(queue, source_word, destination_word, words);
}
// Writes a register of the tile at the other end. Only for queue 0.
FORCE_INLINE void eth_write_remote_reg_no_txq_check(uint32_t queue, uint32_t address,
                                                    uint32_t value) {
  namespace reg = tvp::regs::ethernet::txq;
  tvp::eth::txq(queue, reg::kDestAddr) = address;
  tvp::eth::txq(queue, reg::kRemoteRegData) = value;
  tvp::eth::txq(queue, reg::kCmd) = reg::kCmdMmioWrite;
}
template <bool ctx_switch = true>
FORCE_INLINE void eth_write_remote_reg(uint32_t queue, uint32_t address, uint32_t value) {
  tvp::eth::wait_txq(queue);
  eth_write_remote_reg_no_txq_check(queue, address, value);
}

// On silicon this yields to the vendor's base firmware, which does not exist here.
FORCE_INLINE void risc_context_switch(bool = false) {}
FORCE_INLINE void risc_context_switch_without_noc_sync() {}

}  // namespace internal_

FORCE_INLINE void run_routing() { internal_::risc_context_switch(); }
FORCE_INLINE void run_routing_without_noc_sync() {
  internal_::risc_context_switch_without_noc_sync();
}
FORCE_INLINE void wait_for_eth_txq_cmd_space(uint32_t = 0) { tvp::eth::wait_txq(0); }
FORCE_INLINE void eth_write_remote_reg(uint32_t address, uint32_t value) {
  internal_::eth_write_remote_reg(0, address, value);
}

// Sends in transfers of `bytes_per_send`, each when the queue is idle.
FORCE_INLINE void eth_send_bytes_over_channel_payload_only(uint32_t source, uint32_t destination,
                                                           uint32_t bytes,
                                                           uint32_t bytes_per_send = 16,
                                                           uint32_t words_per_send = 1) {
  for (uint32_t sent = 0; sent < bytes; sent += bytes_per_send) {
    internal_::eth_send_packet(0, (source + sent) >> 4, (destination + sent) >> 4, words_per_send);
  }
}
// The queue must be idle for each transfer.
FORCE_INLINE void eth_send_bytes_over_channel_payload_only_unsafe(uint32_t source,
                                                                  uint32_t destination,
                                                                  uint32_t bytes,
                                                                  uint32_t bytes_per_send = 16,
                                                                  uint32_t words_per_send = 1) {
  for (uint32_t sent = 0; sent < bytes; sent += bytes_per_send) {
    internal_::eth_send_packet_unsafe(0, (source + sent) >> 4, (destination + sent) >> 4,
                                      words_per_send);
  }
}
// The queue must be idle.
FORCE_INLINE void eth_send_bytes_over_channel_payload_only_unsafe_one_packet(uint32_t source,
                                                                             uint32_t destination,
                                                                             uint32_t bytes) {
  internal_::eth_send_packet_bytes_unsafe(0, source, destination, bytes);
}

// --- waits of the NoC's functions under names of their own

FORCE_INLINE void eth_noc_semaphore_wait(volatile uint32_t* sem_addr, uint32_t val, uint32_t = 0) {
  noc_semaphore_wait(sem_addr, val);
}
FORCE_INLINE void eth_noc_semaphore_wait_min(volatile uint32_t* sem_addr, uint32_t val,
                                             uint32_t = 0) {
  noc_semaphore_wait_min(sem_addr, val);
}
FORCE_INLINE void eth_noc_async_read_barrier() { noc_async_read_barrier(); }
FORCE_INLINE void eth_noc_async_write_barrier() { noc_async_write_barrier(); }
