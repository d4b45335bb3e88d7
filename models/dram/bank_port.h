#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/dram/storage.h"
#include "models/dram/timing/activation_window.h"
#include "models/dram/timing/timing.h"
#include "models/support/probe.h"

namespace tvp::dram {

/// The owner of a bank of a PIM chip: the host's memory controller over the pins, or the processor
/// beside the bank. Only the owner may access the bank.
enum class BankOwner : std::uint8_t { kHost, kProcessor };

/// One bank of a DRAM chip as seen by a DMA engine inside the chip. It opens and closes rows
/// automatically and keeps the distances of its own ACT, PRE, RD and WR. With the other banks of
/// the chip it shares the limits of activation (tRRD, tFAW) through an ActivationWindow. Data do
/// not pass the pins, so banks do not share a data bus. Refreshes of the chip are due for all its
/// banks at the same times; a bank begins when its current column command permits.
///
/// Accesses of one port come in order of `earliest`. Accesses of ports with a common
/// ActivationWindow come in the order of the calendar, since each takes its place among the
/// activations at once.
class BankPort {
 public:
  struct Stats {
    std::uint64_t reads = 0;  ///< number of accesses
    std::uint64_t writes = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t row_hits = 0;       ///< parts of accesses that found their row open,
    std::uint64_t row_misses = 0;     ///< no row open,
    std::uint64_t row_conflicts = 0;  ///< or another row open
    std::uint64_t column_commands = 0;
    std::uint64_t refreshes = 0;
    MemCycle busy_cycles = 0;  ///< from the first command of an access to its last data
  };

  /// `where` names the bank in faults ("rank0.chip3.bank5").
  BankPort(const Preset& preset, ActivationWindow& chip, std::string where,
           foundation::FaultPolicy& faults);

  /// Computes the time of an access of any length and alignment within the bank; moves no data.
  /// Returns the cycle at which the last byte is at the engine or in the bank's row buffer. Raises
  /// a fault if `by` does not own the bank or the range leaves it.
  MemCycle access(std::uint64_t address, std::uint64_t bytes, bool write, BankOwner by,
                  MemCycle earliest);

  /// The same, and moves the bytes.
  MemCycle read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes, BankOwner by,
                MemCycle earliest);
  MemCycle write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes, BankOwner by,
                 MemCycle earliest);

  BankOwner owner() const { return owner_; }
  /// Hands the bank over and closes its row. Returns the first cycle of the new owner.
  MemCycle set_owner(BankOwner owner, MemCycle earliest);

  /// Access without time, for loading and debugging, without a check of the owner. `now` is for the
  /// observer.
  void debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes,
                  support::Cycle now);
  void debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes,
                   support::Cycle now);
  const Storage& storage() const { return storage_; }
  /// Sets the observer of every access that moves bytes, and its clock; null: none.
  void observe(support::Probe::Listener* observer, const ClockRatio& to_cycles) {
    observer_ = observer;
    to_cycles_ = to_cycles;
  }
  std::uint64_t bytes() const { return storage_.bytes(); }
  const Stats& stats() const { return stats_; }
  const Timing& timing() const { return timing_; }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

  bool may_access(std::uint64_t address, std::uint64_t bytes, BankOwner by);
  void refresh_until(MemCycle now);
  void precharge(MemCycle earliest);
  void open(std::uint64_t row, MemCycle earliest);
  void report(std::uint64_t address, std::uint64_t bytes, bool write, BankOwner by, MemCycle begin,
              MemCycle done);
  void report_debug(std::uint64_t address, std::uint64_t bytes, bool write, support::Cycle now);
  MemCycle columns(std::uint64_t count, bool write, MemCycle earliest);

  const Timing& timing_;
  const unsigned row_bytes_;
  const unsigned burst_bytes_;
  ActivationWindow& chip_;
  std::string where_;
  foundation::FaultPolicy& faults_;
  Storage storage_;
  support::Probe::Listener* observer_ = nullptr;
  ClockRatio to_cycles_{Period{}, Period{}};
  BankOwner owner_ = BankOwner::kHost;

  std::uint64_t open_row_ = kNoRow;
  // Earliest legal times of the bank's next commands.
  MemCycle activate_ = 0;
  MemCycle precharge_ = 0;
  MemCycle read_ = 0;
  MemCycle write_ = 0;
  MemCycle refresh_due_;
  Stats stats_;
};

}  // namespace tvp::dram
