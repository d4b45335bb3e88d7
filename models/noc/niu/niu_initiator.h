#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_counters.h"
#include "models/noc/niu/niu_memory.h"
#include "models/noc/niu/niu_output.h"
#include "models/noc/niu/niu_phased_memory.h"
#include "models/noc/niu/niu_registers.h"
#include "models/noc/niu/niu_steps.h"
#include "models/support/l1_intake.h"
#include "models/support/probe.h"

namespace tvp::noc {

/// Turns commands of this tile into packets, in order, and receives the responses (ISA
/// NoC/MemoryMap.md, NoC/Counters.md).
class NiuInitiator {
 public:
  NiuInitiator(const NiuContext& context, NiuRegisters& registers, NiuCounters& counters,
               NiuSteps& steps, NiuOutput& output, NiuMemory& memory, NiuPhasedMemory& phased);

  /// Connects the arbiter that must know of reads whose data return to L1.
  void meet(support::L1Intake& intake) { intake_ = &intake; }

  /// Sets the listener for commands, responses and reads of counters.
  void set_probe(support::Probe* probe) { probe_ = probe; }

  /// Reports that a core has read the counters.
  void counter_read(unsigned index) {
    if (probe_ != nullptr && probe_->wants(support::ProbeEvent::Kind::kCounterRead))
      probe_->report({.kind = support::ProbeEvent::Kind::kCounterRead,
                      .agent = context_.master,
                      .index = index});
  }

  /// A core stored to CMD_CTRL.
  void start(unsigned index, support::BusMaster by, support::Cycle now);
  /// The first command requests a virtual channel for its next packet.
  void assign(support::Cycle now);
  /// A request channel has room again.
  void vc_freed(support::Cycle now);

  /// A response reaches the tile's memory.
  void receive(Packet& response, support::Cycle now);
  /// The memory has stored the response.
  void received(Packet& response, support::Cycle now);

  /// Number of commands that are not completely sent.
  unsigned commands() const { return queue_count_; }
  void describe_commands(std::vector<std::string>& lines) const;
  void describe_outstanding(std::vector<std::string>& lines) const;

 private:
  /// Requests with NOC_CMD_VC_LINKED, which share one destination and one virtual channel.
  struct Chain {
    bool open = false;
    std::uint32_t destination = 0;  ///< MID register
    unsigned vc = 0;
  };

  RequestInitiator& first() { return registers_.initiator(queue_[0]); }
  bool choose_vc(const RequestInitiator& r, unsigned& vc);
  bool chosen_by_chain(const RequestInitiator& r);
  unsigned least_used(const RequestInitiator& r) const;
  void continue_chain(const RequestInitiator& r, Packet& packet);
  Packet& make_request(const RequestInitiator& r, unsigned vc);
  void report_command(const RequestInitiator& r, support::Cycle now) const;
  void report_sent(const NocExtension& header, std::uint64_t from, support::Cycle now,
                   support::Cycle until) const;
  void report_answer(const NocExtension& header, support::Cycle now) const;
  support::Cycle read_source(Packet& packet, const RequestInitiator& r, support::Cycle now);
  EndpointType type_of(Node node) const {
    const Grid& grid = context_.place.grid;
    return grid.type(grid.to_noc(context_.place.noc, node));
  }
  void tell_return(const NocExtension& header);
  support::Cycle leave(const RequestInitiator& r, Packet& packet, support::Cycle now);
  void count_started(const RequestInitiator& r);
  void finish_packet(support::Cycle now);

  const NiuContext& context_;
  NiuRegisters& registers_;
  NiuCounters& counters_;
  NiuSteps& steps_;
  NiuOutput& output_;
  NiuMemory& memory_;
  NiuPhasedMemory& phased_;
  support::L1Intake* intake_ = nullptr;
  support::Probe* probe_ = nullptr;

  std::array<std::uint8_t, regs::noc::kInitiators> queue_{};  ///< order of CMD_CTRL writes
  unsigned queue_count_ = 0;
  bool waiting_for_vc_ = false;
  std::array<support::Cycle, vc::kCount> last_leave_{};
  const regs::noc::Map& map_;
  std::uint32_t vc_choices_;  ///< number of dynamic channel choices, the seed of the next one
  Chain chain_;
};

}  // namespace tvp::noc
