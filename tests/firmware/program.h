#pragma once

#include <cstdint>

#include "internal/circular_buffer_interface.h"

namespace tvp::test {

/// One compute source compiled for one T core, as the host runs it.
struct ThreadProgram {
  void (*run)();
  CBInterface* buffers;  ///< local memory of the core
};

/// The three images of a compute kernel.
struct ComputeProgram {
  const ThreadProgram* thread[3];
};

}  // namespace tvp::test
