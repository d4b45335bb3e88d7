#pragma once

#include <cstdint>

#include "internal/circular_buffer_interface.h"

namespace tvp::test {

/// A compute source that is compiled for one T core and runs on the host.
struct ThreadProgram {
  void (*run)();
  CBInterface* buffers;  ///< local memory of the core
};

/// The three images of a compute kernel.
struct ComputeProgram {
  const ThreadProgram* thread[3];
};

}  // namespace tvp::test
