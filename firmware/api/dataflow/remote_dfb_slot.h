#pragma once
// The launch's tables of remote buffers, and the position of a receiver's ring, for all cores.

#include <stdint.h>

#include "debug/assert.h"
#include "foundation/contract/remote_dfb.h"
#include "internal/remote_cb_pages.h"

namespace tvp::remote_dfb {

FORCE_INLINE const volatile contract::LaunchMessage& launch_message() {
  const volatile contract::Mailboxes& boxes = *mailboxes();
  return boxes.launch[boxes.launch_msg_rd_ptr & (contract::kLaunchMessages - 1)];
}

/// If the core has no such buffer, the kernel stops at its line.
FORCE_INLINE const volatile contract::RemoteDfbSlot& slot(uint16_t table_offset, uint32_t number) {
  const uint32_t table = launch_message().kernel_config_base[0] + table_offset;
  const auto* slots = reinterpret_cast<const volatile contract::RemoteDfbSlot*>(table + 4);
  TVP_CHECK(table_offset != 0 && number < *reinterpret_cast<const volatile uint32_t*>(table));
  TVP_CHECK(slots[number].config_address != 0);
  return slots[number];
}

/// Places a local circular buffer over the whole entries of a receiver's ring, from `pointer` on.
/// An entry is a whole number of its pages.
FORCE_INLINE void lay_over(LocalCBInterface& local, uint32_t start, uint32_t limit,
                           uint32_t page_size, uint32_t pointer) {
  local.fifo_size = (limit - start) >> cb_addr_shift;
  local.fifo_limit = limit >> cb_addr_shift;
  local.fifo_page_size = page_size >> cb_addr_shift;
  local.fifo_num_pages = (limit - start) / page_size;
  local.fifo_rd_ptr = pointer >> cb_addr_shift;
  local.fifo_wr_ptr = pointer >> cb_addr_shift;
}

/// Aligns the pipe of a compute core at the kernel's start. The receiver's kernel aligns the pipe
/// to the same place: the first entry of the launch's size.
inline void align_pipe_relay(uint32_t number) {
  const volatile contract::RemoteDfbSlot& of =
      slot(launch_message().prefetcher_pipe_offset, number);
  const auto* config = reinterpret_cast<const volatile uint32_t*>(of.config_address);
  const uint32_t start = config[contract::kRemoteDfbFifoStart];
  const remote_cb::FirstPage first =
      remote_cb::first_page(start, config[contract::kRemoteDfbFifoSize],
                            config[contract::kRemoteDfbFifoPointer], of.entry_size);
  LocalCBInterface& local = get_local_cb_interface(of.relay);
  lay_over(local, start, first.limit, local.fifo_page_size << cb_addr_shift, first.pointer);
}

}  // namespace tvp::remote_dfb
