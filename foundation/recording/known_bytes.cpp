#include "foundation/recording/known_bytes.h"

namespace tvp::foundation {

void KnownBytes::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    Page& page = pages_[(address + i) / kPageBytes];
    const std::uint64_t at = (address + i) % kPageBytes;
    page.bytes[at] = data[i];
    page.known.set(at);
  }
}

bool KnownBytes::read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) const {
  bool all = true;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const auto page = pages_.find((address + i) / kPageBytes);
    const std::uint64_t at = (address + i) % kPageBytes;
    const bool known = page != pages_.end() && page->second.known.test(at);
    data[i] = known ? page->second.bytes[at] : std::uint8_t{0};
    all = all && known;
  }
  return all;
}

bool KnownBytes::holds(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) const {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    std::uint8_t byte = 0;
    if (!read(address + i, &byte, 1) || byte != data[i]) return false;
  }
  return true;
}

}  // namespace tvp::foundation
