#pragma once
// Where the banks of interleaved buffers are, and the workers.

#include <stdint.h>

#include "firmware/contract/memory_map.h"

namespace tvp::contract {

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

}  // namespace tvp::contract
