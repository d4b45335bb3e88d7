#pragma once
// The messages by which the host and the cores of a tile start and finish kernels (kernel_api 1.10;
// dev_msgs.h of tt-metal names the fields).

#include <stddef.h>
#include <stdint.h>

#include "foundation/contract/memory_map.h"

namespace tvp::contract {

// Values of GoMessage::signal.
constexpr uint8_t kRunInit = 0x40;
constexpr uint8_t kRunGo = 0x80;
constexpr uint8_t kRunResetReadPtr = 0xC0;
constexpr uint8_t kRunResetReadPtrFromHost = 0xE0;
constexpr uint8_t kRunDone = 0;

// Values of a byte of SubordinateSync.
constexpr uint8_t kSyncInit = 0x40;
constexpr uint8_t kSyncGo = 0x80;
constexpr uint8_t kSyncLoad = 1;
constexpr uint8_t kSyncWaitingForReset = 2;
constexpr uint8_t kSyncInitSyncRegisters = 3;
constexpr uint8_t kSyncDone = 0;

// LaunchMessage::preload: the kernel may be loaded before it is to run.
constexpr uint8_t kPreloaded = 1 << 7;

constexpr uint8_t kDispatchModeDev = 0;
constexpr uint8_t kDispatchModeHost = 1;

struct NcriscHalt {
  uint32_t resume_addr;  // address at which NCRISC continues after BRISC ends its reset
  uint32_t stack_save;
};

struct SubordinateSync {
  union {
    uint32_t all;
    struct {
      uint8_t dm1, trisc0, trisc1, trisc2;
    };
  };
};

struct RtaOffset {
  uint16_t rta_offset;   // bytes from the kernel configuration base
  uint16_t crta_offset;  // kNoArgs: none
};

struct LaunchMessage {
  uint32_t kernel_config_base[3];  // Tensix, active ethernet, idle ethernet
  uint16_t sem_offset[3];
  uint16_t local_cb_offset;
  uint16_t remote_cb_offset;
  RtaOffset rta_offset[kTensixProcessors];
  uint8_t mode;
  uint8_t pad0;
  uint32_t kernel_text_offset[kTensixProcessors];  // from the kernel configuration base
  uint64_t local_cb_mask;
  uint8_t brisc_noc_id;
  uint8_t brisc_noc_mode;
  uint8_t min_remote_cb_start_index;
  uint8_t exit_erisc_kernel;
  uint32_t host_assigned_id;
  uint32_t enables;  // bit i: processor i has a kernel
  uint16_t watcher_kernel_ids[kTensixProcessors];
  uint16_t ncrisc_kernel_size16;  // in units of 16 bytes
  uint8_t sub_device_origin_x;
  uint8_t sub_device_origin_y;
  // Offsets of the tables of remote buffers (remote_dfb.h) from the kernel configuration base; 0:
  // none.
  uint16_t prefetcher_pipe_offset;
  uint16_t cross_node_dfb_offset;
  uint8_t pad1[9];
  uint8_t preload;  // written last: a core that sees it set sees the whole message
};
static_assert(sizeof(LaunchMessage) == 112);
static_assert(offsetof(LaunchMessage, kernel_text_offset) == 44);
static_assert(offsetof(LaunchMessage, local_cb_mask) == 64);
static_assert(offsetof(LaunchMessage, preload) == 111);

struct GoMessage {
  union {
    uint32_t all;
    struct {
      uint8_t dispatch_message_offset, master_x, master_y, signal;
    };
  };
};

// A circular buffer in the kernel configuration, in bytes. The table has an entry for each index up
// to the highest one in use.
struct CbConfig {
  uint32_t address;
  uint32_t size;
  uint32_t num_pages;
  uint32_t page_size;
};
static_assert(sizeof(CbConfig) == 16);

}  // namespace tvp::contract
