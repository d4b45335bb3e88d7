#pragma once

#include "api/dataflow/circular_buffer.h"
#if !defined(COMPILE_FOR_TRISC)
#include "api/experimental/noc.h"
#endif

namespace experimental {
using ::CircularBuffer;
using ::DataflowBuffer;
#if !defined(COMPILE_FOR_TRISC)
using ::use;
#endif
}  // namespace experimental
