#pragma once
// The mailbox of a tile at a fixed place of L1 (memory_map.h). It holds all messages between host
// and firmware after the start.

#include <stddef.h>
#include <stdint.h>

#include "foundation/contract/dprint.h"
#include "foundation/contract/launch.h"
#include "foundation/contract/memory_map.h"
#include "foundation/contract/profiler.h"
#include "foundation/contract/watcher.h"

namespace tvp::contract {

constexpr uint32_t kCoreMagicWorker = 0x50EC09A3;
constexpr uint32_t kCoreMagicActiveEth = 0xC63050D1;
struct CoreInfo {
  uint64_t noc_pcie_addr_base;
  uint64_t noc_pcie_addr_end;
  uint64_t noc_dram_addr_base;
  uint64_t noc_dram_addr_end;
  uint8_t noc_size_x;
  uint8_t noc_size_y;
  uint8_t worker_grid_size_x;
  uint8_t worker_grid_size_y;
  uint8_t absolute_logical_x;
  uint8_t absolute_logical_y;
  uint8_t pad[2];
  uint32_t l1_unreserved_start;
  uint32_t core_magic_number;
};

// Wall clock of the tile at go and at done of the last program. The difference is the kernel's time
// without the host's polling.
struct RunTimes {
  uint64_t go;
  uint64_t done;
};

constexpr uint32_t kLaunchMessages = 8;
constexpr uint32_t kGoMessages = 9;
struct Mailboxes {
  NcriscHalt ncrisc_halt;
  SubordinateSync subordinate_sync;
  uint32_t launch_msg_rd_ptr;
  LaunchMessage launch[kLaunchMessages];
  GoMessage go_messages[kGoMessages];
  uint32_t link_status_check_timestamp;
  uint32_t go_message_index;
  uint32_t aerisc_run_flag;
  RunTimes run_times;
  CoreInfo core_info;
  Watcher watcher;
  DprintBuffer dprint[kTensixProcessors];
  uint32_t pad;
  ProfilerBuffer profiler[kTensixProcessors];
};
static_assert(offsetof(Mailboxes, subordinate_sync) == 8);
static_assert(offsetof(Mailboxes, launch) == 16);
static_assert(offsetof(Mailboxes, go_messages) == 912);
static_assert(sizeof(Mailboxes) <= kMailboxSize);

}  // namespace tvp::contract
