#pragma once
// The header of checks under the names in kernels of command queues, which also expect transactions
// by changed registers from it. Kernels of June 2025 define these names themselves.

#include "debug/sanitize.h"
#include "internal/noc_states.h"
