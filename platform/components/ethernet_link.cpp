#include "tensix_vp/systemc/ethernet_link.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "foundation/fault.h"
#include "foundation/settings_registry.h"
#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/line_errors.h"
#include "models/ethernet/packet_order.h"

namespace tensix_vp {

using sc_core::sc_time;
using tvp::ethernet::LineErrors;

/// One direction of a link, whose sockets are at different ends.
class EthernetLine : private tlm::tlm_fw_transport_if<EthernetTypes>,
                     private tlm::tlm_bw_transport_if<EthernetTypes> {
 public:
  tlm::tlm_target_socket<32, EthernetTypes> in;
  tlm::tlm_initiator_socket<32, EthernetTypes> out;
  EthernetLink::Statistics statistics;

  EthernetLine(const std::string& in_name, const std::string& out_name,
               const tvp::ethernet::EthernetConfig& config, std::uint16_t number, unsigned from)
      : in(in_name.c_str()),
        out(out_name.c_str()),
        errors_(config, number, from),
        latency_(sc_time::from_value(config.link_latency_ps.value())) {
    in.bind(*this);
    out.bind(*this);
  }

 private:
  using Fate = LineErrors::Fate;

  tlm::tlm_sync_enum nb_transport_fw(EthernetPacket& packet, EthernetPhase& phase,
                                     sc_time& delay) override {
    const bool first = phase == EthernetPhase::kFirstBit;
    if (const char* wrong = order_.check(phase, sc_core::sc_time_stamp() + delay)) {
      refuse(in, wrong);
    } else if (first) {
      begin();
      if (fate_ != Fate::kDropped) forward(packet, phase, delay);
    } else if (fate_ == Fate::kCorrupt) {
      const std::uint32_t bytes = std::min(packet.bytes, EthernetPacket::kMaxBytes);
      std::memcpy(&damaged_, &packet, offsetof(EthernetPacket, data) + bytes);
      damaged_.corrupt = true;
      forward(damaged_, phase, delay);
    } else if (fate_ == Fate::kWhole) {
      forward(packet, phase, delay);
    }
    return first ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
  }
  void b_transport(EthernetPacket& packet, sc_time& delay) override {
    for (EthernetPhase phase : {EthernetPhase::kFirstBit, EthernetPhase::kLastBit})
      nb_transport_fw(packet, phase, delay);
  }
  bool get_direct_mem_ptr(EthernetPacket&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(EthernetPacket&) override { return 0; }
  tlm::tlm_sync_enum nb_transport_bw(EthernetPacket&, EthernetPhase&, sc_time&) override {
    refuse(out, "the bound port calls nb_transport_bw, which lines do not have");
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void begin() {
    fate_ = errors_.next();
    ++statistics.packets;
    if (fate_ == Fate::kDropped) ++statistics.dropped;
    if (fate_ == Fate::kCorrupt) ++statistics.corrupted;
  }
  void forward(EthernetPacket& packet, EthernetPhase phase, const sc_time& delay) {
    sc_time later = delay + latency_;
    out->nb_transport_fw(packet, phase, later);
  }
  static void refuse(const sc_core::sc_object& socket, const std::string& what) {
    const std::string text = std::string(socket.name()) + ": " + what + " (now " +
                             sc_core::sc_time_stamp().to_string() + ")";
    SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
  }

  LineErrors errors_;
  const sc_time latency_;
  tvp::ethernet::PacketOrder order_;
  Fate fate_ = Fate::kWhole;  ///< the current packet has it
  EthernetPacket damaged_;
};

struct EthernetLink::Parts {
  tvp::ethernet::EthernetConfig config;
  std::array<std::unique_ptr<EthernetLine>, 2> lines;  ///< one for each end, which sends on it
};

EthernetLink::EthernetLink(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), parts_(std::make_unique<Parts>()) {
  try {
    tvp::foundation::SettingsRegistry registry;
    registry.add(parts_->config);
    for (const auto& [key, value] : parameters.settings) {
      static constexpr const char* kKeys[] = {"link_latency_ps", "drop_rate", "corrupt_rate",
                                              "error_seed"};
      if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
        throw std::runtime_error(std::string(this->name()) + ": \"" + key +
                                 "\": expected link_latency_ps, drop_rate, corrupt_rate or "
                                 "error_seed");
      }
      registry.set("ethernet." + key, value, this->name());
    }
  } catch (const tvp::foundation::Fault& fault) {
    throw std::runtime_error(fault.what());
  }
  for (unsigned from = 0; from < 2; ++from) {
    parts_->lines.at(from) = std::make_unique<EthernetLine>(
        "in" + std::to_string(from), "out" + std::to_string(1 - from), parts_->config,
        parameters.number, from);
  }
}

EthernetLink::~EthernetLink() = default;

EthernetPort EthernetLink::end(unsigned index) {
  return {parts_->lines.at(1 - index)->out, parts_->lines.at(index)->in};
}

EthernetLink::Statistics EthernetLink::statistics(unsigned index) const {
  return parts_->lines.at(index)->statistics;
}

}  // namespace tensix_vp
