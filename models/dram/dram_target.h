#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/dram/dram_config.h"
#include "models/dram/memory_system.h"
#include "models/dram/storage.h"
#include "models/support/target_phases.h"

namespace tvp::dram {

/// A DRAM module as a target of the TLM-2.0 base protocol in the time of the SystemC kernel.
///
/// A transaction is cut into bursts, which go to the channels in the order of the transactions.
/// Loosely timed: without open transactions, b_transport lets the channels run ahead and annotates
/// the delay. A later call whose time lies before the channels' is served at their time.
class DramTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  /// Throws Fault(kDescription) when the settings do not fit each other.
  DramTarget(const sc_core::sc_module_name& name, const DramConfig& config);
  ~DramTarget() override;

  tlm::tlm_target_socket<> socket;

  std::uint64_t bytes() const { return storage_.bytes(); }
  const MemorySystem& memory() const { return memory_; }
  /// Direct accesses bypass the controller; they are off at the start.
  void allow_dmi(bool allowed);

  SC_HAS_PROCESS(DramTarget);

 private:
  using Payload = tlm::tlm_generic_payload;
  using Time = sc_core::sc_time;
  struct Transfer {
    Payload* payload = nullptr;
    Time arrival;
    std::uint64_t number = 0;           ///< in the order of the calls
    unsigned index = 0;                 ///< in transfers_
    sc_core::sc_event* done = nullptr;  ///< wakes a b_transport that waits
    unsigned bursts = 0;
    unsigned fed = 0;    ///< bursts in the channels' queues, or moved
    unsigned moved = 0;  ///< bursts
    MemCycle ready = 0;  ///< end of the last of those
  };
  struct Later {
    bool operator()(const Transfer* a, const Transfer* b) const {
      return a->arrival != b->arrival ? a->arrival > b->arrival : a->number > b->number;
    }
  };
  /// The bytes of a burst that a transaction is about.
  struct Part {
    std::uint64_t address;
    std::uint32_t offset;  ///< in the payload
    std::uint32_t bytes;
  };

  void b_transport(Payload& payload, Time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, Time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(Payload& payload) override;

  bool wants(Payload& payload) const;
  void serve_ahead(Payload& payload, Time& delay);
  Transfer& add(Payload& payload, const Time& arrival);
  void step();
  void schedule();
  void feed();
  bool feed_burst(Transfer& transfer);
  void collect(DramChannel& channel);
  void respond();
  void finish();
  Time next_action();
  unsigned bursts_of(const Payload& payload) const;
  Part part_of(const Payload& payload, unsigned burst) const;
  MemoryRequest request_of(const Payload& payload, unsigned burst, std::uint64_t tag,
                           unsigned& channel) const;
  Time time_of(MemCycle cycle) const;
  MemCycle cycle_at(const Time& time) const;
  MemCycle cycle_before(const Time& time) const;
  bool is_open(const Payload& payload) const;

  MemorySystem memory_;
  Storage storage_;
  const unsigned burst_bytes_;
  sc_core::sc_event due_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<unsigned> free_;
  std::priority_queue<Transfer*, std::vector<Transfer*>, Later> arriving_;
  std::deque<Transfer*> feeding_;     ///< oldest first
  std::deque<Transfer*> responding_;  ///< in the order of their last bursts
  support::TargetPhases phases_;
  Transfer* response_ = nullptr;  ///< between BEGIN_RESP and END_RESP
  std::uint64_t calls_ = 0;
  unsigned open_ = 0;  ///< transfers
  bool dmi_ = false;
};

}  // namespace tvp::dram
