#pragma once
// Definitions of the variables that a data-movement firmware keeps for its kernels. The firmware
// includes it once.

#include "chip_numbers.h"
#include "foundation/contract/bank_tables.h"
#include "internal/noc_nonblocking_api.h"

#define TVP_EXPORT [[gnu::used]]

TVP_EXPORT uint8_t my_x[NUM_NOCS];
TVP_EXPORT uint8_t my_y[NUM_NOCS];
TVP_EXPORT uint8_t my_logical_x_;
TVP_EXPORT uint8_t my_logical_y_;
TVP_EXPORT uint8_t my_relative_x_;
TVP_EXPORT uint8_t my_relative_y_;

TVP_EXPORT uint32_t noc_reads_num_issued[NUM_NOCS];
TVP_EXPORT uint32_t noc_nonposted_writes_num_issued[NUM_NOCS];
TVP_EXPORT uint32_t noc_nonposted_writes_acked[NUM_NOCS];
TVP_EXPORT uint32_t noc_nonposted_atomics_acked[NUM_NOCS];
TVP_EXPORT uint32_t noc_posted_writes_num_issued[NUM_NOCS];

TVP_EXPORT CBInterface cb_interface[NUM_CIRCULAR_BUFFERS];
TVP_EXPORT uint32_t* rta_l1_base;
TVP_EXPORT uint32_t* crta_l1_base;
TVP_EXPORT uint32_t* sem_l1_base[3];

TVP_EXPORT uint16_t dram_bank_to_noc_xy[NUM_NOCS][tvp::chip::kDramBanks];
TVP_EXPORT uint16_t l1_bank_to_noc_xy[NUM_NOCS][tvp::chip::kL1Banks];
TVP_EXPORT int32_t bank_to_dram_offset[tvp::chip::kDramBanks];
TVP_EXPORT uint8_t
    worker_logical_col_to_virtual_col[tvp::contract::logical_names(tvp::chip::kTensixColumns)];
TVP_EXPORT uint8_t
    worker_logical_row_to_virtual_row[tvp::contract::logical_names(tvp::chip::kTensixRows)];

namespace tvp::boot {

template <typename T>
inline void copy_table(T& destination, const T& source) {
  static_assert(sizeof(T) % 4 == 0);
  auto* to = reinterpret_cast<volatile uint32_t*>(&destination);
  auto* from = reinterpret_cast<const volatile uint32_t*>(&source);
  for (uint32_t i = 0; i < sizeof(T) / 4; ++i) to[i] = from[i];
}

using BankTables = contract::BankTables<chip::kDramBanks, chip::kL1Banks,
                                        contract::logical_names(chip::kTensixColumns),
                                        contract::logical_names(chip::kTensixRows)>;
constexpr contract::BankTableLayout kBankTableLayout{chip::kDramBanks, chip::kL1Banks,
                                                     contract::logical_names(chip::kTensixColumns),
                                                     contract::logical_names(chip::kTensixRows)};
static_assert(offsetof(BankTables, l1_bank_to_noc_xy) == kBankTableLayout.l1_xy(0));
static_assert(offsetof(BankTables, bank_to_dram_offset) == kBankTableLayout.dram_offsets());
static_assert(offsetof(BankTables, worker_logical_col_to_virtual_col) ==
              kBankTableLayout.columns());
static_assert(offsetof(BankTables, worker_logical_row_to_virtual_row) == kBankTableLayout.rows());
static_assert(sizeof(BankTables) == kBankTableLayout.bytes());
static_assert(sizeof(BankTables) <= contract::kMostBankTableBytes);

inline void init_bank_tables() {
  const auto& tables = *reinterpret_cast<const BankTables*>(
      kOnEthernetTile ? contract::kEthBankTableScratch : contract::kBankTableScratch);
  copy_table(dram_bank_to_noc_xy, tables.dram_bank_to_noc_xy);
  copy_table(l1_bank_to_noc_xy, tables.l1_bank_to_noc_xy);
  copy_table(bank_to_dram_offset, tables.bank_to_dram_offset);
  copy_table(worker_logical_col_to_virtual_col, tables.worker_logical_col_to_virtual_col);
  copy_table(worker_logical_row_to_virtual_row, tables.worker_logical_row_to_virtual_row);
}

inline void init_identity() {
  volatile contract::Mailboxes* box = mailboxes();
  my_logical_x_ = box->core_info.absolute_logical_x;
  my_logical_y_ = box->core_info.absolute_logical_y;
  noc_init_coordinates();
}

}  // namespace tvp::boot
