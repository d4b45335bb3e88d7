#include "sw/runtime/buffers/remote_dfb_pages.h"

#include "foundation/contract/remote_dfb.h"

namespace tvp::runtime {

std::uint32_t RemoteDfbPages::counters_offset() const {
  const std::size_t bytes = (contract::kRemoteDfbWords + 2 * most_receivers_) * 4;
  return static_cast<std::uint32_t>((bytes + 15) / 16 * 16);
}

std::uint32_t RemoteDfbPages::counters_bytes() const {
  return static_cast<std::uint32_t>(most_receivers_) * 2 * contract::kRemoteCbCounterStride;
}

std::vector<std::uint32_t> RemoteDfbPages::of_sender(
    const Device& device, std::uint32_t address, const Ring& ring,
    const std::vector<CoreCoord>& receivers) const {
  return page(device, address, ring, 1, receivers.size(), 0, receivers);
}

std::vector<std::uint32_t> RemoteDfbPages::of_receiver(const Device& device, std::uint32_t address,
                                                       const Ring& ring, CoreCoord sender,
                                                       std::size_t number) const {
  return page(device, address, ring, 0, 1,
              static_cast<std::uint32_t>(number) * 2 * contract::kRemoteCbCounterStride, {sender});
}

std::vector<std::uint32_t> RemoteDfbPages::page(const Device& device, std::uint32_t address,
                                                const Ring& ring, std::uint32_t is_sender,
                                                std::size_t receivers, std::uint32_t counters,
                                                const std::vector<CoreCoord>& others) const {
  std::vector<std::uint32_t> words{is_sender,
                                   static_cast<std::uint32_t>(receivers),
                                   ring.address,
                                   ring.bytes,
                                   ring.address,
                                   ring.entry_size,
                                   address + contract::kRemoteDfbWords * 4,
                                   address + counters_offset() + counters};
  for (const CoreCoord other : others) {
    const CoreCoord noc = device.worker_core_from_logical_core(other);
    words.insert(words.end(), {noc.x, noc.y});
  }
  words.resize(bytes() / 4);
  return words;
}

}  // namespace tvp::runtime
