#pragma once

#include <array>
#include <cstdint>

#include "models/support/mmio.h"
#include "models/support/word_fifo.h"

namespace tvp::tensix {

/// The state of the coprocessor that PCBufs and TTSync need.
class ThreadStatus {
 public:
  virtual ~ThreadStatus() = default;
  /// True if no instruction of the thread is in the coprocessor.
  virtual bool thread_idle(unsigned thread) const = 0;
  /// True if no MOP of the thread is queued or being expanded.
  virtual bool mop_expander_done(unsigned thread) const = 0;
};

/// The three FIFOs from B to the T cores (ISA BabyRISCV/PCBufs.md) and TTSync (TTSync.md).
///
/// All registers are watched as Watch::kCoprocessor, since B's read depends on both the FIFO and
/// the coprocessor.
class PcBuffers {
 public:
  static constexpr unsigned kThreads = 3;
  static constexpr unsigned kDepth = 16;

  PcBuffers(const ThreadStatus& status, support::WatchHub& watch_hub)
      : status_(status), watch_hub_(watch_hub) {}

  /// Access of B at PC_BUF_BASE of thread i.
  void access_from_b(unsigned thread, support::MmioAccess& access);
  /// Access of a T core at its own PC_BUF_BASE.
  void access_from_t(unsigned thread, support::MmioAccess& access);
  /// Access of a T core to CoprocessorDone (which = 0) or MOPExpanderDone (1): loads wait, stores
  /// only order.
  void access_sync(unsigned thread, unsigned which, support::MmioAccess& access);

  /// TRISC_PC_BUF_OVERRIDE.
  void set_override(std::uint32_t value, support::Cycle now, unsigned order);
  std::uint32_t override_bits() const { return override_; }
  /// Leaving soft reset of T core i discards its FIFO.
  void reset_reader(unsigned thread, support::Cycle now, unsigned order);

  unsigned size(unsigned thread) const { return buffers_[thread].words.size(); }

 private:
  struct Buffer {
    support::WordFifo<kDepth> words;
    bool reader_waits = false;
  };
  bool override_enabled(unsigned thread) const { return (override_ >> (thread * 10)) & 1U; }
  bool override_busy(unsigned thread) const { return (override_ >> (thread * 10 + 1)) & 1U; }
  std::uint32_t override_value(unsigned thread) const {
    return (override_ >> (thread * 10 + 2)) & 0xFFU;
  }
  void wait(support::MmioAccess& access) const;

  const ThreadStatus& status_;
  support::WatchHub& watch_hub_;
  std::array<Buffer, kThreads> buffers_{};
  std::uint32_t override_ = 0;
};

}  // namespace tvp::tensix
