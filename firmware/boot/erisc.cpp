// Firmware of an ethernet tile's core: runs a kernel at each go message of the host.

#include "firmware/boot/data_movement_globals.h"
#include "firmware/boot/firmware_common.h"

using namespace tvp::boot;
using namespace tvp::contract;

extern "C" [[noreturn]] void firmware_main() {
  WAYPOINT("I");
  volatile Mailboxes* box = mailboxes();
  init_bank_tables();
  init_identity();
  box->launch_msg_rd_ptr = 0;
  noc_init(kNocAtomicReturn);
  box->go_messages[0].signal = kRunDone;

  for (;;) {
    volatile GoMessage& go = box->go_messages[box->go_message_index];
    WAYPOINT("GW");
    while (go.signal != kRunGo) {
    }
    WAYPOINT("GD");
    box->run_times.go = c_tensix_core::read_wall_clock();
    const volatile LaunchMessage& launch = launch_message();
    const uint32_t base = init_kernel_config(launch, kBrisc);
    WAYPOINT("R");
    reinterpret_cast<KernelFunction>(base + launch.kernel_text_offset[kBrisc])();
    WAYPOINT("D");
    box->run_times.done = c_tensix_core::read_wall_clock();
    go.signal = kRunDone;
  }
}
