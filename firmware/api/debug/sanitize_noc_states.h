#pragma once
// The header of checks under the names by which kernels of command queues include it, who expect
// transactions by changed registers with it. Those of June 2025 define these names themselves.

#include "debug/sanitize.h"
#include "internal/noc_states.h"
