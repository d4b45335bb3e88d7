// The RTL routers against the TLM ones: the same random traffic, every packet at the same cycle.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/mesh/make_mesh.h"
#include "models/rtl/rtl_router_array.h"
#include "models/support/calendar.h"

namespace tvp::rtl {
namespace {

using support::Cycle;

struct Delivery {
  std::uint64_t tag;
  Cycle when;
  bool operator==(const Delivery&) const = default;
};

class Sink : public mesh::Endpoint {
 public:
  void deliver(const mesh::MeshPacket& packet, Cycle when) override {
    got.push_back({packet.tag, when});
  }
  void lost(const mesh::MeshPacket& packet, const std::string&, Cycle when) override {
    losses.push_back({packet.tag, when});
  }
  std::vector<Delivery> got;
  std::vector<Delivery> losses;
};

/// A packet of a traffic pattern, which both networks get.
struct Offer {
  Cycle when;
  unsigned source;
  unsigned destination;
  unsigned flits;
};

std::vector<Offer> random_offers(unsigned endpoints, Cycle cycles, double load, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&](unsigned below) { return static_cast<unsigned>(generator() % below); };
  const auto packets_in_a_million = static_cast<unsigned>(load * 1e6 / 3.5);  // 3.5 flits each
  std::vector<Offer> offers;
  for (Cycle c = 1; c < cycles; ++c) {
    for (unsigned source = 0; source < endpoints; ++source) {
      const unsigned flits = 1 + random(6);
      if (random(1'000'000) >= packets_in_a_million) continue;
      const unsigned destination = (source + 1 + random(endpoints - 1)) % endpoints;
      offers.push_back({c, source, destination, flits});
    }
  }
  return offers;
}

/// A network, TLM or with RTL routers, and its deliveries.
class Network {
 public:
  Network(const std::string& name, const mesh::MeshConfig& config, bool gateway, bool rtl,
          const std::vector<unsigned>& nodes = {})
      : topology_(config.width, config.height), calendar_(mesh::lookahead(config)) {
    if (gateway) topology_.add_gateway(0, 1, mesh::Port::kWest);
    if (rtl)
      routers_ =
          std::make_unique<RtlRouterArray>(name, config, topology_, RouterSelection{nodes, ""});
    network_ = mesh::make_mesh(config, topology_, calendar_, routers_.get());
    for (unsigned e = 0; e < topology_.endpoints(); ++e) network_->connect(e, sink_);
  }

  void inject(const Offer& offer, std::uint64_t tag) {
    mesh::MeshPacket packet;
    packet.source = static_cast<std::uint16_t>(offer.source);
    packet.destination = static_cast<std::uint16_t>(offer.destination);
    packet.flits = static_cast<std::uint16_t>(offer.flits);
    packet.tag = tag;
    network_->inject(packet, offer.when);
  }
  void run_cycle(Cycle c) { calendar_.run_until(c + 1); }
  const std::vector<Delivery>& deliveries() const { return sink_.got; }
  const std::vector<Delivery>& losses() const { return sink_.losses; }
  mesh::MeshNetwork& network() { return *network_; }
  unsigned endpoints() const { return topology_.endpoints(); }
  std::uint64_t edges() const { return routers_ ? routers_->edges() : 0; }

 private:
  mesh::MeshTopology topology_;
  support::Calendar calendar_;
  std::unique_ptr<RtlRouterArray> routers_;
  std::unique_ptr<mesh::MeshNetwork> network_;
  Sink sink_;
};

struct Case {
  std::string name;
  std::string routing;
  std::string flow_control;
  unsigned width;
  unsigned height;
  double load;
  bool gateway;
  std::vector<unsigned> rtl_nodes;  ///< empty: all
  std::string faults;
};

constexpr const char* kTransient = "link:1.1.east@50+60;router:2.2@120+40";
// Faults are detected 60 cycles later, while traffic continues. The last one is detected when
// packets already avoid the first. Router (2,1) fails with all its links.
constexpr const char* kPermanent = "link:1.1.east@50;link:1.0.north@130;router:2.1@200";

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const char* flow : {"hold", "buffered"}) {
    for (const char* routing : {"xy", "yx", "west_first"}) {
      const std::string name = std::string(flow) + "_" + routing;
      list.push_back({name + "_light", routing, flow, 4, 4, 0.05, false, {}, ""});
      list.push_back({name + "_heavy", routing, flow, 4, 8, 0.4, true, {}, ""});
      list.push_back({name + "_one", routing, flow, 4, 4, 0.3, false, {5}, ""});
      list.push_back({name + "_transient", routing, flow, 4, 4, 0.2, false, {}, kTransient});
      list.push_back({name + "_broken", routing, flow, 4, 4, 0.2, true, {}, kPermanent});
      list.push_back({name + "_broken_one", routing, flow, 4, 4, 0.2, false, {5, 6}, kPermanent});
    }
    for (const char* routing : {"north_last", "negative_first", "odd_even"}) {
      const std::string name = std::string(flow) + "_" + routing;
      list.push_back({name, routing, flow, 5, 3, 0.3, true, {}, ""});
      list.push_back({name + "_broken", routing, flow, 5, 3, 0.2, false, {}, kPermanent});
    }
  }
  return list;
}

void set(mesh::MeshConfig& config, const Case& c) {
  config.width.set(std::to_string(c.width));
  config.height.set(std::to_string(c.height));
  config.routing.set(c.routing);
  config.flow_control.set(c.flow_control);
  config.injection_queue_packets.set("0");
  config.faults.set(c.faults);
  config.fault_detect_cycles.set("60");
}

TEST(RtlRouter, RefusesWhatItDoesNotHave) {
  const mesh::MeshTopology topology(4, 4);
  const auto error = [&](const char* name, auto&& change, std::vector<unsigned> nodes = {}) {
    mesh::MeshConfig config;
    change(config);
    try {
      RtlRouterArray routers(name, config, topology, {std::move(nodes), ""});
    } catch (const foundation::Fault& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_EQ(error("r0", [](auto& c) { c.routing.set("minimal_adaptive"); }),
            "mesh.routing: minimal_adaptive with mesh.router=tlm: the RTL router has no escape "
            "channel");
  EXPECT_EQ(error("r1", [](auto& c) { c.vcs.set("4"); }),
            "mesh.vcs: the RTL router has 2 virtual channels of 8 flits: expected mesh.vcs and "
            "mesh.buffer_flits to say so");
  EXPECT_EQ(error("r2", [](auto& c) { c.route_cycles.set("1"); }),
            "mesh.route_cycles: the RTL router routes ahead and allocates channels in a cycle of "
            "its own: expected mesh.route_cycles=0 and mesh.vc_allocation_cycles=1");
  EXPECT_EQ(error("r3", [](auto&) {}, {16}), "mesh.router: router 16: there are 0 to 15");
}

TEST(RtlRouter, DeliversEveryPacketInTheCycleOfTheTlmRouter) {
  constexpr Cycle kCycles = 400;
  constexpr Cycle kDrain = 4000;
  struct Pair {
    Case c;
    mesh::MeshConfig config;
    std::unique_ptr<Network> tlm, rtl;
    std::vector<Offer> offers;
  };
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const Case& c : cases()) {
    auto pair = std::make_unique<Pair>();
    pair->c = c;
    set(pair->config, c);
    pair->tlm = std::make_unique<Network>(c.name, pair->config, c.gateway, false);
    pair->rtl = std::make_unique<Network>(c.name, pair->config, c.gateway, true, c.rtl_nodes);
    pair->offers = random_offers(pair->tlm->endpoints(), kCycles, c.load, 7);
    for (std::size_t i = 0; i < pair->offers.size(); ++i) {
      pair->tlm->inject(pair->offers[i], i);
      pair->rtl->inject(pair->offers[i], i);
    }
    pairs.push_back(std::move(pair));
  }
  for (Cycle cycle = 0; cycle < kDrain; ++cycle) {
    for (const auto& pair : pairs) {
      pair->tlm->run_cycle(cycle);
      pair->rtl->run_cycle(cycle);
    }
  }
  for (const auto& pair : pairs) {
    SCOPED_TRACE(pair->c.name);
    EXPECT_GT(pair->rtl->edges(), 100u);
    const auto when_of = [&](const std::vector<Delivery>& list) {
      std::vector<Cycle> when(pair->offers.size());
      for (const Delivery& d : list) when[d.tag] = d.when;
      return when;
    };
    const std::size_t lost = pair->rtl->losses().size();
    EXPECT_EQ(pair->rtl->deliveries().size() + lost, pair->offers.size());
    EXPECT_EQ(lost > 0, pair->c.faults == kPermanent);
    pair->rtl->network().check_at_end();
    EXPECT_EQ(when_of(pair->tlm->deliveries()), when_of(pair->rtl->deliveries()));
    EXPECT_EQ(when_of(pair->tlm->losses()), when_of(pair->rtl->losses()));
    EXPECT_EQ(pair->tlm->network().statistics().retries > 0, !pair->c.faults.empty());
    EXPECT_EQ(pair->tlm->network().statistics().retries, pair->rtl->network().statistics().retries);
    EXPECT_EQ(pair->tlm->network().fault_log(), pair->rtl->network().fault_log());
    EXPECT_EQ(pair->tlm->network().statistics().total_hops,
              pair->rtl->network().statistics().total_hops);
    EXPECT_EQ(pair->tlm->network().statistics().packets_blocked,
              pair->rtl->network().statistics().packets_blocked);
  }
}

}  // namespace
}  // namespace tvp::rtl
