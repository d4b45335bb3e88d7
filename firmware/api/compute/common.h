#pragma once

// What kernels that include this expect of it: the start, too, since June of 2026.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/threads/operation_common.h"
