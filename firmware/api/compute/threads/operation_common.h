#pragma once

// The basis of all operations. Kernels that include an operation expect it too.

#include <type_traits>

#include "api/compute/cb_api.h"
#include "api/compute/compute_kernel_sentinel.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/threads/core_sync.h"
#include "api/compute/threads/thread_state.h"
