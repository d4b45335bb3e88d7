#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/mesh/make_mesh.h"

namespace tvp::mesh {

/// Random numbers with a seed, equal on every machine.
struct Dice {
  explicit Dice(unsigned seed) : engine(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(engine()) % limit; }
  std::mt19937 engine;
};

/// A mesh whose endpoints record their packets.
struct MeshBench {
  struct Delivery {
    MeshPacket packet;
    support::Cycle when;
  };
  struct Recorder : Endpoint {
    std::vector<Delivery>* deliveries = nullptr;
    std::vector<support::Cycle> credits;
    std::vector<Delivery> losses;
    std::vector<std::string> reasons;  ///< one per loss
    void deliver(const MeshPacket& packet, support::Cycle when) override {
      deliveries->push_back({packet, when});
    }
    void injection_credit(support::Cycle when) override { credits.push_back(when); }
    void lost(const MeshPacket& packet, const std::string& why, support::Cycle when) override {
      losses.push_back({packet, when});
      reasons.push_back(why);
    }
  };
  using Settings = std::vector<std::pair<std::string, std::string>>;

  explicit MeshBench(const Settings& settings, bool gateway = false) : calendar({1, 1}) {
    for (const auto& [name, value] : settings) set(name, value);
    MeshTopology topology(config.width, config.height);
    if (gateway) topology.add_gateway(0, 0, Port::kWest);
    recorders.resize(topology.endpoints());
    mesh = make_mesh(config, topology, calendar);
    for (unsigned i = 0; i < recorders.size(); ++i) {
      recorders[i].deliveries = &deliveries;
      mesh->connect(i, recorders[i]);
    }
  }

  void set(const std::string& name, const std::string& value) {
    for (foundation::SettingBase* setting : config.settings()) {
      if (setting->info().name == name) return setting->set(value);
    }
    throw std::out_of_range(name);
  }

  void send(unsigned from, unsigned to, unsigned flits, support::Cycle when, std::uint64_t tag = 0,
            unsigned traffic_class = 0) {
    MeshPacket packet;
    packet.traffic_class = static_cast<std::uint8_t>(traffic_class);
    packet.source = static_cast<std::uint16_t>(from);
    packet.destination = static_cast<std::uint16_t>(to);
    packet.flits = static_cast<std::uint16_t>(flits);
    packet.tag = tag;
    mesh->inject(packet, when);
  }

  /// Runs until nothing moves, or for `cycles` cycles.
  void run(support::Cycle cycles = 1'000'000) { calendar.run_until(calendar.now() + cycles); }

  MeshConfig config;
  support::Calendar calendar;
  std::vector<Recorder> recorders;
  std::vector<Delivery> deliveries;
  std::unique_ptr<MeshNetwork> mesh;
};

}  // namespace tvp::mesh
