#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/dram/dram_channel.h"
#include "models/pim/channel_array.h"
#include "models/pim/host/host_pins.h"

namespace tvp::pim {

/// The bus time of a host program's read or write of a bank. A burst carries the same few bytes of
/// every chip of a rank, so an access to one bank also moves those of the other chips. The host
/// keeps them. Therefore the same range of the same bank of another chip costs no bus time, once
/// for each chip.
class HostAccess {
 public:
  struct Stats {
    std::uint64_t bursts = 0;
    std::uint64_t combined = 0;  ///< accesses whose bytes the host already had
  };

  explicit HostAccess(ChannelArray& channels);

  /// Times an access to the bank of `unit`; returns when its last burst is done.
  dram::MemCycle access(unsigned unit, std::uint64_t address, std::uint64_t bytes, bool write,
                        dram::MemCycle earliest);
  /// Discards the kept bytes, since programs run and may change the banks.
  void forget();

  const Stats& stats() const { return stats_; }

 private:
  struct Controller {
    Controller(const dram::Preset& preset, MemoryChannel& memory)
        : pins(memory), channel(preset, {}) {
      channel.set_pins(&pins);
    }
    HostPins pins;
    dram::DramChannel channel;
  };
  /// The last range of a bank that was moved for all chips of a rank.
  struct Lines {
    std::uint64_t first = 0;  ///< number of the first burst in the bank
    std::uint64_t count = 0;
    bool write = false;
    std::vector<bool> used;  ///< index: chip
  };

  dram::MemCycle move(Controller& controller, unsigned bank, std::uint64_t first,
                      std::uint64_t count, bool write, dram::MemCycle earliest);

  ChannelArray& memory_;
  dram::Preset preset_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<Lines> lines_;  ///< one for every bank of every rank
  Stats stats_;
};

}  // namespace tvp::pim
