#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tlm>

#include "models/dram/storage.h"
#include "models/support/payload_rules.h"

namespace tvp::dram {

/// Moves `bytes` of a payload's data from its byte `offset` on between the payload and `address` of
/// the storage; byte enables are honored.
inline void move_bytes(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                       std::uint32_t bytes, Storage& storage, std::uint64_t address) {
  std::uint8_t* const data = payload.get_data_ptr() + offset;
  const bool write = payload.is_write();
  if (payload.get_byte_enable_ptr() == nullptr) {
    if (write) {
      storage.write(address, data, bytes);
    } else {
      storage.read(address, data, bytes);
    }
    return;
  }
  std::array<std::uint8_t, 64> part;
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t n = std::min<std::uint32_t>(bytes - done, part.size());
    storage.read(address + done, part.data(), n);
    if (write) {
      support::copy_enabled(part.data(), data + done, n, payload, offset + done);
      storage.write(address + done, part.data(), n);
    } else {
      support::copy_enabled(data + done, part.data(), n, payload, offset + done);
    }
    done += n;
  }
}

}  // namespace tvp::dram
