#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/address_mapping.h"
#include "models/dram/controller/controller.h"
#include "models/dram/dram_channel.h"
#include "models/dram/dram_config.h"
#include "models/support/agent.h"

namespace tvp::dram {

/// Connects a channel with banks, rows and refresh to the controller interface of a DRAM tile. As
/// an agent of the tile it acts at the cycle of each command. It cuts requests into bursts and
/// passes them to the channel in the order of the requests. Bytes move burst by burst in the
/// channel's order. A response leaves such that its last flit goes out when its last bytes are
/// there.
class BankedController : public Controller, public support::Agent {
 public:
  BankedController(const sc_core::sc_module_name& name, const DramConfig& config,
                   std::uint64_t bytes, support::Calendar& calendar, Period aiclk);

  support::Agent* agent() override { return this; }
  const DramChannel& channel() const { return channel_; }

  void run() override;

 protected:
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

 private:
  struct Transfer {
    tlm::tlm_generic_payload* payload = nullptr;
    support::Cycle asked = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool write = false;
    bool taken = false;     ///< END_REQ was sent
    bool answered = false;  ///< BEGIN_RESP was sent
    unsigned bursts = 0;
    unsigned fed = 0;    ///< bursts that the channel has queued or finished
    unsigned moved = 0;  ///< bursts that are finished
    MemCycle done = 0;   ///< end of the last finished burst
  };
  /// The part of a transfer that a burst covers.
  struct Part {
    std::uint64_t address;
    std::uint32_t offset;  ///< offset in the transfer
    std::uint32_t bytes;
  };
  static constexpr unsigned kBurstBits = 16;

  /// A place of merge_bytes that a shorter write changes. The entry lives until the write is merged
  /// with the old content.
  struct Merge {
    std::uint64_t place;
    support::Cycle done;
  };

  void step(support::Cycle now);
  void feed(support::Cycle now);
  bool feed_burst(unsigned index, support::Cycle now);
  support::Cycle merges_done(const Transfer& transfer) const;
  void begin_merges(const Transfer& transfer, support::Cycle now);
  support::Cycle arrival_of(const Transfer& transfer, support::Cycle now) const;
  void take(support::Cycle now, const Completion& completion);
  void move(const Transfer& transfer, unsigned burst, const Moment& moment);
  Part part_of(const Transfer& transfer, unsigned burst) const;
  bool is_partial(const Transfer& transfer, const Part& part) const;
  void say_taken(Transfer& transfer, support::Cycle now);
  void answer_alone(support::Cycle now);
  void answer(Transfer& transfer, support::Cycle now, MemCycle done);
  support::Cycle latency_of(const Transfer& transfer) const;
  void free(unsigned index);

  const DramConfig& config_;
  const Preset preset_;
  const AddressMapping mapping_;
  const unsigned burst_bytes_;
  const ClockRatio to_mem_;
  const ClockRatio to_cycles_;
  DramChannel channel_;
  std::vector<Transfer> transfers_;
  std::vector<unsigned> free_;
  std::vector<unsigned> order_;  ///< transfers with bursts left to pass on, oldest first
  unsigned open_ = 0;            ///< number of transfers in progress
  std::vector<Merge> merges_;
  support::Cycle merge_awaited_ = support::kNever;  ///< merge for which the oldest transfer waits
};

}  // namespace tvp::dram
