#pragma once
// Parts of the main loop that the cores' firmwares share.

#include <stdint.h>

#include "debug/waypoint.h"
#include "firmware/boot/firmware_start.h"
#include "foundation/contract/mailboxes.h"
#include "internal/circular_buffer_interface.h"
#include "internal/firmware_globals.h"
#include "internal/stream_registers.h"
#include "risc_common.h"

namespace tvp::boot {

using KernelFunction = void (*)();

/// Reads a byte that others change. Some compilers extend a loaded byte again, which makes a
/// polling loop a cycle longer than tt-metal's.
inline uint32_t look_at(const volatile uint8_t& byte) {
  uint32_t value;
  asm volatile("lbu %0, %1" : "=r"(value) : "m"(byte));
  return value;
}

/// Pause between two polls of L1 by an idle core, because each poll blocks a bank for the NIUs for
/// a cycle (ISA TensixTile/L1.md). The length is that of tt-metal's firmware.
inline void leave_l1_to_others() { asm volatile("nop\n nop\n nop\n nop\n nop"); }

inline volatile contract::LaunchMessage& launch_message() {
  volatile contract::Mailboxes* box = mailboxes();
  return box->launch[box->launch_msg_rd_ptr & (contract::kLaunchMessages - 1)];
}

// Sets kernel arguments and semaphores. Returns the base of the kernel configuration.
inline uint32_t init_kernel_config(const volatile contract::LaunchMessage& launch,
                                   uint32_t processor) {
  const uint32_t base = launch.kernel_config_base[kCoreTypeIndex];
  rta_l1_base = reinterpret_cast<uint32_t*>(base + launch.rta_offset[processor].rta_offset);
  crta_l1_base = reinterpret_cast<uint32_t*>(base + launch.rta_offset[processor].crta_offset);
  for (uint32_t type = 0; type < 3; ++type)
    sem_l1_base[type] =
        reinterpret_cast<uint32_t*>(launch.kernel_config_base[type] + launch.sem_offset[type]);
  my_relative_x_ = static_cast<uint8_t>(my_logical_x_ - launch.sub_device_origin_x);
  my_relative_y_ = static_cast<uint8_t>(my_logical_y_ - launch.sub_device_origin_y);
  return base;
}

// Sets the local view of the circular buffers from the host's table, with addresses in this core's
// unit.
template <bool kReads, bool kWrites, bool kInitTilePointer>
inline void setup_local_cb_interfaces(const volatile contract::LaunchMessage& launch,
                                      uint32_t base) {
  const volatile contract::CbConfig* config =
      reinterpret_cast<const volatile contract::CbConfig*>(base + launch.local_cb_offset);
  uint32_t mask = static_cast<uint32_t>(launch.local_cb_mask);
  for (LocalCBInterface* cb = &cb_interface[0].local_cb_interface; mask != 0;
       mask >>= 1, ++config, ++cb) {
    if ((mask & 1) == 0) continue;
    const uint32_t address = config->address >> cb_addr_shift;
    const uint32_t size = config->size >> cb_addr_shift;
    cb->fifo_size = size;
    cb->fifo_limit = address + size;
    cb->fifo_num_pages = config->num_pages;
    cb->fifo_page_size = config->page_size >> cb_addr_shift;
    if (kReads) cb->fifo_rd_ptr = address;
    if (kWrites) cb->fifo_wr_ptr = address;
    cb->tiles_acked_received_init = 0;
    if (kInitTilePointer) cb->fifo_wr_tile_ptr = 0;
  }
}

}  // namespace tvp::boot
