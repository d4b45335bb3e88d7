#pragma once
// Addresses at which the host stores values for kernels (kernel_api 1.0).

#include "dev_mem_map.h"

constexpr uint32_t L1_KERNEL_CONFIG_BASE = tvp::contract::kKernelConfigBase;
constexpr uint32_t L1_KERNEL_CONFIG_SIZE =
    tvp::contract::kKernelConfigEnd - tvp::contract::kKernelConfigBase;
constexpr uint32_t L1_UNRESERVED_BASE = tvp::contract::kL1UnreservedBase;
