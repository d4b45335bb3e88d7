#pragma once
// Addresses of L1 under the names that kernels use.

#include "chip_numbers.h"
#include "foundation/contract/memory_map.h"

constexpr uint32_t MEM_L1_BASE = 0;
constexpr uint32_t MEM_L1_SIZE = tvp::chip::kTensixL1Bytes;
constexpr uint32_t MEM_MAILBOX_BASE = tvp::contract::kMailboxBase;
constexpr uint32_t MEM_MAILBOX_SIZE = tvp::contract::kMailboxSize;
constexpr uint32_t MEM_ZEROS_BASE = tvp::contract::kZerosBase;
// Type int, because kernels compare it with one.
constexpr int MEM_ZEROS_SIZE = tvp::contract::kZerosSize;
constexpr uint32_t MEM_LLK_DEBUG_BASE = tvp::contract::kLlkDebugBase;
constexpr uint32_t MEM_LLK_DEBUG_SIZE = tvp::contract::kLlkDebugSize;
constexpr uint32_t MEM_LOCAL_BASE = tvp::contract::kLocalBase;
constexpr uint32_t MEM_MAP_END = tvp::contract::kMapEnd;
// Address of tt::tt_fabric::routing_l1_info_t.
constexpr uint32_t MEM_TENSIX_ROUTING_TABLE_BASE = tvp::contract::kRoutingTableBase;
constexpr uint32_t ROUTING_TABLE_BASE = tvp::contract::kRoutingTableBase;
