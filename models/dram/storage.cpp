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

void Storage::write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes,
                    const std::uint8_t* enables) {
  while (bytes > 0) {
    const std::uint64_t offset = address % kPageBytes;
    const std::uint64_t part = std::min(bytes, kPageBytes - offset);
    auto& page = pages_[address / kPageBytes];
    if (!page) {
      page = std::make_unique<Page>();
      page->fill(0);
      ++in_use_;
    }
    if (enables == nullptr) {
      std::memcpy(page->data() + offset, data, part);
    } else {
      for (std::uint64_t i = 0; i < part; ++i) {
        if (enables[i] != 0) (*page)[offset + i] = data[i];
      }
      enables += part;
    }
    address += part;
    data += part;
    bytes -= part;
  }
}

}  // namespace tvp::dram
