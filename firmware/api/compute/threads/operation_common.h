#pragma once

// What all operations build on, and kernels that include one expect, too.

#include <type_traits>

#include "api/compute/cb_api.h"
#include "api/compute/compute_kernel_sentinel.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/threads/core_sync.h"
#include "api/compute/threads/thread_state.h"
