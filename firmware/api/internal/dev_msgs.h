#pragma once
// The mailbox of a tile (foundation/contract) under the names in kernels.

#include <stddef.h>
#include <stdint.h>

#include "foundation/contract/mailboxes.h"
#include "internal/risc_attribs.h"

// Values of go_messages[i].signal and of subordinate_sync.map[i].
constexpr uint32_t RUN_MSG_INIT = tvp::contract::kRunInit;
constexpr uint32_t RUN_MSG_GO = tvp::contract::kRunGo;
constexpr uint32_t RUN_MSG_RESET_READ_PTR = tvp::contract::kRunResetReadPtr;
constexpr uint32_t RUN_MSG_RESET_READ_PTR_FROM_HOST = tvp::contract::kRunResetReadPtrFromHost;
constexpr uint32_t RUN_MSG_DONE = tvp::contract::kRunDone;
constexpr uint32_t RUN_SYNC_MSG_INIT = tvp::contract::kSyncInit;
constexpr uint32_t RUN_SYNC_MSG_GO = tvp::contract::kSyncGo;
constexpr uint32_t RUN_SYNC_MSG_LOAD = tvp::contract::kSyncLoad;
constexpr uint32_t RUN_SYNC_MSG_WAITING_FOR_RESET = tvp::contract::kSyncWaitingForReset;
constexpr uint32_t RUN_SYNC_MSG_INIT_SYNC_REGISTERS = tvp::contract::kSyncInitSyncRegisters;
constexpr uint32_t RUN_SYNC_MSG_DONE = tvp::contract::kSyncDone;

using go_msg_t = tvp::contract::GoMessage;
using kernel_config_msg_t = tvp::contract::LaunchMessage;
using core_info_msg_t = tvp::contract::CoreInfo;
using ncrisc_halt_msg_t = tvp::contract::NcriscHalt;

struct launch_msg_t {
  kernel_config_msg_t kernel_config;
};
/// A byte for each core that BRISC starts: NCRISC, then the three T cores.
struct subordinate_sync_msg_t {
  volatile uint8_t map[4];
};
union subordinate_map_t {
  volatile uint32_t all;
  struct {
    volatile uint8_t dm1, trisc0, trisc1, trisc2;
  };
};

struct mailboxes_t {
  ncrisc_halt_msg_t ncrisc_halt;
  subordinate_sync_msg_t subordinate_sync;
  volatile uint32_t launch_msg_rd_ptr;
  launch_msg_t launch[tvp::contract::kLaunchMessages];
  volatile go_msg_t go_messages[tvp::contract::kGoMessages];
  uint32_t link_status_check_timestamp;
  volatile uint32_t go_message_index;
  uint32_t aerisc_run_flag;
  tvp::contract::RunTimes run_times;
  core_info_msg_t core_info;
};
#define TVP_SAME_PLACE(field) \
  static_assert(offsetof(mailboxes_t, field) == offsetof(tvp::contract::Mailboxes, field))
TVP_SAME_PLACE(subordinate_sync);
TVP_SAME_PLACE(launch_msg_rd_ptr);
TVP_SAME_PLACE(launch);
TVP_SAME_PLACE(go_messages);
TVP_SAME_PLACE(go_message_index);
TVP_SAME_PLACE(core_info);
#undef TVP_SAME_PLACE

/// Address of this tile's part of that name.
#define GET_MAILBOX_ADDRESS_DEV(field)                                         \
  (&reinterpret_cast<mailboxes_t*>(                                            \
        tvp::contract::mailbox_base(PROCESSOR_INDEX == tvp::contract::kErisc)) \
        ->field)
