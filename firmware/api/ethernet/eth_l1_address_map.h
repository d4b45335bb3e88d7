#pragma once
// Addresses in the L1 of an ethernet tile under the names that kernels use.

#include <stdint.h>

#include "chip_numbers.h"
#include "foundation/contract/memory_map.h"

namespace eth_l1_mem {

struct address_map {
  static constexpr int32_t MAX_SIZE = tvp::chip::kEthernetL1Bytes;
  static constexpr int32_t FIRMWARE_BASE = tvp::contract::kEthFirmwareBase;
  static constexpr int32_t KERNEL_BASE = tvp::contract::kEthKernelTextBase;
  static constexpr int32_t ERISC_L1_UNRESERVED_BASE = tvp::contract::kEthUnreservedBase;
  static constexpr int32_t ERISC_L1_UNRESERVED_SIZE =
      tvp::contract::kEthUnreservedEnd - tvp::contract::kEthUnreservedBase;
  static constexpr int32_t MAX_L1_LOADING_ADDR = tvp::contract::kEthUnreservedEnd;
  static constexpr int32_t ERISC_MEM_MAILBOX_BASE = tvp::contract::kEthMailboxBase;
  static constexpr int32_t ERISC_L1_KERNEL_CONFIG_BASE = tvp::contract::kEthKernelConfigBase;
  static constexpr int32_t ERISC_APP_SYNC_INFO_BASE = tvp::contract::kEthChannelSyncBase;
  static constexpr int32_t ERISC_APP_SYNC_INFO_SIZE = tvp::contract::kEthChannelSyncBytes;
  static constexpr int32_t MAX_NUM_CONCURRENT_TRANSACTIONS = tvp::contract::kEthChannels;
  static constexpr int32_t LAUNCH_ERISC_APP_FLAG = tvp::contract::kEthLaunchFlag;
};

}  // namespace eth_l1_mem
