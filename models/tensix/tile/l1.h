#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "models/support/watch.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix {

/// The scratchpad of a tile: bytes, and when its access ports are busy (ISA TensixTile/L1.md).
///
/// Each port moves one aligned 16 B word a cycle; a narrow write or an atomic holds it for five.
/// Clients that share a port are served in the order in which they ask.
class L1 : public L1Port {
 public:
  static constexpr unsigned kPorts = 16;
  static constexpr unsigned kWordBytes = 16;
  static constexpr support::Cycle kReadModifyWriteCycles = 5;

  L1(std::uint32_t size_bytes, support::WatchHub& watch_hub);

  std::uint32_t size_bytes() const override { return size_bytes_; }
  std::uint8_t* bytes() override { return bytes_.get(); }
  support::Cycle reserve(L1Client client, std::uint32_t address, std::uint32_t bytes, bool write,
                         unsigned beats_per_cycle, support::Cycle now) override;
  void written(std::uint32_t address, std::uint32_t bytes, support::Cycle now,
               unsigned order) override {
    watch_hub_.l1_written(address, bytes, now, order);
  }

  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address <= size_bytes_ && bytes <= size_bytes_ - address;
  }

  /// 16 B words that passed port `port` so far.
  std::uint64_t words_moved(unsigned port) const { return words_moved_[port]; }

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };

  std::uint32_t size_bytes_;
  /// From calloc, so that the host gives pages only to what is used.
  std::unique_ptr<std::uint8_t[], Free> bytes_;
  support::WatchHub& watch_hub_;
  std::array<support::Cycle, kPorts> free_{};
  std::array<std::uint64_t, kPorts> words_moved_{};
};

}  // namespace tvp::tensix
