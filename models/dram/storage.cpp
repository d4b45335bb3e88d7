#include "models/dram/storage.h"

#include <algorithm>
#include <cstring>

namespace tvp::dram {

void Storage::read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const {
  while (bytes > 0) {
    const std::uint64_t offset = address % kPageBytes;
    const std::uint64_t part = std::min(bytes, kPageBytes - offset);
    const auto& page = pages_[address / kPageBytes];
    if (page) {
      std::memcpy(data, page->data() + offset, part);
    } else {
      std::memset(data, 0, part);
    }
    address += part;
    data += part;
    bytes -= part;
  }
}

std::uint8_t* Storage::page(std::uint64_t address) {
  auto& page = pages_[address / kPageBytes];
  if (!page) {
    page = std::make_unique<Page>();
    page->fill(0);
    ++in_use_;
  }
  return page->data();
}

void Storage::write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes) {
  while (bytes > 0) {
    const std::uint64_t offset = address % kPageBytes;
    const std::uint64_t part = std::min(bytes, kPageBytes - offset);
    std::memcpy(page(address) + offset, data, part);
    address += part;
    data += part;
    bytes -= part;
  }
}

}  // namespace tvp::dram
