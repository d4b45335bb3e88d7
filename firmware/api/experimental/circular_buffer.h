#pragma once

#include "api/dataflow/circular_buffer.h"

namespace experimental {
using ::CircularBuffer;
}  // namespace experimental
