#include "models/host/pcie_bars.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tvp::host {

namespace {

constexpr unsigned kAddressBits = 36;

[[noreturn]] void bad_access(const std::string& where, std::uint64_t offset, const char* why,
                             unsigned bar = 0) {
  char text[96];
  std::snprintf(text, sizeof text, "host access at BAR %u offset 0x%llX: %s", bar,
                static_cast<unsigned long long>(offset), why);
  throw foundation::Fault(foundation::FaultKind::kDescription, where, text);
}

std::uint64_t bits(std::uint64_t value, unsigned first, unsigned count) {
  return (value >> first) & ((1ULL << count) - 1);
}

}  // namespace

bool PcieBars::window_at(std::uint64_t offset, Window& window) const {
  unsigned first = 0;
  for (const foundation::WindowGroup& group : spec_.windows) {
    const std::uint64_t number = offset >> group.size_log2;
    if (number < group.count) {
      window = {first + static_cast<unsigned>(number), offset & ((1ULL << group.size_log2) - 1),
                group.size_log2};
      return true;
    }
    offset -= std::uint64_t{group.count} << group.size_log2;
    first += group.count;
  }
  return false;
}

void PcieBars::access_bar0(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                           bool write, std::uint64_t now_ps) {
  while (bytes > 0) {
    std::uint32_t part = bytes;
    Window window{};
    if (window_at(offset, window)) {
      part = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(bytes, (1ULL << window.size_log2) - window.offset));
      access_window(window, data, part, write);
    } else if (offset >= spec_.window_registers &&
               offset + bytes <= spec_.window_registers + 8 * config_.size()) {
      access_config(offset - spec_.window_registers, data, bytes, write);
    } else {
      const AccessListener::Access access{offset, data, bytes, write};
      if (listener_ != nullptr && write) listener_->bar_accessed(0, access);
      access_arc(offset, data, bytes, write, now_ps);
      if (listener_ != nullptr && !write) listener_->bar_accessed(0, access);
    }
    offset += part;
    data += part;
    bytes -= part;
  }
}

void PcieBars::access_arc(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                          std::uint64_t now_ps) {
  if (offset >= spec_.arc_memory && offset + bytes <= spec_.arc_memory + ArcRegisters::kCsmBytes) {
    std::uint8_t* csm = arc_.csm() + (offset - spec_.arc_memory);
    std::memcpy(write ? csm : data, write ? data : csm, bytes);
  } else if (offset >= spec_.arc_registers &&
             offset + bytes <= spec_.arc_registers + ArcRegisters::kApbBytes) {
    access_apb(static_cast<std::uint32_t>(offset - spec_.arc_registers), data, bytes, write,
               now_ps);
  } else {
    bad_access(where_, offset, "nothing is there");
  }
}

void PcieBars::access_window(const Window& window, std::uint8_t* data, std::uint32_t bytes,
                             bool write) {
  const std::uint64_t config = config_[window.index];
  const unsigned n = kAddressBits - window.size_log2;
  const std::uint64_t address = (bits(config, 0, n) << window.size_log2) | window.offset;
  const auto field = [&](unsigned at) { return static_cast<unsigned>(bits(config, n + at, 6)); };
  const unsigned x_end = field(0);
  const unsigned y_end = field(6);
  const auto noc = static_cast<unsigned>(bits(config, n + 24, 1));
  if (bits(config, n + 25, 1) == 0) {
    chip_.access(noc, x_end, y_end, address, data, bytes, write);
  } else if (write) {
    chip_.multicast(noc, field(12), field(18), x_end, y_end, address, data, bytes);
  } else {
    bad_access(where_, window.offset, "read through a multicast window");
  }
}

void PcieBars::access_config(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                             bool write) {
  if ((offset & 3) != 0 || (bytes & 3) != 0) {
    bad_access(where_, spec_.window_registers + offset,
               "TLB configuration takes aligned 32-bit words");
  }
  std::uint8_t* config = reinterpret_cast<std::uint8_t*>(config_.data()) + offset;
  std::memcpy(write ? config : data, write ? data : config, bytes);
}

void PcieBars::access_apb(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                          std::uint64_t now_ps) {
  if ((offset & 3) != 0 || (bytes & 3) != 0) {
    bad_access(where_, spec_.arc_registers + offset, "APB peripherals take aligned 32-bit words");
  }
  for (std::uint32_t done = 0; done < bytes; done += 4) {
    std::uint32_t word = 0;
    if (write) {
      std::memcpy(&word, data + done, 4);
      arc_.write_apb(offset + done, word);
    } else {
      word = arc_.read_apb(offset + done, now_ps);
      std::memcpy(data + done, &word, 4);
    }
  }
}

void PcieBars::access_bar2(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                           bool write) {
  const std::uint32_t iatu_end = spec_.iatu + OutboundIatu::kRegions * OutboundIatu::kRegionBytes;
  if ((offset & 3) != 0 || bytes != 4) {
    bad_access(where_, offset, "aligned 32-bit words only", 2);
  }
  if (offset < spec_.iatu || offset >= iatu_end) {
    char text[64];
    std::snprintf(text, sizeof text, "BAR 2 offset 0x%llX (%s) is not modelled",
                  static_cast<unsigned long long>(offset),
                  offset < spec_.iatu ? "DMA engines" : "PHY");
    throw foundation::Fault(foundation::FaultKind::kUnmodelled, where_, text);
  }
  const AccessListener::Access access{offset, data, bytes, write};
  if (listener_ != nullptr && write) listener_->bar_accessed(2, access);
  std::uint32_t word = 0;
  if (write) {
    std::memcpy(&word, data, 4);
    iatu_.write(static_cast<std::uint32_t>(offset) - spec_.iatu, word);
  } else {
    word = iatu_.read(static_cast<std::uint32_t>(offset) - spec_.iatu);
    std::memcpy(data, &word, 4);
    if (listener_ != nullptr) listener_->bar_accessed(2, access);
  }
}

}  // namespace tvp::host
