#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/dram/bank_port.h"
#include "models/pim/pim_config.h"
#include "models/pim/unit/wram.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
#include "models/support/mmio.h"
#include "models/support/probe.h"
#include "models/support/signal.h"

namespace tvp::pim {

/// Receives the end of a descriptor.
class DmaClient {
 public:
  virtual ~DmaClient() = default;
  /// The descriptor that the client has queued with this number is done at cycle `now`.
  virtual void dma_done(unsigned number, support::Cycle now) = 0;
};

/// Moves bytes between the unit's bank and its WRAM, one descriptor after the other (registers:
/// foundation/regs/pim.h). A descriptor takes the longer of the bank's time and the transfer's
/// time, which overlap. Data to the bank is read from WRAM at the beginning of the descriptor. Data
/// from the bank is in WRAM at its end.
class DmaEngine : public support::Agent, public support::MmioDevice, public support::EventTarget {
 public:
  struct Stats {
    std::uint64_t descriptors = 0;
    std::uint64_t bytes_read = 0;     ///< bank to WRAM
    std::uint64_t bytes_written = 0;  ///< WRAM to bank
    support::Cycle busy_cycles = 0;
  };

  DmaEngine(std::string where, unsigned unit, const PimConfig& config, dram::BankPort& bank,
            Wram& wram, support::Calendar& calendar, unsigned calendar_index,
            support::WatchHub& watch_hub, foundation::FaultPolicy& faults);

  /// Sets the listener for descriptors; null: none.
  void set_probe(const support::Probe* probe) { probe_ = probe; }
  /// Resets the counters as after power-on. The engine must be idle.
  void reset();
  bool idle() const { return queue_.empty(); }

  /// Queues a descriptor for a client that waits for its end, however many are queued. `pc` is the
  /// place of its program. Raises a fault and queues nothing if the transfer is impossible.
  bool move(std::uint32_t wram, std::uint32_t bank, std::uint32_t bytes, bool write,
            DmaClient& client, unsigned number, std::uint32_t pc, support::Cycle now);
  /// True if the engine reads or writes WRAM in this cycle, at which it is or which is ahead. It
  /// moves kBeatBytes at a time.
  bool uses_wram(support::Cycle cycle) const;
  static constexpr std::uint32_t kBeatBytes = 8;

  void access(support::MmioAccess& access) override;
  void run() override;
  void fire(support::Cycle now, std::uint64_t token) override;

  const Stats& stats() const { return stats_; }
  /// Descriptors that are not done.
  support::LevelSignal& depth_signal() { return depth_; }

 private:
  struct Descriptor {
    std::uint32_t wram = 0;
    std::uint32_t bank = 0;
    std::uint32_t bytes = 0;
    bool write = false;           ///< to the bank
    DmaClient* client = nullptr;  ///< null: the registers
    unsigned number = 0;          ///< the client's number of the move
    std::uint32_t pc = 0;         ///< pc at the start; 0: unknown
  };

  void raise(const std::string& text) {
    faults_.raise({foundation::FaultKind::kFirmware, where_, text});
  }
  void go(support::MmioAccess& access);
  /// The reason why a transfer is impossible; "" if it is possible.
  std::string refusal(const Descriptor& d) const;
  void queue(const Descriptor& d, support::Cycle now);
  void report(support::ProbeEvent::Kind kind, support::Cycle now) const;
  void report_read(const support::MmioAccess& access) const;
  void report_command(const Descriptor& d, support::Cycle now) const;
  void begin(support::Cycle now);
  Wram::Port port(support::Cycle now) const {
    return {.agent = support::BusMaster::kPimDma, .now = now, .order = order()};
  }

  const std::string where_;
  const unsigned unit_;
  const PimConfig& config_;
  dram::BankPort& bank_;
  Wram& wram_;
  support::Calendar& calendar_;
  const unsigned calendar_index_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  const dram::ClockRatio to_dram_;
  const dram::ClockRatio to_logic_;

  std::uint32_t wram_address_ = 0;
  std::uint32_t bank_address_ = 0;
  std::uint32_t bytes_ = 0;
  std::uint32_t issued_ = 0;
  std::uint32_t completed_ = 0;
  std::uint32_t posted_ = 0;
  support::Cycle began_ = 0;
  // The beats at WRAM of the descriptor in service.
  support::Cycle first_beat_ = support::kNever;
  support::Cycle last_beat_ = 0;
  support::Cycle beat_cycles_ = 1;
  std::deque<Descriptor> queue_;  ///< the first is in service
  std::vector<std::uint8_t> buffer_;
  const support::Probe* probe_ = nullptr;
  Stats stats_;
  support::LevelSignal depth_;
};

}  // namespace tvp::pim
