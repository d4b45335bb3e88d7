// Firmware of BRISC: brings up the tile, then runs a kernel at each go message of the host.

#include "firmware/boot/data_movement_globals.h"
#include "firmware/boot/firmware_common.h"
#include "firmware/boot/remote_buffers.h"
#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_tile.h"

namespace tile = tvp::regs::tensix_tile;

namespace tvp::boot {
namespace {

using namespace contract;

constexpr uint32_t kAllInstructionCaches = 0x1F;

// Words of tile::kResetPcs (ISA SoftReset.md).
enum ResetPc : uint32_t { kTriscsCount = 3, kNcriscPc, kNcriscCounts };
volatile uint32_t* reset_pcs() { return &reg32(tile::kResetPcs); }
// A field that fills a word of the backend configuration (ISA InstructionCache.md).
volatile uint32_t& config_word(regs::config::Field field) {
  return reg32(tile::kConfig + field.addr32 * 4u);
}
volatile uint32_t& soft_reset() { return reg32(tile::kControl + tile::kSoftReset0); }

volatile SubordinateSync& subordinates() { return mailboxes()->subordinate_sync; }

void start_subordinates() {
  for (uint32_t i = 0; i < 3; ++i) reset_pcs()[i] = firmware_base(kTrisc0 + i);
  reset_pcs()[kTriscsCount] = 0b111;
  reset_pcs()[kNcriscPc] = firmware_base(kNcrisc);
  reset_pcs()[kNcriscCounts] = 1;
  config_word(regs::config::global::kInvalidateInstructionCaches) = kAllInstructionCaches;
  mailboxes()->ncrisc_halt.resume_addr = 0;
  subordinates().all = kSyncInit * 0x01010101u;
  soft_reset() = 0;
}

void wait_for_subordinates() {
  WAYPOINT("NTW");
  while (subordinates().all != 0) leave_l1_to_others();
  WAYPOINT("NTD");
}

/// The host may change at any time which signal counts and which message is next. Each poll
/// therefore reads all of it, also a message that arrives before its signal.
void wait_for_go(volatile Mailboxes& box) {
  WAYPOINT("GW");
  uint32_t signal;
  while ((signal = look_at(box.go_messages[box.go_message_index].signal)) != kRunGo &&
         !(look_at(box.launch[box.launch_msg_rd_ptr].preload) & kPreloaded)) {
    if (signal == kRunResetReadPtr || signal == kRunResetReadPtrFromHost) {
      box.launch_msg_rd_ptr = 0;
      box.go_messages[box.go_message_index].signal = kRunDone;
    }
  }
  while (box.go_messages[box.go_message_index].signal != kRunGo) {
  }
  WAYPOINT("GD");
}

// NCRISC has moved its kernel to instruction RAM and halts. It starts there out of reset.
void start_ncrisc_kernel() {
  while (subordinates().dm1 != kSyncWaitingForReset) {
  }
  subordinates().dm1 = kSyncGo;
  reset_pcs()[kNcriscPc] = mailboxes()->ncrisc_halt.resume_addr;
  soft_reset() = tile::kResetNc;
  const uint32_t arrived = soft_reset();  // the write has arrived before the reset ends
  UNUSED(arrived);
  soft_reset() = 0;
}

void start_trisc_kernels() {
  while (subordinates().trisc0 != kSyncDone) {  // still clears the occupancy of the last program
  }
  subordinates().trisc0 = kSyncGo;
  subordinates().trisc1 = kSyncGo;
  subordinates().trisc2 = kSyncGo;
}

void run_kernels(const volatile LaunchMessage& launch) {
  const uint32_t enables = launch.enables;
  if (enables & (1u << kNcrisc)) subordinates().dm1 = kSyncLoad;
  const uint32_t base = init_kernel_config(launch, kBrisc);
  config_word(regs::config::global::kInvalidateInstructionCaches) = kAllInstructionCaches;
  if (enables & (1u << kTrisc0)) start_trisc_kernels();
  setup_local_cb_interfaces<true, true, false>(launch, base);
  setup_remote_cb_interfaces<true>(launch, base, launch.brisc_noc_id);
  if (enables & (1u << kNcrisc)) start_ncrisc_kernel();
  if (enables & (1u << kBrisc)) {
    WAYPOINT("R");
    reinterpret_cast<KernelFunction>(base + launch.kernel_text_offset[kBrisc])();
    WAYPOINT("D");
  }
  wait_for_subordinates();
}

}  // namespace
}  // namespace tvp::boot

using namespace tvp::boot;
using namespace tvp::contract;

extern "C" [[noreturn]] void firmware_main() {
  WAYPOINT("I");
  volatile Mailboxes* box = mailboxes();
  init_bank_tables();
  init_identity();
  box->launch_msg_rd_ptr = 0;
  for (uint32_t i = 0; i < kZerosSize; i += 4) reg32(kZerosBase + i) = 0;
  start_subordinates();
  wait_for_subordinates();
  noc_init(kNocAtomicReturn);
  subordinates().trisc0 = kSyncInitSyncRegisters;
  wait_for_subordinates();
  box->go_messages[0].signal = kRunDone;

  for (;;) {
    wait_for_go(*box);
    volatile GoMessage& go = box->go_messages[box->go_message_index];
    box->run_times.go = c_tensix_core::read_wall_clock();
    const volatile LaunchMessage& launch = launch_message();
    run_kernels(launch);
    subordinates().trisc0 = kSyncInitSyncRegisters;
    if (launch.mode == kDispatchModeDev)
      box->launch_msg_rd_ptr = (box->launch_msg_rd_ptr + 1) & (kLaunchMessages - 1);
    box->run_times.done = c_tensix_core::read_wall_clock();
    go.signal = kRunDone;
  }
}
