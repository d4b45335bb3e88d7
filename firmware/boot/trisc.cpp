// Firmware of a TRISC: runs its image of the compute kernel on request of BRISC.

#include "firmware/boot/firmware_common.h"
#include "firmware/boot/remote_buffers.h"
#include "foundation/regs/tensix_opcodes.h"
#include "foundation/regs/tensix_tile.h"

namespace tile = tvp::regs::tensix_tile;

[[gnu::used]] uint8_t my_x[NUM_NOCS];
[[gnu::used]] uint8_t my_y[NUM_NOCS];
[[gnu::used]] uint8_t my_logical_x_;
[[gnu::used]] uint8_t my_logical_y_;
[[gnu::used]] uint8_t my_relative_x_;
[[gnu::used]] uint8_t my_relative_y_;
[[gnu::used]] CBInterface cb_interface[NUM_CIRCULAR_BUFFERS];
[[gnu::used]] uint32_t* rta_l1_base;
[[gnu::used]] uint32_t* crta_l1_base;
[[gnu::used]] uint32_t* sem_l1_base[3];

namespace tvp::boot {
namespace {

using namespace contract;

constexpr uint32_t kTrisc = COMPILE_FOR_TRISC;

volatile uint8_t& run_state() {
  volatile SubordinateSync& sync = mailboxes()->subordinate_sync;
  if (kTrisc == 0) return sync.trisc0;
  return kTrisc == 1 ? sync.trisc1 : sync.trisc2;
}

void init_sync_registers() {
  for (uint32_t cb = 0; cb < kCircularBuffers; ++cb) {
    *get_cb_tiles_received_ptr(cb) = 0;
    *get_cb_tiles_acked_ptr(cb) = 0;
  }
}

// Kernels expect -1 in LReg 11 (ISA LReg.md), the default value of SFPCONFIG. A core's own thread
// takes instructions at the lowest address (ISA BabyRISCV/PushTensixInstruction.md).
void init_vector_constant() {
  reg32(tile::kPushT0) = tvp::regs::tensix::encode_sfpconfig(0, 11, 1);
}

// Some kernels wait for Dst before they initialize anything. tt-metal's firmware leaves the
// semaphores between the threads with room for one (ISA SEMINIT.md; bits 1, 2 and 7: Dst for the
// packers, Dst for the unpackers, results of math).
void init_semaphores() {
  // One by one, as in tt-metal: ttsim refuses several at once.
  constexpr uint32_t kMasks[] = {1u << 1, 1u << 2, 1u << 7};
  for (const uint32_t mask : kMasks)
    reg32(tile::kPushT0) = tvp::regs::tensix::encode_seminit(1, 0, mask);
}

// Returns when no instruction of this thread is left in the coprocessor (ISA BabyRISCV/TTSync.md).
void wait_for_coprocessor() {
  volatile uint32_t& sync = reg32(tile::kCoprocessorDone);
  sync = 0;
  const uint32_t done = sync;
  UNUSED(done);
}

void run_kernel() {
  const volatile LaunchMessage& launch = launch_message();
  const uint32_t base = init_kernel_config(launch, kTrisc0 + kTrisc);
  if (kTrisc != 1) {  // MATH has no view of circular buffers
    setup_local_cb_interfaces<kTrisc == 0, kTrisc == 2, true>(launch, base);
    setup_remote_cb_interfaces<false>(launch, base, 0);
  }
  WAYPOINT("R");
  reinterpret_cast<KernelFunction>(base + launch.kernel_text_offset[kTrisc0 + kTrisc])();
  WAYPOINT("D");
  wait_for_coprocessor();
}

}  // namespace
}  // namespace tvp::boot

using namespace tvp::boot;
using namespace tvp::contract;

extern "C" [[noreturn]] void firmware_main() {
  my_logical_x_ = mailboxes()->core_info.absolute_logical_x;
  my_logical_y_ = mailboxes()->core_info.absolute_logical_y;
  if (kTrisc == 1) {
    init_vector_constant();
    init_semaphores();
  }
  run_state() = kSyncDone;
  for (;;) {
    WAYPOINT("W");
    while (run_state() != kSyncGo) {
      if (kTrisc == 0 && run_state() == kSyncInitSyncRegisters) {
        init_sync_registers();
        run_state() = kSyncDone;
      }
      leave_l1_to_others();
    }
    run_kernel();
    run_state() = kSyncDone;
  }
}
