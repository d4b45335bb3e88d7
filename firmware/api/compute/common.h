#pragma once

// Includes the headers that kernels expect from this one, since June 2026 also the startup.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/threads/operation_common.h"
