#pragma once

#include <cstdint>

#include "models/host/host_memory.h"

namespace tvp::platform {

/// Memory of the host program, accessed through its callbacks.
class DmaCallbacks : public host::HostMemory {
 public:
  using Read = void (*)(std::uint64_t, void*, std::uint32_t);
  using Write = void (*)(std::uint64_t, const void*, std::uint32_t);

  void set(Read on_read, Write on_write) {
    read_ = on_read;
    write_ = on_write;
  }
  bool available() const override { return read_ != nullptr && write_ != nullptr; }
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) override {
    read_(address, data, bytes);
  }
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) override {
    write_(address, data, bytes);
  }

 private:
  Read read_ = nullptr;
  Write write_ = nullptr;
};

}  // namespace tvp::platform
