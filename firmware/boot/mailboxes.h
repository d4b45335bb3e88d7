#pragma once
// The mailbox of a tile: how host and firmware, and the cores of a tile, start and finish kernels
// (kernel_api 1.10; dev_msgs.h of tt-metal names the fields). Shared by firmware and host.

#include <stddef.h>
#include <stdint.h>

#include "firmware/boot/memory_map.h"

namespace tvp::boot {

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

constexpr uint8_t kDispatchModeDev = 0;
constexpr uint8_t kDispatchModeHost = 1;

struct NcriscHalt {
  uint32_t resume_addr;  // where BRISC lets NCRISC come out of reset
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
  uint8_t pad1[13];
  uint8_t preload;  // last: whoever sees it set sees the whole message
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

// Written by the device, read by the host (kernel_api 7.1).
constexpr uint32_t kDprintBufferSize = 204;
constexpr uint32_t kDprintDataSize = kDprintBufferSize - 12;
constexpr uint32_t kDprintStarting = 0x98989898;
constexpr uint32_t kDprintDisabled = 0xF8F8F8F8;
struct DprintBuffer {
  uint32_t wpos;
  uint32_t rpos;
  uint16_t core_x;
  uint16_t core_y;
  uint8_t data[kDprintDataSize];
};
static_assert(sizeof(DprintBuffer) == kDprintBufferSize);

// Type of a DPRINT record: one byte type, one byte size, payload.
enum DprintType : uint8_t {
  kDprintCstr,
  kDprintEndl,
  kDprintSetw,
  kDprintUint8,
  kDprintUint16,
  kDprintUint32,
  kDprintUint64,
  kDprintInt8,
  kDprintInt16,
  kDprintInt32,
  kDprintInt64,
  kDprintFloat32,
  kDprintChar,
  kDprintBfloat16,
  kDprintSetPrecision,
  kDprintFixed,
  kDprintDefaultFloat,
  kDprintHex,
  kDprintOct,
  kDprintDec,
  kDprintTileSlice,
  kDprintU32Array,
  kDprintTypedU32Array,
};

struct Waypoint {
  char text[4];
};

constexpr uint8_t kAssertOk = 2;
constexpr uint8_t kAssertTripped = 3;
struct AssertStatus {
  uint16_t line;
  uint8_t tripped;
  uint8_t which;
};

constexpr uint32_t kRingBufferElements = 32;
struct RingBuffer {
  int16_t current_ptr;
  uint16_t wrapped;
  uint32_t data[kRingBufferElements];
};

struct Watcher {
  uint32_t enable;
  Waypoint waypoint[kTensixProcessors];
  AssertStatus assert_status;
  RingBuffer ring_buffer;
};

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

// Wall clock of the tile at go and at done of the last program: kernel times without the host's
// polling.
struct RunTimes {
  uint64_t go;
  uint64_t done;
};

// Markers of the device profiler (kernel_api 7.3): two words each. The host clears them at launch;
// those written since have kProfilerMarkerValid. What does not fit is dropped.
constexpr uint32_t kProfilerMarkers = 128;
constexpr uint32_t kProfilerMarkerValid = 0x80000000;
struct ProfilerBuffer {
  uint32_t markers[kProfilerMarkers][2];
};
enum ProfilerPacket : uint32_t {
  kProfilerZoneStart = 0,
  kProfilerZoneEnd = 1,
  kProfilerZoneTotal = 2,
  kProfilerTsData = 3,
  kProfilerTsEvent = 4,
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

// One CB in the kernel configuration: bytes. The table has an entry for each index up to the
// highest used.
struct CbConfig {
  uint32_t address;
  uint32_t size;
  uint32_t num_pages;
  uint32_t page_size;
};
static_assert(sizeof(CbConfig) == 16);

// What the host leaves at kBankTableScratch before the first start: coordinates of the banks as
// seen by each NoC, y << 6 | x, and logical to kernel-visible worker coordinates.
struct BankTables {
  uint16_t dram_bank_to_noc_xy[2][kDramBanks];
  uint16_t l1_bank_to_noc_xy[2][kMaxL1Banks];
  int32_t bank_to_dram_offset[kDramBanks];
  uint8_t worker_logical_col_to_virtual_col[12];
  uint8_t worker_logical_row_to_virtual_row[12];
};
static_assert(sizeof(BankTables) % 4 == 0);
static_assert(kBankTableScratch + sizeof(BankTables) <= kL1UnreservedBase);
static_assert(kEthBankTableScratch + sizeof(BankTables) <= kEthKernelConfigBase);

}  // namespace tvp::boot
