#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/noc/niu/niu_answers.h"
#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_counters.h"
#include "models/noc/niu/niu_initiator.h"
#include "models/noc/niu/niu_memory.h"
#include "models/noc/niu/niu_output.h"
#include "models/noc/niu/niu_phased_memory.h"
#include "models/noc/niu/niu_registers.h"
#include "models/noc/niu/niu_sockets.h"
#include "models/noc/niu/niu_steps.h"
#include "models/noc/niu/niu_target.h"
#include "models/support/agent.h"
#include "models/support/l1_intake.h"
#include "models/support/signal.h"

namespace tvp::noc {

/// NoC interface unit: registers, four request initiators, counters, and the target side that
/// serves requests of other tiles (ISA NoC/MemoryMap.md, NoC/Counters.md, NoC/Atomics.md).
///
/// As an agent of its tile, it acts only at cycles in the tile's order. The tile adds it to its
/// TileScheduler before any traffic. The class holds the sockets and the parts, and forwards events
/// to the part that they concern.
class Niu : public sc_core::sc_module, public support::Agent {
 public:
  Niu(const sc_core::sc_module_name& name, const NocConfig& config, const Place& place,
      support::Calendar& calendar, support::WatchHub& watches, foundation::FaultPolicy& faults);

  /// Registers; addresses are offsets in the NIU's 64 KiB window. Every access has 4 bytes and
  /// carries a BusAccess. transport_dbg has no side effects.
  NiuRegistersSocket regs;
  /// Socket into the tile's local 36-bit address space. b_transport carries a BusAccess (master
  /// kNoc0 or kNoc1). The tile returns `latency`: cycles until the last byte has passed its port.
  /// DRAM tiles use nb_transport instead.
  ///
  /// Payloads: plain reads and writes of 1..8192 bytes. Byte enables are TLM byte enables. An MMIO
  /// access always has 4 bytes. An atomic is a read of the aligned 16 bytes followed by a write of
  /// them in the same cycle.
  ///
  /// nb_transport (EndpointType::kDram, kPcieOrEmpty): BEGIN_REQ with a Packet; several requests
  /// may be open. The target returns TLM_COMPLETED, TLM_UPDATED with END_REQ when it has accepted
  /// the request, or TLM_ACCEPTED with END_REQ later. BEGIN_RESP follows later. All delays in both
  /// directions are relative to Calendar::now().
  NiuMemorySocket memory;
  NiuToNetworkSocket to_network;
  NiuFromNetworkSocket from_network;

  /// Connects the arbiter through which data for L1 can be delayed; without it, no data is delayed.
  void meet(support::L1Intake& intake) {
    intake_ = &intake;
    initiator_.meet(intake);
  }
  support::L1Intake* l1_intake() const { return intake_; }

  /// Sets the listener for the NIU's events; null: none.
  void set_probe(support::Probe* probe) {
    initiator_.set_probe(probe);
    target_.set_probe(probe);
  }

  void run() override;

  const Place& place() const { return context_.place; }
  std::uint32_t counter(unsigned index) const { return counters_[index]; }
  /// Register access for boot firmware and debuggers, in no time and without side effects.
  std::uint32_t peek(std::uint32_t offset) const { return registers_.peek(offset); }
  void poke(std::uint32_t offset, std::uint32_t value) { registers_.poke(offset, value); }
  /// Access to whole words from `offset` of the register window on. False if a word is outside.
  bool debug_access(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write);
  /// Coordinates as software writes them, on the NIU's own NoC.
  Node translated(Node written) const { return registers_.translated(written); }

  /// Numbers of queued and open requests.
  struct Signals {
    support::Signal commands;     ///< commands of this tile that are not completely sent
    support::Signal outstanding;  ///< requests without a response, all ids
    support::Signal serving;      ///< requests of other tiles
    std::array<support::Signal, regs::noc::kTransactionIds> outstanding_id;
  };
  Signals& signals();
  /// True if the NIU has no work in progress.
  bool idle() const;
  /// One line for each pending request, for the report of a hang.
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  void regs_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned regs_transport_dbg(tlm::tlm_generic_payload& payload);
  void write_register(std::uint32_t offset, std::uint32_t value, const support::BusAccess& bus);
  tlm::tlm_sync_enum memory_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
  tlm::tlm_sync_enum to_network_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
  tlm::tlm_sync_enum from_network_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  support::Cycle when(const sc_core::sc_time& delay) const {
    return context_.calendar.now() + to_cycles(delay);
  }

  void perform(const NiuStep& step);
  void tail_arrived(Packet& packet, support::Cycle now);
  void respond(Packet& response, support::Cycle now);
  void vc_freed(Packet& packet, support::Cycle now);

  /// Updates the signals to the state after `now`.
  void show(support::Cycle now) {
    if (signals_) [[unlikely]]
      show_queues(now);
  }
  void show_queues(support::Cycle now);

  const NiuContext context_;
  NiuCounters counters_;
  NiuRegisters registers_;
  NiuSteps steps_;
  NiuOutput output_;
  NiuAnswers answers_;
  NiuMemory memory_;
  NiuPhasedMemory phased_memory_;
  NiuInitiator initiator_;
  NiuTarget target_;
  support::L1Intake* intake_ = nullptr;
  std::unique_ptr<Signals> signals_;  ///< null without a wave file
};

}  // namespace tvp::noc
