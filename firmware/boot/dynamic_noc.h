#pragma once
// Code before and after kernels in dynamic NoC mode. Before them, BRISC sets the counters that both
// cores share, and NCRISC waits for it, or does it if BRISC has no kernel. After them, BRISC
// restores its initiator for dedicated mode. Kernels in dedicated mode have none of this.

#include "internal/noc_nonblocking_api.h"

namespace tvp::boot {

constexpr uint32_t kReady = 0x52454459;

inline volatile uint32_t& counters_ready() {
  return *reinterpret_cast<volatile uint32_t*>(contract::kDynamicNocReady);
}
inline bool has_kernel(contract::Processor processor) {
  volatile contract::Mailboxes* box = mailboxes();
  const uint32_t launch = box->launch_msg_rd_ptr & (contract::kLaunchMessages - 1);
  return (box->launch[launch].enables >> processor & 1) != 0;
}

inline void begin_dynamic_noc() {
  if constexpr (noc::kCore == 0) {
    dynamic_noc_local_state_init();
    if (has_kernel(contract::kNcrisc)) counters_ready() = kReady;
  } else if (has_kernel(contract::kBrisc)) {
    while (counters_ready() != kReady) {
    }
    counters_ready() = 0;
  } else {
    dynamic_noc_local_state_init();
  }
}

// Reads of dedicated mode need the control word of the initiator that BRISC also used for atomics.
// NCRISC does not use that initiator.
inline void end_dynamic_noc() {
  if constexpr (noc::kCore != 0) return;
  for (uint32_t noc = 0; noc < NUM_NOCS; ++noc) {
    noc_wait_cmd_buf(noc, NCRISC_RD_CMD_BUF);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_CTRL, noc_read_ctrl());
  }
}

}  // namespace tvp::boot
