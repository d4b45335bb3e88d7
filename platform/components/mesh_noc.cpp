#include "tensix_vp/systemc/mesh_noc.h"

#include <stdexcept>

#include "foundation/fault.h"
#include "foundation/settings_registry.h"
#include "foundation/warning_sink.h"
#include "models/mesh/make_mesh.h"
#include "models/mesh/mesh_node.h"
#include "models/rtl/rtl_module.h"
#include "platform/components/foreign_timing.h"

namespace tensix_vp {

using tvp::foundation::Fault;
using tvp::foundation::FaultKind;
using tvp::mesh::MeshConfig;
using tvp::mesh::MeshNode;

namespace {

constexpr unsigned kMostFlits = 0xFFFF;  ///< limit of MeshPacket::flits

MeshConfig& configured(MeshConfig& config, const std::string& name,
                       const MeshNoc::Parameters& parameters) {
  tvp::foundation::SettingsRegistry registry;
  registry.add(config);
  registry.set("mesh.width", std::to_string(parameters.width), name);
  registry.set("mesh.height", std::to_string(parameters.height), name);
  registry.set("mesh.clock_mhz", std::to_string(parameters.clock_mhz), name);
  for (const auto& [key, value] : parameters.settings) registry.set("mesh." + key, value, name);
  const auto refuse = [](const std::string& what, const std::string& text) {
    throw Fault(FaultKind::kDescription, what, text);
  };
  if (config.flow_control.value() == "static") {
    refuse("mesh.flow_control", "static: a MeshNoc has no schedule; expected another flow control");
  }
  if (parameters.flit_bytes == 0) refuse("flit_bytes", "expected 1 or more");
  if (parameters.packet_bytes == 0 ||
      (parameters.packet_bytes - 1) / parameters.flit_bytes + 2 > kMostFlits) {
    refuse("packet_bytes", std::to_string(parameters.packet_bytes) + ": expected 1 to " +
                               std::to_string(kMostFlits - 1) + " flits");
  }
  if (parameters.open_packets == 0) refuse("open_packets", "expected 1 or more");
  for (const MeshNoc::Node& node : parameters.targets) {
    if (node.x >= config.width || node.y >= config.height) {
      refuse("targets", "node (" + std::to_string(node.x) + "," + std::to_string(node.y) +
                            ") is outside of a mesh of " + config.width.text() + " x " +
                            config.height.text());
    }
  }
  return config;
}

}  // namespace

struct MeshNoc::Parts : private tvp::foundation::WarningSink {
  MeshConfig config;
  tvp::support::Calendar calendar;
  tvp::support::CalendarBlock block;
  tvp::mesh::MeshTopology topology;
  std::unique_ptr<tvp::rtl::RouterArray> rtl;  ///< null if all routers are TLM
  std::unique_ptr<tvp::mesh::MeshNetwork> mesh;
  tvp::mesh::MeshNodes shared;
  std::vector<std::unique_ptr<MeshNode>> nodes;

  Parts(const std::string& name, const Parameters& parameters)
      : calendar(tvp::mesh::lookahead(configured(config, name, parameters))),
        block(calendar, tvp::foundation::Period::of_mhz(config.clock_mhz)),
        topology(config.width, config.height),
        rtl(tvp::rtl::make_rtl_routers("mesh", config, topology)),
        mesh(tvp::mesh::make_mesh(config, topology, calendar, rtl.get())),
        shared{.mesh = *mesh,
               .block = block,
               .timing = foreign_timing(parameters.timing),
               .flit_bytes = parameters.flit_bytes,
               .packet_bytes = parameters.packet_bytes,
               .open_packets = parameters.open_packets} {
    mesh->report_to(this,
                    [this](tvp::support::Cycle cycle) { return block.time_of(cycle).to_string(); });
    std::vector<bool> is_target(topology.nodes(), parameters.targets.empty());
    for (const Node& node : parameters.targets) is_target[topology.node_at(node.x, node.y)] = true;
    for (unsigned number = 0; number < topology.nodes(); ++number) {
      const std::string node = "node_" + std::to_string(topology.x_of(number)) + "_" +
                               std::to_string(topology.y_of(number));
      nodes.push_back(std::make_unique<MeshNode>(node.c_str(), shared, number, is_target[number]));
      shared.nodes.push_back(nodes.back().get());
    }
  }

  /// A router in RTL alters a payload.
  void warn(const Fault& fault) override { SC_REPORT_WARNING("/tensix_vp", fault.what()); }

  MeshNode& node(unsigned x, unsigned y, const char* name) const {
    if (x < topology.width() && y < topology.height()) return *nodes[topology.node_at(x, y)];
    throw std::runtime_error(std::string(name) + ": there is no node (" + std::to_string(x) + "," +
                             std::to_string(y) + ")");
  }
};

MeshNoc::MeshNoc(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name) {
  try {
    parts_ = std::make_unique<Parts>(this->name(), parameters);
  } catch (const Fault& fault) {
    throw std::runtime_error(std::string(this->name()) + ": " + fault.what());
  }
}

MeshNoc::~MeshNoc() = default;

tlm::tlm_base_target_socket_b<>& MeshNoc::requests(unsigned x, unsigned y) {
  return parts_->node(x, y, name()).requests.socket;
}

tlm::tlm_initiator_socket<>& MeshNoc::memory(unsigned x, unsigned y) {
  if (auto* const memory = parts_->node(x, y, name()).memory()) return memory->socket;
  throw std::runtime_error(std::string(name()) + ": memory() expects a node of targets, not (" +
                           std::to_string(x) + "," + std::to_string(y) + ")");
}

std::uint64_t MeshNoc::address(unsigned x, unsigned y, std::uint64_t offset) {
  return offset | std::uint64_t{x} << MeshNode::kXShift | std::uint64_t{y} << MeshNode::kYShift;
}

std::vector<std::string> MeshNoc::waiting() const {
  std::vector<std::string> lines;
  for (const auto& node : parts_->nodes) node->describe_open(lines);
  const std::string stuck = parts_->mesh->why_stuck();
  if (!stuck.empty()) lines.push_back(std::string(name()) + ": " + stuck);
  return lines;
}

MeshNoc::Statistics MeshNoc::statistics() const {
  const tvp::mesh::Statistics& counts = parts_->mesh->statistics();
  return {.packets = counts.packets_delivered,
          .flits = counts.flits_delivered,
          .hops = counts.total_hops,
          .retries = counts.retries,
          .lost = counts.packets_lost};
}

void MeshNoc::end_of_simulation() {
  try {
    parts_->mesh->check_conservation();
  } catch (const Fault& fault) {
    SC_REPORT_ERROR("/tensix_vp", fault.what());
  }
}

}  // namespace tensix_vp
