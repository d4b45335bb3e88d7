#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "foundation/fault.h"
#include "models/noc/noc_config.h"
#include "models/noc/noc_protocol.h"
#include "models/noc/request_initiator.h"
#include "models/support/agent.h"
#include "models/support/bus_access.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"
#include "models/support/watch.h"

namespace tvp::noc {

/// NoC interface unit: registers, four request initiators, counters, and the target side that
/// serves requests of other tiles (ISA NoC/MemoryMap.md, NoC/Counters.md, NoC/Atomics.md).
///
/// An agent of its tile: everything that it does, it does at a cycle of the tile's order. The tile
/// adds it to its TileScheduler before any traffic.
class Niu : public sc_core::sc_module, public support::Agent {
 public:
  Niu(const sc_core::sc_module_name& name, const NocConfig& config, const Place& place,
      support::Calendar& calendar, support::WatchHub& watches, foundation::FaultPolicy& faults);
  ~Niu() override;

  /// Registers; addresses are offsets into the NIU's 64 KiB window. Every access is 4 bytes and
  /// carries a BusAccess. transport_dbg reads and writes without any side effect.
  tlm_utils::simple_target_socket<Niu> regs;
  /// Into the tile's local 36-bit address space. b_transport with a BusAccess (master kNoc0 or
  /// kNoc1); the tile answers `latency`: cycles until the last byte has passed its port. A DRAM
  /// tile is asked with nb_transport instead, see below.
  ///
  /// Payloads: plain reads and writes of 1..8192 bytes. Byte enables are TLM byte enables. An MMIO
  /// access is always 4 bytes. Atomics are a read of the aligned 16 bytes followed by a write of
  /// them at the same cycle.
  ///
  /// nb_transport (EndpointType::kDram, kPcieOrEmpty): BEGIN_REQ with a Packet; several requests
  /// may be open. The target answers TLM_COMPLETED; or TLM_UPDATED with END_REQ when it has taken
  /// the request, and BEGIN_RESP later; or TLM_ACCEPTED, END_REQ later, BEGIN_RESP later. All
  /// delays, there and back, are relative to Calendar::now().
  tlm_utils::simple_initiator_socket<Niu> memory;
  tlm_utils::simple_initiator_socket<Niu, 32, NocProtocol> to_network;
  tlm_utils::simple_target_socket<Niu, 32, NocProtocol> from_network;

  void run() override;

  const Place& place() const { return place_; }
  std::uint32_t counter(unsigned index) const { return counters_[index]; }
  /// Register access of boot firmware and debuggers: no time, no side effect.
  std::uint32_t peek(std::uint32_t offset) const;
  void poke(std::uint32_t offset, std::uint32_t value);

  struct Stats {
    std::uint64_t packets_sent = 0;
    std::uint64_t packets_received = 0;
    std::uint64_t bytes_sent = 0;  ///< data of the packets
    std::uint64_t bytes_received = 0;
    std::uint64_t vc_wait_cycles = 0;  ///< commands waiting for a virtual channel
  };
  const Stats& stats() const { return stats_; }
  /// Depths of what is queued or open.
  struct Signals {
    support::Signal commands;     ///< of this tile, not yet all sent
    support::Signal outstanding;  ///< requests without their answers, all ids
    support::Signal serving;      ///< requests of other tiles
    std::array<support::Signal, regs::noc::kTransactionIds> outstanding_id;
  };
  Signals& signals();
  /// True when nothing is under way in the NIU.
  bool idle() const {
    return steps_.empty() && queue_count_ == 0 && requests_open_ == 0 && waiting_responses_.empty();
  }
  /// One line for each thing that is under way, for the report of a hang.
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  enum class StepKind : std::uint8_t {
    kAssign,      ///< the command at the front of the queue asks for a virtual channel
    kLeave,       ///< a request's header leaves
    kSourceRead,  ///< the bytes of a write have all been read
    kHead,        ///< a header arrives
    kTail,        ///< a last flit arrives
    kServe,       ///< a request reaches the tile's memory
    kServed,      ///< the memory has done it
    kRespond,     ///< an answer asks for a virtual channel
    kReceive,     ///< a response reaches the tile's memory
    kReceived,    ///< the memory has taken it
    kVcFree,      ///< END_REQ of a packet of ours
  };
  struct Step {
    support::Cycle when;
    std::uint64_t order;  ///< arrivals first, then own steps, each in their order of creation
    Packet* packet;
    StepKind kind;
    std::uint8_t argument;
  };
  static bool later(const Step& a, const Step& b) {
    return a.when != b.when ? a.when > b.when : a.order > b.order;
  }

  // Registers.
  void regs_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned regs_transport_dbg(tlm::tlm_generic_payload& payload);
  bool read_register(std::uint32_t offset, std::uint32_t& value) const;
  bool write_register(std::uint32_t offset, std::uint32_t value, support::Cycle now,
                      unsigned order);
  std::uint32_t* initiator_register(std::uint32_t offset);
  std::uint32_t node_id() const;
  std::uint32_t endpoint_id() const;

  // Network side.
  tlm::tlm_sync_enum from_network_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum to_network_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
  tlm::tlm_sync_enum memory_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);

  // Request initiators.
  void start_command(unsigned initiator, support::Cycle now);
  void translate_coordinates(RequestInitiator& r) const;
  void check_command(const RequestInitiator& r);
  void check_alignment(const RequestInitiator& r) const;
  void assign(support::Cycle now);
  bool choose_vc(const RequestInitiator& r, unsigned& vc_class, unsigned& buddy);
  void continue_chain(const RequestInitiator& r, Packet& packet);
  Packet& make_request(const RequestInitiator& r);
  support::Cycle read_source(Packet& packet, const RequestInitiator& r, support::Cycle now);
  void count_started(const RequestInitiator& r, const Packet& packet);
  void finish_packet(RequestInitiator& r, support::Cycle now);
  void inject(Packet& packet, support::Cycle when);
  void vc_freed(Packet& packet, support::Cycle now);

  // Target side.
  void head_arrived(const Packet& packet);
  void tail_arrived(Packet& packet, support::Cycle now);
  void serve(Packet& packet, support::Cycle now);
  void serve_read(Packet& packet, support::Cycle now);
  void serve_write(Packet& packet, support::Cycle now);
  void serve_inline_write(Packet& packet, support::Cycle now);
  void serve_atomic(Packet& packet, support::Cycle now);
  void served(Packet& packet, support::Cycle now);
  void write_committed(const NocExtension& header, support::Cycle now);
  static unsigned input_vc(const NocExtension& header);
  std::uint64_t read_for_answer(std::uint32_t flits, support::Cycle now);
  void answer_read(Packet& request, support::Cycle now, std::uint64_t latency);
  void receive(Packet& packet, support::Cycle now);
  void received(Packet& packet, support::Cycle now);
  void respond(Packet& response, support::Cycle now);
  Packet& make_response(const Packet& request, PacketKind kind, std::uint32_t bytes) const;
  void release_input(Packet& packet, support::Cycle now);
  bool takes_broadcasts() const;

  // The tile's memory.
  std::uint32_t access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                       std::uint32_t bytes, support::Cycle now, std::uint8_t* enables = nullptr);
  void ask_with_phases(Packet& packet, tlm::tlm_command command, std::uint64_t address,
                       support::Cycle now);
  void memory_taken(Packet& packet, support::Cycle when);
  void memory_done(Packet& packet, support::Cycle when);
  bool is_mmio(std::uint64_t address) const { return is_mmio(place_.type, address); }
  static bool is_mmio(EndpointType type, std::uint64_t address) {
    return has_l1(type) && address >= regs::noc::kFirstMmioAddress;
  }
  bool asks_with_phases() const {
    return place_.type == EndpointType::kDram || place_.type == EndpointType::kPcieOrEmpty;
  }

  // Steps.
  void at(support::Cycle when, StepKind kind, Packet* packet, unsigned argument = 0);
  void at_arrival(support::Cycle when, StepKind kind, Packet* packet);
  void push(const Step& step);
  void perform(const Step& step);

  void count(unsigned index, std::uint32_t amount = 1) { counters_[index] += amount; }
  /// The counters per transaction id have 8 bits and wrap silently.
  void count_id(unsigned first, unsigned id, int amount) {
    std::uint32_t& counter = counters_[first + id];
    counter = (counter + static_cast<std::uint32_t>(amount)) & 0xFF;
  }
  /// Shows the queues as they are after `now`.
  void show(support::Cycle now) {
    if (signals_) [[unlikely]]
      show_queues(now);
  }
  void show_queues(support::Cycle now);
  void changed(support::Cycle now) { watches_.changed(watch_, now, order()); }
  void fault(const std::string& text) const;
  [[noreturn]] void unmodelled(const std::string& text) const;

  const NocConfig& config_;
  const Place place_;
  const Node node_;
  support::Calendar& calendar_;
  support::WatchHub& watches_;
  foundation::FaultPolicy& faults_;
  const support::Watch watch_;
  const support::BusMaster master_;

  std::array<RequestInitiator, regs::noc::kInitiators> initiators_;
  std::array<std::uint8_t, regs::noc::kInitiators> queue_{};  ///< order of CMD_CTRL writes
  unsigned queue_count_ = 0;
  std::array<std::uint32_t, regs::noc::kCounters> counters_{};
  std::array<std::uint32_t, 15> config_words_{};  ///< NIU_CFG_0 .. NOC_ID_LOGICAL

  std::array<std::uint8_t, vc::kCount> vc_used_{};  ///< packets of ours on each first-hop VC
  std::array<support::Cycle, vc::kCount> vc_last_leave_{};
  std::uint32_t vc_choices_;             ///< dynamic choices of channels, as a random seed
  bool chain_open_ = false;              ///< a linked request waits for its successor
  std::uint32_t chain_destination_ = 0;  ///< MID register of the linked requests
  unsigned chain_vc_ = 0;
  bool waiting_for_vc_ = false;
  std::vector<Packet*> waiting_responses_;  ///< for a VC, in order

  /// Requests of one input VC that wait for an earlier write to be committed.
  struct InputVc {
    unsigned writes_open = 0;
    std::vector<Packet*> held;
  };
  std::array<InputVc, vc::kCount> inputs_;

  support::Cycle asking_since_ = support::kNever;  ///< cycle of a call of nb_transport_fw to memory

  std::vector<Step> steps_;
  std::uint32_t arrivals_ = 0;
  std::uint32_t own_steps_ = 0;
  std::uint32_t packets_made_ = 0;
  std::uint32_t requests_open_ = 0;                ///< taken from the network and not yet done
  static constexpr unsigned kAnswerTickBits = 10;  ///< ticks of a cycle
  std::uint64_t answers_read_ = 0;  ///< ticks, when L1 has given what was asked for so far
  mutable PacketPool pool_;
  Stats stats_;
  std::unique_ptr<Signals> signals_;  ///< null while nobody watches
  tlm::tlm_generic_payload payload_;  ///< for accesses to the tile's memory
  support::BusAccess access_;
};

}  // namespace tvp::noc
