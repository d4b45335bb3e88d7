#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/noc/torus/make_torus.h"
#include "models/noc/torus/torus.h"
#include "tests/unit/noc/wormhole_grid.h"

namespace tvp::noc {

inline const unsigned kColumns = wormhole_grid().columns();
inline const unsigned kRows = wormhole_grid().rows();

/// The network side of a NIU only: injects packets and records arrivals.
class TrafficNode : public sc_core::sc_module {
 public:
  struct Arrival {
    std::uint32_t sequence;
    unsigned node;
    support::Cycle head;
    support::Cycle tail;
    support::Cycle injected;
  };

  TrafficNode(const sc_core::sc_module_name& name, support::Calendar& calendar, unsigned x,
              unsigned y, unsigned noc)
      : sc_module(name),
        to_network("to_network"),
        from_network("from_network"),
        calendar_(calendar),
        place_{.grid = wormhole_grid(), .noc = noc, .x = x, .y = y} {
    to_network.register_nb_transport_bw(this, &TrafficNode::vc_free);
    from_network.register_nb_transport_fw(this, &TrafficNode::arrive);
  }
  const Place& place() const { return place_; }
  support::L1Intake* l1_intake() { return intake.get(); }

  Packet& make(unsigned length) {
    Packet& packet = pool_.allocate(0);
    packet.header().kind = PacketKind::kWrite;
    packet.header().source = place_.node();
    packet.header().flits = length;
    return packet;
  }
  /// Accepts the first `count` packets that arrived while none were accepted.
  void take(unsigned count, support::Cycle when) {
    for (unsigned i = 0; i < count && !refused_.empty(); ++i) {
      Packet& packet = *refused_.front();
      refused_.erase(refused_.begin());
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = to_time(when - calendar_.now());
      from_network->nb_transport_bw(packet, phase, delay);
      packet.release();
    }
  }
  void inject(Packet& packet, support::Cycle when) {
    packet.header().injected = when;
    packet.header().sequence = sequence_++;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = to_time(when - calendar_.now());
    to_network->nb_transport_fw(packet, phase, delay);
  }

  tlm_utils::simple_initiator_socket<TrafficNode, 32, NocProtocol> to_network;
  tlm_utils::simple_target_socket<TrafficNode, 32, NocProtocol> from_network;
  std::vector<Arrival> arrivals;              ///< if `recording`
  std::vector<support::Cycle> vc_frees;       ///< if `recording`
  std::unique_ptr<support::L1Intake> intake;  ///< must be set before attach
  bool recording = true;
  support::Cycle takes_request_in = 0;  ///< after its last flit; 0: immediately
  bool taking = true;                   ///< if false, take() decides when
  std::uint64_t packets = 0;
  std::uint64_t flits = 0;
  std::uint64_t latency_sum = 0;

 private:
  tlm::tlm_sync_enum vc_free(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                             sc_core::sc_time& delay) {
    if (recording) vc_frees.push_back(calendar_.now() + to_cycles(delay));
    payload.release();
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum arrive(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                            sc_core::sc_time& delay) {
    const support::Cycle when = calendar_.now() + to_cycles(delay);
    const NocExtension& header = packet_of(payload).header();
    const bool refuses = takes_request_in > 0 && !is_response(header.kind);
    if (phase == tlm::BEGIN_REQ) {
      if (recording) {
        arrivals.push_back({header.sequence, number(header), when, 0, header.injected});
      }
      if (refuses) return tlm::TLM_ACCEPTED;
      if (!taking) {
        payload.acquire();
        refused_.push_back(&packet_of(payload));
        return tlm::TLM_ACCEPTED;
      }
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    ++packets;
    flits += header.flits;
    latency_sum += when - header.injected;
    if (refuses) {
      payload.acquire();
      tlm::tlm_phase taken = tlm::END_REQ;
      sc_core::sc_time later = delay + to_time(takes_request_in);
      from_network->nb_transport_bw(payload, taken, later);
    }
    if (!recording) return tlm::TLM_ACCEPTED;
    for (auto& arrival : arrivals) {
      if (arrival.sequence == header.sequence && arrival.node == number(header)) {
        arrival.tail = when;
      }
    }
    return tlm::TLM_ACCEPTED;
  }

  unsigned number(const NocExtension& header) const { return place_.grid.number(header.source); }

  support::Calendar& calendar_;
  Place place_;
  PacketPool pool_;
  std::uint32_t sequence_ = 0;
  std::vector<Packet*> refused_;
};

/// A torus with a node at every place, and random traffic among the first `columns` x `rows`.
class TorusBench : public support::EventTarget {
 public:
  /// With `holders`, all NIUs have L1s that these occupy.
  TorusBench(const std::string& name, const char* kind, unsigned noc = 0,
             support::L1Holders* holders = nullptr)
      : calendar(set(config, kind)) {
    torus = make_torus(name.c_str(), config, wormhole_grid(), noc, calendar);
    for (unsigned y = 0; y < kRows; ++y) {
      for (unsigned x = 0; x < kColumns; ++x) {
        const std::string node_name = name + "_" + std::to_string(x) + "_" + std::to_string(y);
        nodes.push_back(std::make_unique<TrafficNode>(node_name.c_str(), calendar, x, y, noc));
        if (holders != nullptr) {
          nodes.back()->intake = std::make_unique<support::L1Intake>();
          nodes.back()->intake->meet(*holders);
        }
        torus->attach(*nodes.back());
      }
    }
  }
  TrafficNode& at(unsigned x, unsigned y) { return *nodes[y * kColumns + x]; }

  /// Offers `load` flits per node and cycle until `end`.
  void start_traffic(double load, unsigned length, unsigned columns, unsigned rows,
                     support::Cycle end, std::uint64_t seed) {
    load_ = load;
    flits_ = length;
    columns_ = columns;
    rows_ = rows;
    end_ = end;
    random_.seed(seed);
    for (unsigned i = 0; i < columns * rows; ++i) next_packet(i, calendar.now());
  }
  void fire(support::Cycle now, std::uint64_t token) override {
    const auto i = static_cast<unsigned>(token);
    unsigned j = i;
    while (j == i) j = static_cast<unsigned>(random_() % (columns_ * rows_));
    TrafficNode& from = at(i % columns_, i / columns_);
    Packet& packet = from.make(flits_);
    NocExtension& header = packet.header();
    header.target = at(j % columns_, j / columns_).place().node();
    header.vc_class = static_cast<std::uint8_t>(random_() & 1);
    header.buddy = static_cast<std::uint8_t>(random_() >> 1 & 1);
    from.inject(packet, now + 1);
    next_packet(i, now);
  }

  std::uint64_t packets() const { return sum(&TrafficNode::packets); }
  std::uint64_t flits() const { return sum(&TrafficNode::flits); }
  double mean_latency() const {
    return static_cast<double>(sum(&TrafficNode::latency_sum)) / static_cast<double>(packets());
  }

  NocConfig config;
  support::Calendar calendar;
  std::unique_ptr<Torus> torus;
  std::vector<std::unique_ptr<TrafficNode>> nodes;

 private:
  static support::Calendar::Lookahead set(NocConfig& config, const char* kind) {
    config.torus.set(kind);
    return lookahead(config);
  }
  std::uint64_t sum(std::uint64_t TrafficNode::*member) const {
    std::uint64_t total = 0;
    for (const auto& node : nodes) total += (*node).*member;
    return total;
  }
  void next_packet(unsigned i, support::Cycle now) {
    std::geometric_distribution<support::Cycle> gap(load_ / flits_);
    const support::Cycle when = now + 1 + gap(random_);
    if (when >= end_) return;
    calendar.post(when, {.phase = 3, .block = static_cast<std::uint16_t>(i), .port = 15}, *this, i);
  }

  double load_ = 0;
  unsigned flits_ = 1;
  unsigned columns_ = 0;
  unsigned rows_ = 0;
  support::Cycle end_ = 0;
  std::mt19937_64 random_;
};

}  // namespace tvp::noc
