#pragma once
// The kernel API of the data-movement cores (BRISC, NCRISC, ERISC) with the names and semantics of
// tt-metal's, so that its kernels compile here.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dataflow/circular_buffers.h"
#include "dataflow/noc_addresses.h"
#include "dataflow/noc_transactions.h"
#include "dataflow/semaphores.h"
#include "dataflow/tensor_accessor.h"
#include "debug/dprint.h"
#include "debug/sanitize.h"
#include "dev_mem_map.h"
#include "hostdevcommon/common_runtime_address_map.h"
#include "hostdevcommon/common_values.hpp"
#include "hostdevcommon/kernel_structs.h"
#include "internal/dev_msgs.h"
#include "kernel_args.h"
#include "risc_common.h"
#include "tools/profiler/kernel_profiler.hpp"

#if defined(COMPILE_FOR_ERISC)
#include "ethernet/dataflow_api.h"
#endif

// Kernels use this type.
using uint = uint32_t;
// A template, so that kernels may define their own.
template <typename = void>
constexpr uint32_t min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}
