#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/agent.h"
#include "models/support/signal.h"
#include "models/support/watch.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// The mover's targets besides L1, and the agents that wait for it.
class MoverClient {
 public:
  virtual ~MoverClient() = default;
  /// One word of the backend configuration window.
  virtual void mover_writes_config(unsigned word, std::uint32_t value, Cycle now) = 0;
  /// 16 bytes of NC's instruction RAM.
  virtual void mover_writes_instruction_ram(std::uint32_t offset, const std::uint8_t* data,
                                            Cycle now) = 0;
  /// Mover.IsBusy() became false.
  virtual void mover_idle(Cycle now) = 0;
};

/// The mover (ISA TensixTile/Mover.md) with the command processor of TDMA-RISC that feeds it
/// (TDMA-RISC.md). It copies and clears in units of 16 bytes.
///
/// It moves data in bursts of eight units, each at the cycle at which the burst starts.
class Mover : public support::Agent {
 public:
  static constexpr unsigned kQueueCapacity = 4;
  static constexpr unsigned kParameterCredits = 2;
  static constexpr std::uint32_t kUnitBytes = 16;
  /// Eight units copied in 11 cycles, or cleared in 8 (Mover.md, performance).
  static constexpr unsigned kBurstUnits = 8;
  static constexpr unsigned kBurstCopyCycles = 11;

  enum Direction : std::uint32_t { kClearL1 = 0, kL1ToL0 = 1, kClearL0 = 2, kL1ToL1 = 3 };

  struct Command {
    std::uint32_t word = 0;
    std::array<std::uint32_t, 4> parameters{};
    std::uint32_t base = 0;  ///< MovCmdBase of the core that wrote it
    Cycle from = 0;          ///< first cycle at which it can be executed
  };

  Mover(std::string where, L1Port& l1, MoverClient& client, support::WatchHub& watch_hub,
        foundation::FaultPolicy& faults)
      : where_(std::move(where)),
        l1_(l1),
        client_(client),
        watch_hub_(watch_hub),
        faults_(faults) {}

  void run() override;

  /// STALLWAIT condition C12 and bit 0 of the TDMA-RISC status.
  bool busy() const { return busy_; }
  support::Signal& busy_signal() { return busy_signal_; }
  /// XMOV: starts at the cycle after `now`; addresses and size in bytes. The mover must not be
  /// busy.
  void start(std::uint32_t destination, std::uint32_t source, std::uint32_t bytes,
             std::uint32_t direction, Cycle now);

  bool queue_full() const { return queued_ == kQueueCapacity; }
  unsigned queued() const { return queued_; }
  unsigned parameter_credits() const { return credits_; }
  /// A command of a core at `now`; the queue must not be full.
  void enqueue(Command command, Cycle now);

 private:
  struct Job {
    std::uint32_t destination = 0;
    std::uint32_t source = 0;
    std::uint32_t units = 0;
    bool copy = false;
    enum class Target : std::uint8_t { kL1, kConfig, kInstructionRam, kNowhere } target{};
  };

  void begin(std::uint32_t destination, std::uint32_t source, std::uint32_t bytes,
             std::uint32_t direction, Cycle first_burst);
  bool check(const Job& job, std::uint32_t bytes);
  void burst(Cycle now);
  void write_unit(std::uint32_t destination, const std::uint8_t* data, Cycle now);
  static L1Access access(std::uint32_t address, std::uint32_t bytes, Cycle now, Cycle done);
  void finish(Cycle now);
  bool head_waits() const;
  void execute_head(Cycle now);
  void move_command(const Command& command, Cycle now);
  void write_command(const Command& command, Cycle now);
  void undefined(const std::string& what);
  Cycle next_action() const;
  void wake_at(Cycle t);

  std::string where_;
  L1Port& l1_;
  MoverClient& client_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;

  bool busy_ = false;
  support::Signal busy_signal_;
  Job job_;
  Cycle job_next_ = support::kNever;  ///< next burst, or the end of the last one

  std::array<Command, kQueueCapacity> queue_{};
  unsigned first_ = 0;
  unsigned queued_ = 0;
  unsigned credits_ = kParameterCredits;
};

}  // namespace tvp::tensix::coprocessor
