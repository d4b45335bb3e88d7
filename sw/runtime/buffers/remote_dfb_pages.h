#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/devices/device.h"

namespace tvp::runtime {

/// Pages of remote buffers in the L1 of cores (foundation/contract/remote_dfb.h). The address is
/// the same on all cores, so that an end finds the other's counters at the address of its own.
class RemoteDfbPages {
 public:
  RemoteDfbPages() = default;
  explicit RemoteDfbPages(std::size_t most_receivers) : most_receivers_(most_receivers) {}

  std::uint32_t bytes() const { return counters_offset() + counters_bytes(); }
  std::uint32_t counters_offset() const;
  std::uint32_t counters_bytes() const;

  struct Ring {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t entry_size = 0;  ///< 0: the first program sets it
  };
  /// An empty buffer with all credits.
  std::vector<std::uint32_t> of_sender(const Device& device, std::uint32_t address,
                                       const Ring& ring,
                                       const std::vector<CoreCoord>& receivers) const;
  std::vector<std::uint32_t> of_receiver(const Device& device, std::uint32_t address,
                                         const Ring& ring, CoreCoord sender,
                                         std::size_t number) const;

 private:
  std::vector<std::uint32_t> page(const Device& device, std::uint32_t address, const Ring& ring,
                                  std::uint32_t is_sender, std::size_t receivers,
                                  std::uint32_t counters,
                                  const std::vector<CoreCoord>& others) const;

  std::size_t most_receivers_ = 0;
};

}  // namespace tvp::runtime
