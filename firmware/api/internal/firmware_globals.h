#pragma once
// Variables of a core's firmware in its local memory. Kernels are linked against these symbols
// (kernel_api 1.0).

#include <stdint.h>

#include "chip_numbers.h"
#include "foundation/contract/bank_tables.h"
#include "foundation/contract/mailboxes.h"
#include "internal/circular_buffer_interface.h"
#include "internal/noc_registers.h"
#include "internal/risc_attribs.h"

extern uint8_t my_x[NUM_NOCS];
extern uint8_t my_y[NUM_NOCS];
extern uint8_t my_logical_x_;
extern uint8_t my_logical_y_;
extern uint8_t my_relative_x_;
extern uint8_t my_relative_y_;

extern uint32_t* rta_l1_base;
extern uint32_t* crta_l1_base;
extern uint32_t* sem_l1_base[3];

#if !defined(COMPILE_FOR_TRISC)
extern uint32_t noc_reads_num_issued[NUM_NOCS];
extern uint32_t noc_nonposted_writes_num_issued[NUM_NOCS];
extern uint32_t noc_nonposted_writes_acked[NUM_NOCS];
extern uint32_t noc_nonposted_atomics_acked[NUM_NOCS];
extern uint32_t noc_posted_writes_num_issued[NUM_NOCS];

extern uint16_t dram_bank_to_noc_xy[NUM_NOCS][tvp::chip::kDramBanks];
extern uint16_t l1_bank_to_noc_xy[NUM_NOCS][tvp::chip::kL1Banks];
extern int32_t bank_to_dram_offset[tvp::chip::kDramBanks];
// L1 of a core is one bank, which begins where L1 does.
inline constexpr struct {
  constexpr int32_t operator[](uint32_t) const { return 0; }
} bank_to_l1_offset;
extern uint8_t
    worker_logical_col_to_virtual_col[tvp::contract::logical_names(tvp::chip::kTensixColumns)];
extern uint8_t
    worker_logical_row_to_virtual_row[tvp::contract::logical_names(tvp::chip::kTensixRows)];
#endif

#if defined(COMPILE_FOR_ERISC)
constexpr bool kOnEthernetTile = true;
#else
constexpr bool kOnEthernetTile = false;
#endif

// Index in LaunchMessage::kernel_config_base and sem_offset.
enum ProgrammableCoreType : uint8_t { TENSIX = 0, ACTIVE_ETH = 1, IDLE_ETH = 2, COUNT = 3 };
constexpr uint32_t kCoreTypeIndex = kOnEthernetTile ? 1 : 0;

FORCE_INLINE volatile tvp::contract::Mailboxes* mailboxes() {
  return reinterpret_cast<volatile tvp::contract::Mailboxes*>(
      tvp::contract::mailbox_base(kOnEthernetTile));
}
