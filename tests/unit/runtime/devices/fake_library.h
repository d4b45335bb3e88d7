#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime::test {

/// A device library of plain memory: two Wormhole chips whose BAR 0 windows reach sparse tile
/// memories. The test does the firmware's work at a clock() call.
class FakeLibrary {
 public:
  using Tile = std::pair<unsigned, std::pair<unsigned, unsigned>>;  // device, (x, y)

  FakeLibrary() { self_ = this; }
  ~FakeLibrary() { self_ = nullptr; }

  static DeviceLibrary::Functions functions() {
    DeviceLibrary::Functions f;
    f.init = [] {};
    f.exit = [] {};
    f.pci_config_rd32 = [](std::uint32_t bdf, std::uint32_t offset) {
      return self_->config(bdf, offset);
    };
    f.pci_mem_rd_bytes = [](std::uint64_t paddr, void* to, std::uint32_t bytes) {
      self_->access(paddr, static_cast<std::uint8_t*>(to), nullptr, bytes);
    };
    f.pci_mem_wr_bytes = [](std::uint64_t paddr, const void* from, std::uint32_t bytes) {
      self_->access(paddr, nullptr, static_cast<const std::uint8_t*>(from), bytes);
    };
    f.clock = [](std::uint32_t cycles) {
      self_->time_ps += cycles * std::uint64_t{1000};
      if (self_->on_clock) self_->on_clock();
    };
    f.abi_version = [] { return TENSIX_VP_ABI_VERSION; };
    f.time_ps = [] { return self_->time_ps; };
    f.status = [] { return self_->state; };
    f.last_error = [](std::uint32_t* kind, char* buffer, std::uint32_t size) {
      if (kind != nullptr) *kind = self_->error_kind;
      return copy(self_->error, buffer, size);
    };
    f.system = [](char* buffer, std::uint32_t size) { return copy(self_->system, buffer, size); };
    f.times = [](std::uint32_t period, std::uint32_t first, std::uint32_t bytes) {
      self_->times = {period, first, bytes};
    };
    f.report = [](char* buffer, std::uint32_t size) { return copy(self_->report, buffer, size); };
    return f;
  }

  std::uint8_t& byte(unsigned device, unsigned x, unsigned y, std::uint64_t address) {
    return memory_[{device, {x, y}}][address];
  }
  std::uint32_t word(unsigned device, unsigned x, unsigned y, std::uint64_t address) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
      value |= static_cast<std::uint32_t>(byte(device, x, y, address + i)) << (8 * i);
    return value;
  }
  void set_word(unsigned device, unsigned x, unsigned y, std::uint64_t address,
                std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i)
      byte(device, x, y, address + i) = static_cast<std::uint8_t>(value >> (8 * i));
  }

  std::uint64_t time_ps = 0;
  std::uint32_t state = TENSIX_VP_RUNNING;
  std::uint32_t error_kind = 0;
  std::string error;
  std::string system = R"({"name":"fake","chips":[{"id":0,"pci_device":0,"harvested_rows":544},)"
                       R"({"id":1,"pci_device":1,"harvested_rows":513}],"devices":[1,0],)"
                       R"("links":[{"a":{"chip":0,"channel":14},"b":{"chip":1,"channel":15}}]})";
  std::string report = R"({"waiting":["core (18, 18) BRISC waits for 0x1c"]})";
  std::function<void()> on_clock;
  std::vector<std::uint32_t> times;  ///< values of the last call that marks reads as times
  /// Last configuration of each window of each device.
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> windows;

 private:
  static constexpr std::uint64_t kBarStride = 0x40000000;

  static std::uint32_t copy(const std::string& text, char* buffer, std::uint32_t size) {
    if (buffer != nullptr && size != 0) {
      const std::size_t n = std::min<std::size_t>(size - 1, text.size());
      std::memcpy(buffer, text.data(), n);
      buffer[n] = 0;
    }
    return static_cast<std::uint32_t>(text.size());
  }
  std::uint32_t config(std::uint32_t bdf, std::uint32_t offset) const {
    const std::uint32_t device = bdf >> 3;
    if (device >= 2) return ~0U;
    if (offset == 0) return 0x401E1E52;
    const std::uint64_t bar = 0x100000000ULL + device * kBarStride;
    if (offset == 0x10) return static_cast<std::uint32_t>(bar) | 0xCU;
    if (offset == 0x14) return static_cast<std::uint32_t>(bar >> 32);
    return 0;
  }
  void access(std::uint64_t paddr, std::uint8_t* to, const std::uint8_t* from,
              std::uint32_t bytes) {
    const auto device = static_cast<unsigned>((paddr - 0x100000000ULL) / kBarStride);
    const std::uint64_t offset = paddr - 0x100000000ULL - device * kBarStride;
    if (offset >= 0x1FC00000 && from != nullptr && bytes == 8) {
      std::uint64_t value = 0;
      std::memcpy(&value, from, 8);
      windows[{device, static_cast<unsigned>((offset - 0x1FC00000) / 8)}] = value;
      return;
    }
    // 16 MiB windows only, as documented: 12 bits of address, then x and y of the tile.
    const auto window = static_cast<unsigned>((offset - 0x0B000000) / 0x1000000);
    const std::uint64_t configuration = windows.at({device, 166 + window});
    const std::uint64_t base = (configuration & 0xFFF) << 24 | ((offset - 0x0B000000) & 0xFFFFFF);
    const auto x = static_cast<unsigned>(configuration >> 12 & 0x3F);
    const auto y = static_cast<unsigned>(configuration >> 18 & 0x3F);
    auto& tile = memory_[{device, {x, y}}];
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (from != nullptr) {
        tile[base + i] = from[i];
      } else {
        const auto found = tile.find(base + i);
        to[i] = found == tile.end() ? std::uint8_t{0} : found->second;
      }
    }
  }

  std::map<Tile, std::map<std::uint64_t, std::uint8_t>> memory_;
  static inline FakeLibrary* self_ = nullptr;
};

}  // namespace tvp::runtime::test
