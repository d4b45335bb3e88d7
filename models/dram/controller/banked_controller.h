#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/address_mapping.h"
#include "models/dram/controller/controller.h"
#include "models/dram/dram_channel.h"
#include "models/dram/dram_config.h"
#include "models/support/agent.h"

namespace tvp::dram {

/// A channel with banks, rows and refresh behind the controller interface of a chip's DRAM tile. An
/// agent of the tile: it acts at the cycle of each command. A request is cut into bursts, which go
/// to the channel in the order of the requests; bytes move burst by burst as the channel orders
/// them. A read is answered so that its last flit leaves when its last bytes are there.
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
    bool taken = false;     ///< END_REQ has been said
    bool answered = false;  ///< BEGIN_RESP too
    unsigned bursts = 0;
    unsigned fed = 0;    ///< bursts in the channel's queues, or done
    unsigned moved = 0;  ///< bursts done
    MemCycle done = 0;   ///< of the last of those
  };
  /// The bytes of a burst that a transfer is about.
  struct Part {
    std::uint64_t address;
    std::uint32_t offset;  ///< in the transfer
    std::uint32_t bytes;
  };
  static constexpr unsigned kBurstBits = 16;

  /// A place of merge_bytes that a shorter write changes, until it is merged with what is there.
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
  std::vector<unsigned> order_;  ///< transfers that have bursts to feed, oldest first
  unsigned open_ = 0;            ///< transfers
  std::vector<Merge> merges_;
  support::Cycle merge_awaited_ = support::kNever;  ///< by the oldest transfer
};

}  // namespace tvp::dram
