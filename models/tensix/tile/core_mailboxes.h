#pragma once

#include <array>
#include <cstdint>

#include "models/support/mmio.h"
#include "models/support/probe.h"
#include "models/support/word_fifo.h"

namespace tvp::tensix {

/// The 16 mailboxes between B, T0, T1 and T2 (ISA BabyRISCV/Mailboxes.md).
///
/// The window has 4 KiB for each partner. A write pushes to the partner. A read at +0 pops a value
/// of the partner and blocks while there is none. A read at +4 returns whether there is one.
class CoreMailboxes : public support::MmioDevice {
 public:
  static constexpr unsigned kCores = 4;
  /// Words in each mailbox, and in all mailboxes that one core writes.
  static constexpr unsigned kDepth = 4;

  explicit CoreMailboxes(support::WatchHub& watch_hub) : watch_hub_(watch_hub) {}

  void access(support::MmioAccess& access) override;
  /// Entering soft reset discards the values that the core wrote.
  void reset_writer(unsigned core, support::Cycle now, unsigned order);

  /// Sets the probe for accesses; null: none.
  void set_probe(support::Probe* probe) { probe_ = probe; }

  /// Values waiting in the mailbox from one core to another (0 B, 1..3 T0..T2).
  unsigned size(unsigned from, unsigned to) const { return box_[from][to].size(); }

 private:
  using Fifo = support::WordFifo<kDepth>;
  void push(support::MmioAccess& access, unsigned from, unsigned to);
  void pop(support::MmioAccess& access, unsigned from, unsigned to);
  void report(const support::MmioAccess& access, unsigned from, unsigned to) const;

  support::WatchHub& watch_hub_;
  support::Probe* probe_ = nullptr;
  std::array<std::array<Fifo, kCores>, kCores> box_{};
};

}  // namespace tvp::tensix
