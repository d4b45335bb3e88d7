#pragma once
// A compute core waits for its own thread of the coprocessor.

#include "api/compute/threads/thread_state.h"
#include "firmware/llk/issue.h"

namespace ckernel {

/// Waits until the coprocessor has executed all instructions of this core, or has expanded its
/// MOPs.
ALWI void tensix_sync() { llk::wait_coprocessor(); }
ALWI void mop_sync() { llk::wait_ttsync(llk::kMopExpanderDone); }

}  // namespace ckernel
