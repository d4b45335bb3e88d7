#pragma once

#include <cstddef>
#include <cstdint>

namespace tvp::platform {

/// Hash of the contents of memories. Pages of zeros do not count, so unused memory costs no time:
/// the operating system reports which pages exist.
class StateDigest {
 public:
  static constexpr std::size_t kPageBytes = 4096;

  StateDigest() = default;
  /// Continues the digest with this value().
  explicit StateDigest(std::uint64_t value) : state_(value) {}

  /// Adds a memory; `tag` identifies it. The order of calls matters.
  void add_memory(std::uint64_t tag, const std::uint8_t* bytes, std::size_t size);
  void add_value(std::uint64_t value) { mix(value); }
  std::uint64_t value() const { return state_; }

 private:
  void add_page(std::uint64_t address, const std::uint8_t* bytes, std::size_t size);
  void mix(std::uint64_t value) {
    state_ ^= value;
    state_ *= 0x9E3779B97F4A7C15ULL;
    state_ ^= state_ >> 29;
  }

  std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

}  // namespace tvp::platform
