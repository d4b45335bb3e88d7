#pragma once
// Where the banks of interleaved buffers are, and the workers.

#include <stddef.h>
#include <stdint.h>

#include "foundation/contract/memory_map.h"

namespace tvp::contract {

// Number of logical columns or rows in the tables. It is at least that of the largest chip for
// which the tables were first laid out.
constexpr uint32_t logical_names(uint32_t lines) { return lines <= 12 ? 12 : (lines + 3) & ~3u; }

// The host writes this table to kBankTableScratch before the first start. It holds the coordinates
// of the banks as seen by each NoC (y << 6 | x), and the map from logical to kernel-visible worker
// coordinates. The sizes are those of a chip without harvested rows.
template <uint32_t kDramBanks, uint32_t kL1Banks, uint32_t kColumnNames, uint32_t kRowNames>
struct BankTables {
  uint16_t dram_bank_to_noc_xy[2][kDramBanks];
  uint16_t l1_bank_to_noc_xy[2][kL1Banks];
  int32_t bank_to_dram_offset[kDramBanks];
  uint8_t worker_logical_col_to_virtual_col[kColumnNames];
  uint8_t worker_logical_row_to_virtual_row[kRowNames];
};

// The same for a host that learns the sizes at run time: offsets of the tables.
struct BankTableLayout {
  uint32_t dram_banks;
  uint32_t l1_banks;
  uint32_t column_names;
  uint32_t row_names;
  constexpr uint32_t dram_xy(uint32_t noc) const { return noc * 2 * dram_banks; }
  constexpr uint32_t l1_xy(uint32_t noc) const { return dram_xy(2) + noc * 2 * l1_banks; }
  constexpr uint32_t dram_offsets() const { return l1_xy(2); }
  constexpr uint32_t columns() const { return dram_offsets() + 4 * dram_banks; }
  constexpr uint32_t rows() const { return columns() + column_names; }
  constexpr uint32_t bytes() const { return rows() + row_names; }
};

constexpr uint32_t kMostBankTableBytes = kEthKernelConfigBase - kEthBankTableScratch;
static_assert(kBankTableScratch + kMostBankTableBytes <= kL1UnreservedBase);

}  // namespace tvp::contract
