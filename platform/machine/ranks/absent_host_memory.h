#pragma once

#include "foundation/fault.h"
#include "models/host/host_memory.h"

namespace tvp::platform {

/// The host's memory for chips of other ranks than 0, which cannot reach it.
class AbsentHostMemory : public host::HostMemory {
 public:
  bool available() const override { return true; }
  void read(std::uint64_t, std::uint8_t*, std::uint32_t) override { refuse(); }
  void write(std::uint64_t, const std::uint8_t*, std::uint32_t) override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw foundation::Fault(foundation::FaultKind::kDescription, "mpi",
                            "a chip accesses memory of the host, which chips of rank 0 reach "
                            "only: expected the chip at rank 0 (mpi.placement)");
  }
};

}  // namespace tvp::platform
