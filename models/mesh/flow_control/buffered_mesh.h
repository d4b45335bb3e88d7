#pragma once

#include <vector>

#include "models/mesh/active_set.h"
#include "models/mesh/delay_line.h"
#include "models/mesh/external_router_set.h"
#include "models/mesh/flow_control/vc_router.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// A mesh of routers with virtual channels and credits (wormhole flow control).
class BufferedMesh : public MeshNetwork {
 public:
  /// `clock` provides external routers, or is null.
  BufferedMesh(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar,
               RouterClock* clock = nullptr);
  double zero_load_cycles(double routers, unsigned flits) const override;

 private:
  struct Arrival {
    std::uint32_t input;  ///< node * kPorts + port
    Flit flit;
  };
  struct Credit {
    std::uint32_t to;  ///< node * kPorts + port, or Target::kEndpoint | endpoint
    std::uint32_t vc;
  };
  /// Credits at the border of an external router, by port and channel.
  struct Credits {
    using OfPorts = std::array<std::array<std::uint8_t, VcRouter::kMaxVcs>, kPorts>;
    OfPorts of_outputs{};  ///< that the router has
    OfPorts owed{};        ///< that it has not returned, by input
    unsigned all_owed = 0;
  };
  /// The endpoint's end of its link into the router.
  struct Source {
    std::uint8_t vc = 0;  ///< channel of the packet that is being sent
    std::array<std::uint8_t, VcRouter::kMaxVcs> credits{};
  };

  void step(support::Cycle now) override;
  support::Cycle next_step(support::Cycle now) const override;
  void source_ready(unsigned endpoint) override { active_sources_.insert(endpoint); }
  void flush() final;
  bool packets_wait() const override { return true; }
  bool has_escape() const override { return config_.vcs > 1; }
  static std::uint8_t choose_vc(const Source& source, unsigned usable);
  void find_waits(std::vector<FlitWait>& waits) const override;
  void find_waits_of(unsigned node, std::vector<FlitWait>& waits) const;
  void add_wait(std::uint32_t packet, unsigned node, Port out, unsigned vc,
                std::vector<FlitWait>& waits) const;
  FlitWait::Why why_no_credit(unsigned node, Port in, unsigned vc) const;
  void step_source(unsigned endpoint, support::Cycle now);
  void step_routers(support::Cycle now);
  void step_router(unsigned node, support::Cycle now);
  void give_credit(unsigned node, Port port, unsigned vc);
  void receive(unsigned node, ExternalVcRouter& router, Port port, Flit flit, support::Cycle now);
  void send_of(unsigned node, support::Cycle now);
  void take_credit(unsigned node, Port out, unsigned vc);
  void send(unsigned node, const VcRouter::Outputs& outputs, support::Cycle now);

  VcRouter::Parameters parameters_{};
  std::vector<VcRouter> routers_;
  const bool fetches_;  ///< prefetches routers before their step
  ExternalRouterSet<ExternalVcRouter> external_;
  std::vector<Credits> external_credits_;  ///< index: node; empty without external routers
  std::vector<Source> sources_;
  ActiveSet active_routers_;
  ActiveSet active_sources_;
  DelayLine<Arrival> arrivals_;
  DelayLine<Credit> credits_;
  VcRouter::Outputs outputs_;  ///< outputs of the router in the current step
  std::array<std::uint8_t, kTrafficClasses> class_vcs_{};
  unsigned hop_cycles_;  ///< cycles from switch allocation to the next router
  unsigned credit_cycles_;
  unsigned injection_cycles_;
  unsigned injection_credit_cycles_;
};

}  // namespace tvp::mesh
