#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "models/support/l1_access.h"
#include "models/support/probe.h"
#include "models/support/time.h"
#include "models/tensix/l1_client.h"

namespace tvp::tensix {

using support::L1Access;

/// Rows with gaps between them, like those of a tile in a matrix.
struct L1Rows {
  static constexpr std::uint32_t kWordBytes = 16;
  static constexpr std::uint32_t kBanks = 16;

  std::uint32_t address = 0, bytes = 0, count = 0;
  std::uint32_t stride = 0;  ///< bytes from row to row, in whole words

  /// Words of a row.
  std::uint32_t words() const {
    return (address % kWordBytes + bytes + kWordBytes - 1) / kWordBytes;
  }
  /// Number of rows that `lanes` lanes read side by side.
  std::uint32_t at_once(unsigned lanes) const {
    return std::clamp(lanes / words(), 1U, std::max(count, 1U));
  }
  /// Cycles of a turn of these lanes. A bank delivers a word in a cycle (ISA TensixTile/L1.md). So
  /// rows of 32 bytes whose distance is a multiple of 256 arrive at half the rate. Silicon does so
  /// too (tt-metal issue 21624: matrices of BF16 whose width is a multiple of four tiles).
  unsigned turn(unsigned lanes) const {
    std::array<std::uint8_t, kBanks> taken{};
    unsigned most = 1;
    for (std::uint32_t row = 0; row < at_once(lanes); ++row) {
      for (std::uint32_t i = 0; i < words(); ++i)
        most = std::max<unsigned>(most, ++taken[(row * (stride / kWordBytes) + i) % kBanks]);
    }
    return most;
  }
  support::Cycle cycles(unsigned lanes) const {
    const std::uint32_t together = at_once(lanes);
    const std::uint32_t across = (words() + lanes - 1) / lanes;
    return support::Cycle{(count + together - 1) / together} * std::max(turn(lanes), across);
  }
};

/// The interface to L1 for the units of a tile: bytes, times of the ports, and observers.
///
/// Data is read and written at the call. reserve() returns the cycle at which the last beat has
/// passed the client's port, with all earlier grants. Calls come in the tile's order of time.
class L1Port {
 public:
  virtual ~L1Port() = default;
  virtual std::uint32_t size_bytes() const = 0;
  /// Reserves the port of `client` for a transfer of [address, address + bytes), 16 B a beat and
  /// port; `beats_per_cycle` limits clients with several lanes. Returns the cycle after the last
  /// beat, at least now + 1.
  virtual support::Cycle reserve(L1Client client, std::uint32_t address, std::uint32_t bytes,
                                 bool write, unsigned beats_per_cycle, support::Cycle now) = 0;
  /// Like reserve(), for rows that are read, as many side by side as lanes and banks permit.
  virtual support::Cycle reserve_rows(L1Client client, const L1Rows& rows, unsigned lanes,
                                      support::Cycle now) = 0;
  /// Like reserve(), for words that are added to L1: `cycles` for each word on one port.
  virtual support::Cycle accumulate(L1Client client, std::uint32_t address, std::uint32_t bytes,
                                    unsigned cycles, support::Cycle now) = 0;

  void read(const L1Access& access, void* to) {
    std::memcpy(to, bytes() + access.address, access.bytes);
    was_read(access);
  }
  /// `order` is the tie order of the agent in whose step it happens.
  void write(const L1Access& access, const void* from, unsigned order) {
    std::memcpy(bytes() + access.address, from, access.bytes);
    was_written(access, order);
  }

  // For conversions in place. One of the calls below must report each access through this pointer
  // to byte 0.
  virtual std::uint8_t* bytes() = 0;
  void was_read(const L1Access& access) {
    report(support::ProbeEvent::Kind::kRead, access);
    tell_read(access);
  }
  /// Reports the read of a part of the transfer that the probe knows.
  void tell_read(const L1Access& access) {
    if (observer_ != nullptr) [[unlikely]]
      observer_->on(event_of(support::ProbeEvent::Kind::kRead, access));
  }
  void was_written(const L1Access& access, unsigned order) {
    constexpr auto kWritten = support::ProbeEvent::Kind::kWritten;
    if (probe_ != nullptr && probe_->wants(kWritten))
      report_to_probe(kWritten, access, stored(access));
    if (observer_ != nullptr) [[unlikely]]
      observer_->on(event_of(support::ProbeEvent::Kind::kWritten, access));
    written(access.address, access.bytes, access.now, order);
  }

  /// Sets the observer of every access; null: none.
  void set_observer(support::Probe::Listener* observer) { observer_ = observer; }
  bool observed() const { return observer_ != nullptr; }

  /// Sets the probe for accesses; null: none.
  void set_probe(support::Probe* probe) { probe_ = probe; }
  support::Probe* probe() const { return probe_; }
  void report(support::ProbeEvent::Kind kind, const L1Access& access) const {
    if (probe_ != nullptr && probe_->wants(kind)) report_to_probe(kind, access);
  }

 protected:
  /// Wakes agents that sleep on [address, address + bytes).
  virtual void written(std::uint32_t address, std::uint32_t bytes, support::Cycle now,
                       unsigned order) = 0;

 private:
  static support::ProbeEvent event_of(support::ProbeEvent::Kind kind, const L1Access& access) {
    return {.kind = kind,
            .agent = access.agent,
            .bytes = access.bytes,
            .instruction = access.instruction,
            .thread = access.thread,
            .address = access.address,
            .cycle = access.now,
            .done = access.done};
  }
  /// Returns the value that a core has stored there; the format of other agents.
  std::uint32_t stored(const L1Access& access) {
    std::uint32_t value = access.format;
    if (access.agent <= support::BusMaster::kE)
      std::memcpy(&value, bytes() + access.address, std::min<std::size_t>(access.bytes, 4));
    return value;
  }
  void report_to_probe(support::ProbeEvent::Kind kind, const L1Access& access,
                       std::uint32_t value = 0) const {
    support::ProbeEvent event = event_of(kind, access);
    event.pc = probe_->pc_behind(access.agent);
    event.offered = probe_->offered();
    event.value = value;
    probe_->report(event);
  }

  support::Probe::Listener* observer_ = nullptr;
  support::Probe* probe_ = nullptr;
};

}  // namespace tvp::tensix
