#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/ethernet/ethernet_tile.h"
#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_end.h"
#include "models/ethernet/packet_order.h"
#include "models/support/calendar_block.h"

namespace tvp::ethernet {

/// The end of a link at an ethernet tile whose link is a module of the user.
///
/// The end has line rate and framing. Latency and errors are those of the user's link. A packet of
/// the tile leaves through `out` when its transmission is decided, with its times as delays.
class ForeignLink : public sc_core::sc_module,
                    private LinkChannel,
                    private tlm::tlm_fw_transport_if<tensix_vp::EthernetTypes>,
                    private tlm::tlm_bw_transport_if<tensix_vp::EthernetTypes> {
 public:
  using Packet = tensix_vp::EthernetPacket;
  using Phase = tensix_vp::EthernetPhase;

  ForeignLink(const sc_core::sc_module_name& name, std::uint16_t link_number, unsigned index,
              const EthernetConfig& config, EthernetTile& tile, support::CalendarBlock& block);

  tlm::tlm_initiator_socket<32, tensix_vp::EthernetTypes> out;
  tlm::tlm_target_socket<32, tensix_vp::EthernetTypes> in;

  /// Adds a line for each queue whose packets the other end has not acknowledged.
  void describe_open(std::vector<std::string>& lines) const;

 private:
  // LinkChannel
  void send(const LinkMessage& message) override;
  // Packets of the user's link
  tlm::tlm_sync_enum nb_transport_fw(Packet& packet, Phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(Packet& packet, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Packet&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Packet&) override { return 0; }
  // The user's link has no reason to call these.
  tlm::tlm_sync_enum nb_transport_bw(Packet& packet, Phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void call(Phase phase, const sc_core::sc_time& at);
  void receive(const Packet& packet, const sc_core::sc_time& at);
  /// Names the wrong field of a packet; null if all are right.
  static const char* defect_of(const Packet& packet);
  void refuse(const sc_core::sc_object& socket, const std::string& what) const;

  LinkEnd end_;
  const EthernetTile& tile_;
  support::CalendarBlock& block_;
  Packet packet_;        ///< the one that leaves
  LinkMessage arrival_;  ///< the message that comes; its sequence number is that of the next one
  PacketOrder order_;    ///< at `in`
};

}  // namespace tvp::ethernet
