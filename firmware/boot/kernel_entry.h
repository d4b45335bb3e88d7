#pragma once
// The code between the start of a kernel image and kernel_main. The host's wrapper includes this
// file, then the kernel's source.
//
// On BRISC, TRISCs and ERISC the firmware calls _start as a function. NCRISC starts there out of
// reset, in instruction RAM, and jumps to the firmware instead of returning (ISA
// BabyRISCV/InstructionRAM.md).

#include "firmware/boot/start.h"

#if defined(COMPILE_FOR_NCRISC)
TVP_START(TVP_SET_GP "  la sp, __stack_top\n" TVP_INIT_LOCAL_MEMORY
                     "  call kernel_entry\n  tail ncrisc_kernel_done\n")
#else
TVP_START(
    "  addi sp, sp, -16\n  .cfi_def_cfa_offset 16\n"
    "  sw ra, 12(sp)\n  .cfi_offset ra, -4\n" TVP_INIT_LOCAL_MEMORY
    "  call kernel_entry\n  lw ra, 12(sp)\n  addi sp, sp, 16\n  ret\n")
#endif

// Places local circular buffers over remote ones, as selected by the host.
#if defined(ALIGN_LOCAL_CBS_TO_REMOTE_CBS) && \
    !(defined(COMPILE_FOR_TRISC) && COMPILE_FOR_TRISC == 1)
#include "dataflow/remote_dfb_slot.h"
#include "remote_circular_buffer.h"
static inline void align_local_buffers() { ALIGN_LOCAL_CBS_TO_REMOTE_CBS }
#else
static inline void align_local_buffers() {}
#endif

// Kernels may declare these numbers of run-time arguments themselves, as in tt-metal. The host
// stores them before the arguments, and only with the watcher.
#if defined(WATCHER_ENABLED)
#include "internal/firmware_globals.h"
uint32_t rta_count;
uint32_t crta_count;
static inline void count_arguments() {
  rta_count = rta_l1_base[-1];
  crta_count = crta_l1_base[-1];
}
#else
static inline void count_arguments() {}
#endif

// Not folded with a short kernel_main of the same code, because reports would then lack the lines
// of the kernel.
#define TVP_OWN_LINES __attribute__((no_icf))

#if defined(COMPILE_FOR_TRISC) && defined(TVP_KERNEL_HAS_MAIN)

// Older compute kernels define namespace NAMESPACE { void MAIN {…} }.
namespace NAMESPACE {
void MAIN;
}
extern "C" TVP_OWN_LINES void kernel_entry() {
  count_arguments();
  align_local_buffers();
  NAMESPACE::MAIN;
}

#elif defined(COMPILE_FOR_TRISC)

void kernel_main();
extern "C" TVP_OWN_LINES void kernel_entry() {
  count_arguments();
  align_local_buffers();
  kernel_main();
}

#else

#include "firmware/boot/dynamic_noc.h"

void kernel_main();
extern "C" TVP_OWN_LINES void kernel_entry() {
  count_arguments();
  if constexpr (noc_mode == DM_DYNAMIC_NOC) {
    tvp::boot::begin_dynamic_noc();
    align_local_buffers();
    kernel_main();
    tvp::boot::end_dynamic_noc();
  } else {
    noc_local_state_init(NOC_INDEX);
    align_local_buffers();
    kernel_main();
  }
}

#endif
