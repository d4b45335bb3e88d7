#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/mesh/mesh_network.h"
#include "models/support/calendar_block.h"
#include "models/support/foreign_initiator.h"
#include "models/support/foreign_memory.h"

namespace tvp::mesh {

class MeshNode;

/// A request packet of a node, and its response.
struct MeshExchange {
  MeshNode* source = nullptr;
  support::ForeignInitiator::Transfer* transfer = nullptr;
  unsigned target = 0;
  std::uint32_t offset = 0;  ///< in the transfer
  std::uint32_t bytes = 0;
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  bool returns = false;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  std::vector<std::uint8_t> data;     ///< at the destination
  std::vector<std::uint8_t> enables;  ///< empty: all
};

/// Parts and parameters that the nodes of a mesh share.
struct MeshNodes {
  MeshNetwork& mesh;
  support::CalendarBlock& block;
  support::ForeignMemory::Timing timing = support::ForeignMemory::Timing::kApproximate;
  unsigned flit_bytes = 16;
  unsigned packet_bytes = 256;  ///< most data of a packet
  unsigned open_packets = 8;    ///< most packets of a node without a response, for each destination
  std::vector<MeshNode*> nodes = {};         ///< index: endpoint
  std::vector<MeshExchange> exchanges = {};  ///< index: tag of a packet
  std::vector<unsigned> free = {};           ///< indices of unused exchanges

  /// MeshPacket::flit_bytes; a packet is not longer than the largest value.
  std::uint16_t bytes_on_pins() const {
    return static_cast<std::uint16_t>(std::min(flit_bytes, 0xFFFFU));
  }
};

/// The network interface of a user's module at a router: cuts transactions into packets, and makes
/// transactions of packets that arrive.
///
/// A write travels as a header flit with its data behind it, a read as a header flit. Responses
/// likewise. Bits 35:0 of an address are the offset in the destination, bits 41:36 its x and 47:42
/// its y.
class MeshNode : public sc_core::sc_module,
                 private Endpoint,
                 private support::EventTarget,
                 private support::ForeignInitiator::Client,
                 private support::ForeignMemory::Client {
 public:
  static constexpr unsigned kXShift = 36;
  static constexpr unsigned kYShift = 42;

  /// `is_target`: has a memory.
  MeshNode(const sc_core::sc_module_name& name, MeshNodes& nodes, unsigned number, bool is_target);
  ~MeshNode() override;

  support::ForeignInitiator requests;
  support::ForeignMemory* memory() { return memory_.get(); }
  /// Adds a line for each transaction without a response.
  void describe_open(std::vector<std::string>& lines) const;

 private:
  using Transfer = support::ForeignInitiator::Transfer;

  // The module's own transactions.
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) override;
  void arrives(Transfer& transfer) override;
  unsigned debug(tlm::tlm_generic_payload& payload) override;
  unsigned target_of(const tlm::tlm_generic_payload& payload) const;

  // Packets.
  void fire(support::Cycle now, std::uint64_t token) override;
  void post(support::Cycle when, std::uint64_t token);
  void send_from(support::Cycle when);
  void send(support::Cycle now);
  void send_request(Transfer& transfer, unsigned target, support::Cycle now);
  void send_response(unsigned number, support::Cycle now);
  unsigned flits_of(std::uint32_t bytes) const;
  void complete(unsigned number, support::Cycle when);
  void deliver(const MeshPacket& packet, support::Cycle when) override;
  void injection_credit(support::Cycle when) override { send_from(when); }
  void lost(const MeshPacket& packet, const std::string& why, support::Cycle when) override;

  // The memory's answers.
  void taken(void*, const sc_core::sc_time&) override {}
  void answered(void* token, tlm::tlm_response_status status, const sc_core::sc_time& at) override;

  MeshNodes& nodes_;
  const unsigned number_;
  std::unique_ptr<support::ForeignMemory> memory_;  ///< null: the node takes no requests
  std::deque<Transfer*> waiting_;                   ///< not yet sent whole
  std::deque<unsigned> responses_;                  ///< exchanges whose response is not yet sent
  std::vector<unsigned> open_;  ///< packets without a response; index: destination
  std::uint32_t sequence_ = 0;  ///< of events
  support::Cycle sends_at_ = support::kNever;
};

}  // namespace tvp::mesh
