#include "tensix_vp/systemc/torus_noc.h"

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <stdexcept>

#include "foundation/chip/chip_spec.h"
#include "foundation/chip/coordinates.h"
#include "foundation/fault.h"
#include "foundation/settings_registry.h"
#include "models/noc/foreign_node.h"
#include "models/noc/torus/make_torus.h"
#include "platform/components/foreign_timing.h"

namespace tensix_vp {

using tvp::foundation::ChipSpec;
using tvp::foundation::Fault;
using tvp::foundation::FaultKind;
using tvp::noc::ForeignNode;
using tvp::noc::NocConfig;

namespace {

void refuse(const char* what, const std::string& text) {
  throw Fault(FaultKind::kDescription, what, text);
}

NocConfig& configured(NocConfig& config, const std::string& name,
                      const TorusNoc::Parameters& parameters) {
  tvp::foundation::SettingsRegistry registry;
  registry.add(config);
  for (const auto& [key, value] : parameters.settings) registry.set("noc." + key, value, name);
  return config;
}

/// A chip without tiles.
ChipSpec spec_of(const TorusNoc::Parameters& parameters) {
  const auto check = [](const char* what, unsigned value, unsigned most) {
    if (value > 0 && value <= most) return;
    refuse(what, std::to_string(value) + ": expected 1 to " + std::to_string(most));
  };
  check("columns", parameters.columns,
        tvp::foundation::Coordinates::most_columns(tvp::Generation::kWormhole));
  check("rows", parameters.rows,
        tvp::foundation::Coordinates::most_rows(tvp::Generation::kWormhole));
  check("clock_mhz", parameters.clock_mhz, 10'000);
  ChipSpec spec;
  spec.name = "torus";
  spec.columns = parameters.columns;
  spec.rows = parameters.rows;
  spec.pcie = spec.arc = {spec.columns, spec.rows};                             // outside
  spec.first_translated = 1U << (ForeignNode::kYShift - ForeignNode::kXShift);  // none
  for (const TorusNoc::Node& node : parameters.targets) {
    if (spec.has({node.x, node.y})) continue;
    refuse("targets", "node (" + std::to_string(node.x) + "," + std::to_string(node.y) +
                          ") is outside of a torus of " + std::to_string(spec.columns) + " x " +
                          std::to_string(spec.rows));
  }
  return spec;
}

tvp::noc::Node node_of(unsigned x, unsigned y) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
}

}  // namespace

struct TorusNoc::Parts {
  const ChipSpec spec;
  NocConfig config;
  tvp::noc::Grid grid;
  tvp::support::Calendar calendar;
  tvp::support::CalendarBlock block;
  tvp::foundation::StopOnFault faults;
  std::array<std::unique_ptr<tvp::noc::Torus>, 2> torus;
  /// Behind the nodes that are no targets.
  std::vector<std::unique_ptr<tlm_utils::simple_target_socket<Parts>>> nothing;
  std::vector<std::unique_ptr<ForeignNode>> nodes;  ///< index: Grid::number()
  std::vector<ForeignNode*> neighbors;

  Parts(const std::string& name, const Parameters& parameters)
      : spec(spec_of(parameters)),
        grid(spec),
        calendar(tvp::noc::lookahead(configured(config, name, parameters))),
        block(calendar, tvp::foundation::Period::of_mhz(parameters.clock_mhz)) {
    for (unsigned y = 0; y < spec.rows && parameters.targets.empty(); ++y) {
      for (unsigned x = 0; x < spec.columns; ++x) grid.occupy(node_of(x, y));
    }
    for (const Node& node : parameters.targets) grid.occupy(node_of(node.x, node.y));
    for (unsigned noc = 0; noc < 2; ++noc) {
      torus[noc] =
          tvp::noc::make_torus(("noc" + std::to_string(noc)).c_str(), config, grid, noc, calendar);
    }
    const auto timing = foreign_timing(parameters.timing);
    for (unsigned y = 0; y < spec.rows; ++y) {
      for (unsigned x = 0; x < spec.columns; ++x) {
        const std::string at = "node_" + std::to_string(x) + "_" + std::to_string(y);
        ForeignNode& node = *nodes.emplace_back(std::make_unique<ForeignNode>(
            at.c_str(), config, grid, node_of(x, y), block, faults, name + "." + at, timing));
        for (const auto& each : torus) node.attach(*each);
        neighbors.push_back(&node);
        node.meet(neighbors);
        if (grid.takes_requests(node_of(x, y))) continue;
        nothing.push_back(
            std::make_unique<tlm_utils::simple_target_socket<Parts>>(("nothing_at_" + at).c_str()));
        node.memory.socket.bind(*nothing.back());
      }
    }
  }

  ForeignNode& node(unsigned x, unsigned y, const char* name) const {
    if (spec.has({x, y})) return *nodes[grid.number(node_of(x, y))];
    throw std::runtime_error(std::string(name) + ": there is no node (" + std::to_string(x) + "," +
                             std::to_string(y) + ")");
  }
};

TorusNoc::TorusNoc(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name) {
  try {
    parts_ = std::make_unique<Parts>(this->name(), parameters);
  } catch (const Fault& fault) {
    throw std::runtime_error(std::string(this->name()) + ": " + fault.what());
  }
}

TorusNoc::~TorusNoc() = default;

tlm::tlm_base_target_socket_b<>& TorusNoc::requests(unsigned x, unsigned y) {
  return parts_->node(x, y, name()).requests;
}

tlm::tlm_initiator_socket<>& TorusNoc::memory(unsigned x, unsigned y) {
  ForeignNode& node = parts_->node(x, y, name());
  if (parts_->grid.takes_requests(node.at())) return node.memory.socket;
  throw std::runtime_error(std::string(name()) + ": memory() expects a node of targets, not (" +
                           std::to_string(x) + "," + std::to_string(y) + ")");
}

std::uint64_t TorusNoc::address(unsigned x, unsigned y, std::uint64_t offset, unsigned noc) {
  return offset | std::uint64_t{x} << ForeignNode::kXShift |
         std::uint64_t{y} << ForeignNode::kYShift | std::uint64_t{noc} << ForeignNode::kNocShift;
}

std::vector<std::string> TorusNoc::waiting() const {
  std::vector<std::string> lines;
  for (const auto& node : parts_->nodes) {
    node->memory.describe_open(lines);
    for (unsigned noc = 0; noc < 2; ++noc) node->niu(noc).describe_pending(lines);
  }
  for (const auto& torus : parts_->torus) torus->describe_in_flight(lines);
  return lines;
}

TorusNoc::Statistics TorusNoc::statistics(unsigned noc) const {
  return {.packets = parts_->torus[noc == 0 ? 0 : 1]->packets_delivered()};
}

void TorusNoc::end_of_simulation() {
  try {
    if (parts_->block.next_time() == tvp::support::TimeBase::never() && waiting().empty()) {
      for (const auto& torus : parts_->torus) torus->check_conservation();
    }
  } catch (const Fault& fault) {
    SC_REPORT_ERROR("/tensix_vp", fault.what());
  }
}

}  // namespace tensix_vp
