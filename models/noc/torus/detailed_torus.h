#pragma once

#include <array>
#include <vector>

#include "models/noc/torus/noc_router.h"
#include "models/noc/torus/torus.h"

namespace tvp::noc {

/// A torus of routers in which packets compete hop by hop for channels, buffers and links.
class DetailedTorus : public Torus {
 public:
  DetailedTorus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
                unsigned noc, support::Calendar& calendar);
  void fire(support::Cycle now, std::uint64_t token) override;
  void describe_in_flight(std::vector<std::string>& lines) const override;
  support::LevelSignal* occupancy_signal(unsigned x, unsigned y, Port port, unsigned vc) override;

 private:
  friend class NocRouter;

  /// The route of a packet in flight, indexed by ledger slot.
  struct Flight {
    std::vector<RouteLeg> legs;
    std::vector<std::array<std::uint16_t, 3>> next;  ///< legs that follow each leg
    unsigned reservations = 0;                       ///< number of attempts to reserve the path
  };
  static constexpr std::uint16_t kNoLeg = 0xFFFF;
  /// Requests of a NIU that reserve their paths, and requests linked to them.
  struct Broadcasts {
    std::vector<std::uint32_t> waiting;  ///< ledger slots
    bool reserving = false;              ///< true while the first of them reserves
    unsigned entered = 0;                ///< entered requests that have not left the NIU
    unsigned hops = 0;                   ///< hops of the last reserved path
  };

  void inject(unsigned node, Packet& packet, support::Cycle when) override;
  void consumed(unsigned node, Packet& packet, support::Cycle when) override;
  void start(Packet& packet, support::Cycle now);
  void plan(Flight& flight, const NocExtension& header);
  void admit_broadcasts(unsigned node, support::Cycle now, support::Cycle free);
  static unsigned hops_of(const Flight& flight);
  void post_reservation(std::uint32_t slot, support::Cycle when);
  void reserve_path(std::uint32_t slot, support::Cycle now);
  void enter(std::uint32_t slot, support::Cycle now);

  // Access for the routers:
  const Flight& flight(std::uint32_t slot) const { return flights_[slot]; }
  Packet& packet(std::uint32_t slot) const { return ledger_.packet(slot); }
  void post_arrival(support::Cycle when, unsigned node, Input input, unsigned vc,
                    std::uint32_t slot, unsigned leg, unsigned flits);
  void post_advance(support::Cycle when, unsigned node, Port port);
  unsigned neighbor(unsigned node, Port port) const;
  /// The router and the link that feed an input.
  unsigned upstream(unsigned node, Input input) const;
  bool niu_refuses(unsigned node) const { return refuses_[node]; }
  bool head_to_niu(unsigned node, Packet& p, support::Cycle when);
  void tail_to_niu(unsigned node, Packet& p, support::Cycle when) { deliver_tail(node, p, when); }
  /// The last `flits` flits of a packet leave from `now` on.
  void left_niu(unsigned node, Packet& p, support::Cycle now, unsigned flits);
  const NocConfig& config() const { return config_; }
  using Torus::intake;
  using Torus::request_buffer;
  void show_train(unsigned node, Port port, support::Cycle begin, unsigned flits) {
    show_busy(link_index(node, port), begin, begin + flits);
  }
  /// Flits enter (or leave) the buffer of a channel behind a link.
  void show_occupancy(unsigned node, Port port, unsigned vc, support::Cycle when, int flits) {
    if (!occupancy_.empty()) [[unlikely]]
      occupancy_[link_index(node, port) * vc::kCount + vc].add(when, flits);
  }

  std::vector<NocRouter> routers_;
  /// Index: link_index and VC; empty without a wave file.
  std::vector<support::LevelSignal> occupancy_;
  std::vector<Flight> flights_;
  std::vector<bool> refuses_;
  std::array<Broadcasts, kNodes> broadcasts_;
  std::array<std::uint32_t, kNodes> injected_{};
  std::array<std::uint32_t, kNodes> events_{};
};

}  // namespace tvp::noc
