#include "platform/machine/dram_buffers.h"

#include <iterator>

#include "foundation/hex.h"

namespace tvp::platform {

namespace {

constexpr unsigned kNoBank = ~0U;

bool has_node(const foundation::DramChannel& channel, noc::Node noc0) {
  for (const foundation::ChipNode& endpoint : channel.endpoints)
    if (endpoint.x == noc0.x && endpoint.y == noc0.y) return true;
  return false;
}

}  // namespace

void DramBuffers::set(std::uint64_t address, const Buffer& buffer) {
  ++changes_;
  if (buffer.bank_bytes == 0) {
    buffers_.erase(address);
  } else {
    buffers_[address] = buffer;
  }
}

DramBuffers::Place DramBuffers::place_of(noc::Node noc0, std::uint64_t address) const {
  unsigned number = 0;
  for (const foundation::DramChannel& channel : spec_.dram) {
    for (const foundation::DramBank& bank : channel.banks) {
      if (has_node(channel, noc0) && address - bank.offset < bank.bytes)
        return {number, address - bank.offset};
      ++number;
    }
  }
  return {kNoBank, 0};
}

std::string DramBuffers::beyond_at(const Place& at) const {
  const std::string place =
      "address " + foundation::hex(at.address) + " of DRAM bank " + std::to_string(at.bank);
  const auto behind = buffers_.upper_bound(at.address);
  const auto found = behind == buffers_.begin() ? buffers_.end() : std::prev(behind);
  if (found == buffers_.end() || at.address - found->first >= found->second.bank_bytes)
    return place + ", where no buffer is";
  const Buffer& buffer = found->second;
  if (buffer.pages == 0) return {};
  const std::uint64_t page =
      (at.address - found->first) / buffer.page_bytes * buffer.banks + at.bank;
  if (page < buffer.pages) return {};
  return place + ", page " + std::to_string(page) + " of the buffer at " +
         foundation::hex(found->first) + ", which has " + std::to_string(buffer.pages);
}

std::string DramBuffers::beyond(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) const {
  if (buffers_.empty()) return {};
  const Place first = place_of(noc0, address);
  if (first.bank == kNoBank) return {};
  std::string text = beyond_at(first);
  if (!text.empty() || bytes < 2) return text;
  return beyond_at({first.bank, first.address + bytes - 1});
}

}  // namespace tvp::platform
