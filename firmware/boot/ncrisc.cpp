// Firmware of NCRISC. Its kernels run in instruction RAM. Only the mover can write to it, and no
// core may fetch from it meanwhile. NCRISC therefore starts the move of its kernel and halts in L1,
// and BRISC resets it to the kernel's entry. The kernel's end jumps back here (ISA
// BabyRISCV/InstructionRAM.md).

#include "firmware/boot/data_movement_globals.h"
#include "firmware/boot/firmware_common.h"
#include "firmware/boot/remote_buffers.h"
#include "foundation/regs/tensix_tile.h"

namespace tile = tvp::regs::tensix_tile;

namespace tvp::boot {
namespace {

using namespace contract;

// TDMA-RISC's mover command (ISA TDMA-RISC.md): units of 16 bytes.
constexpr uint32_t kXmovSource = tile::kTdma + 0x00;
constexpr uint32_t kXmovDestination = tile::kTdma + 0x04;
constexpr uint32_t kXmovSize = tile::kTdma + 0x08;
constexpr uint32_t kXmovDirection = tile::kTdma + 0x0C;
constexpr uint32_t kTdmaCommand = tile::kTdma + 0x10;
constexpr uint32_t kTdmaStatus = tile::kTdma + 0x14;
constexpr uint32_t kCommandMove = 0x40;
constexpr uint32_t kL1ToL0 = 1;
constexpr uint32_t kMoverViewOfIram = 0x40000;  // ISA Mover.md
constexpr uint32_t kStatusMoverBusy = 1u << 0;
constexpr uint32_t kStatusQueueEmpty = 1u << 3;

/// Otherwise kernels run in L1.
constexpr bool kHasInstructionRam = tvp::chip::kInstructionBytes != 0;

volatile uint8_t& run_state() { return mailboxes()->subordinate_sync.dm1; }

void move_kernel_to_iram(uint32_t source, uint32_t size16) {
  reg32(kXmovSource) = source >> 4;
  reg32(kXmovDestination) = kMoverViewOfIram >> 4;
  reg32(kXmovSize) = size16;
  reg32(kXmovDirection) = kL1ToL0;
  reg32(kTdmaCommand) = kCommandMove;
}

void wait_for_mover() {
  while ((reg32(kTdmaStatus) & (kStatusMoverBusy | kStatusQueueEmpty)) != kStatusQueueEmpty) {
  }
}

[[noreturn]] void serve_launches() {
  for (;;) {
    WAYPOINT("W");
    for (;;) {
      const uint32_t state = look_at(run_state());
      if (state == kSyncGo || state == kSyncLoad) break;
      leave_l1_to_others();
    }
    const volatile LaunchMessage& launch = launch_message();
    const uint32_t base = launch.kernel_config_base[kCoreTypeIndex];
    const uint32_t text = base + launch.kernel_text_offset[kNcrisc];
    if (kHasInstructionRam) move_kernel_to_iram(text, launch.ncrisc_kernel_size16);
    init_kernel_config(launch, kNcrisc);
    setup_local_cb_interfaces<true, true, false>(launch, base);
    setup_remote_cb_interfaces<false>(launch, base, 0);
    if (kHasInstructionRam) wait_for_mover();
    mailboxes()->ncrisc_halt.resume_addr = kHasInstructionRam ? kIramBase : text;
    run_state() = kSyncWaitingForReset;
    WAYPOINT("R");
    while (run_state() != kSyncInit) {  // reset ends this loop
    }
  }
}

}  // namespace
}  // namespace tvp::boot

using namespace tvp::boot;
using namespace tvp::contract;

extern "C" [[noreturn]] void firmware_main() {
  init_bank_tables();
  init_identity();
  run_state() = kSyncDone;
  serve_launches();
}

// A kernel in instruction RAM ends here. Its stack is no longer needed.
extern "C" [[noreturn, gnu::used]] void ncrisc_kernel_done() {
  WAYPOINT("D");
  run_state() = kSyncDone;
  asm volatile("la sp, __stack_top" ::: "memory");
  serve_launches();
}
