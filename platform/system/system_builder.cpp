#include "platform/system/system_builder.h"

#include <algorithm>

#include "foundation/fault.h"
#include "platform/system/describe_chips.h"

namespace tvp::platform {

namespace {

[[noreturn]] void fail(const std::string& where, const std::string& message) {
  throw foundation::Fault(foundation::FaultKind::kDescription, where, message);
}

}  // namespace

SystemDescription SystemBuilder::build() {
  system_.name = layer_.name;
  system_.kind = layer_.kind;
  system_.kind_where = layer_.kind_where;
  system_.settings = layer_.settings;
  if (layer_.graph) place_chips(*layer_.graph);
  add_chips();
  check_pci_devices();
  check_host_chips();
  describe_chips(system_, chosen_);
  if (layer_.graph) join_neighbours(*layer_.graph);
  add_links();
  add_devices();
  return std::move(system_);
}

void SystemBuilder::place_chips(const SystemLayer::Graph& graph) {
  const Topology& topology = graph.topology;
  if (topology.size() > SystemDescription::kPciDevices) {
    fail(graph.shape_where, "shape: " + std::to_string(topology.size()) +
                                " chips: expected at most " +
                                std::to_string(SystemDescription::kPciDevices) +
                                ", as many as the host's bus has devices");
  }
  SystemDescription::Grid grid{.topology = topology, .board = graph.board, .chips = {}};
  for (unsigned position = 0; position < topology.size(); ++position) {
    const unsigned id = graph.board->chip_at(topology, position);
    grid.chips.push_back(id);
    ChipDescription chip;
    chip.id = id;
    chip.kind = graph.kind;
    chip.kind_where = graph.kind_where;
    chip.pci_device = id;
    chip.harvest_mask = graph.harvest_mask;
    chip.harvested_where = graph.harvested_where;
    chip.harvest_key = graph.harvest_key;
    system_.chips.push_back(chip);
  }
  system_.grid = std::move(grid);
  std::sort(system_.chips.begin(), system_.chips.end(),
            [](const ChipDescription& a, const ChipDescription& b) { return a.id < b.id; });
}

void SystemBuilder::join_neighbours(const SystemLayer::Graph& graph) {
  for (const TopologyEdge& edge : graph.topology.edges()) {
    for (unsigned link = 0; link < graph.links; ++link) join(graph, edge);
  }
}

void SystemBuilder::join(const SystemLayer::Graph& graph, const TopologyEdge& edge) {
  LinkDescription link;
  link.a = {.chip = system_.grid->chips[edge.a],
            .channel = free_channel(graph, edge, edge.a),
            .where = graph.links_where};
  link.b = {.chip = system_.grid->chips[edge.b],
            .channel = free_channel(graph, edge, edge.b),
            .where = graph.links_where};
  used_.emplace(link.a.chip, link.a.channel);
  used_.emplace(link.b.chip, link.b.channel);
  system_.links.push_back(link);
}

unsigned SystemBuilder::free_channel(const SystemLayer::Graph& graph, const TopologyEdge& edge,
                                     unsigned position) const {
  const unsigned chip = system_.grid->chips[position];
  const auto present = static_cast<unsigned>(system_.find_chip(chip)->spec->ethernet.size());
  auto channels = graph.board->channels(graph.topology, edge, position, present);
  std::erase_if(channels, [&](unsigned channel) { return channel >= present; });
  for (const unsigned channel : channels) {
    if (!used_.contains({chip, channel})) return channel;
  }
  const unsigned other = system_.grid->chips[position == edge.a ? edge.b : edge.a];
  fail(graph.links_where, "links: channels of chip " + std::to_string(chip) +
                              " run out at its edge to chip " + std::to_string(other) +
                              ", where board " + graph.board->name() + " has " +
                              std::to_string(channels.size()) + ": expected fewer than " +
                              std::to_string(graph.links) + " links an edge, or fewer edges");
}

void SystemBuilder::add_chips() {
  for (const SystemLayer::Chip& entry : layer_.chips) {
    ChipDescription& chip = chip_of(entry);
    listed_[entry.id] = entry.where;
    if (entry.pci_device) chip.pci_device = entry.pci_device;
    if (entry.host_chip) {
      chip.host_chip = entry.host_chip;
      chip.host_chip_where = entry.host_chip_where;
    }
    if (entry.harvest_mask) {
      chip.harvest_mask = *entry.harvest_mask;
      chip.harvested_where = entry.harvested_where;
      chip.harvest_key = entry.harvest_key;
    }
    if (entry.kind) {
      chip.kind = *entry.kind;
      chip.kind_where = entry.kind_where;
    }
    for (const auto& [key, setting] : entry.settings) chip.settings[key] = setting;
  }
}

ChipDescription& SystemBuilder::chip_of(const SystemLayer::Chip& entry) {
  const auto known = std::find_if(system_.chips.begin(), system_.chips.end(),
                                  [&](const ChipDescription& chip) { return chip.id == entry.id; });
  if (!layer_.graph) {
    if (known != system_.chips.end()) {
      fail(entry.where, "chip id " + std::to_string(entry.id) + " stands twice");
    }
    system_.chips.emplace_back().id = entry.id;
    return system_.chips.back();
  }
  if (known == system_.chips.end()) {
    fail(entry.where, "id: expected a chip of the topology, 0.." +
                          std::to_string(layer_.graph->topology.size() - 1));
  }
  return *known;
}

void SystemBuilder::check_pci_devices() const {
  std::map<unsigned, unsigned> chip_of_device;
  for (const ChipDescription& chip : system_.chips) {
    if (!chip.pci_device) continue;
    const auto [other, fresh] = chip_of_device.emplace(*chip.pci_device, chip.id);
    if (fresh) continue;
    // Name the one of the two that the file lists.
    const auto listed = listed_.find(listed_.contains(chip.id) ? chip.id : other->second);
    fail(listed->second, "pci_device " + std::to_string(*chip.pci_device) + " is already chip " +
                             std::to_string(listed->first == chip.id ? other->second : chip.id) +
                             "'s");
  }
}

void SystemBuilder::check_host_chips() const {
  for (const ChipDescription& chip : system_.chips) {
    if (!chip.host_chip) continue;
    const ChipDescription* const host = system_.find_chip(*chip.host_chip);
    if (host == nullptr || host->id == chip.id || !host->pci_device || host->host_chip)
      fail(chip.host_chip_where,
           "host_chip = " + std::to_string(*chip.host_chip) + " of chip " +
               std::to_string(chip.id) +
               ": expected another chip that has a pci_device and no host_chip");
  }
}

void SystemBuilder::add_links() {
  for (const SystemLayer::Link& entry : layer_.links) {
    check_end(entry.link.a, entry.a_where);
    check_end(entry.link.b, entry.b_where);
    for (const LinkEnd& end : {entry.link.a, entry.link.b}) {
      if (!used_.emplace(end.chip, end.channel).second) {
        fail(entry.where, "channel " + std::to_string(end.channel) + " of chip " +
                              std::to_string(end.chip) + " already has a link");
      }
    }
    system_.links.push_back(entry.link);
  }
}

void SystemBuilder::check_end(const LinkEnd& end, const std::string& where) const {
  const ChipDescription* chip = system_.find_chip(end.chip);
  if (chip == nullptr) {
    fail(where, "link to chip " + std::to_string(end.chip) + ", which the system does not have");
  }
  const std::size_t channels = chip->spec->ethernet.size();
  if (end.channel < channels) return;
  if (channels == 0)
    fail(end.where, "channel: a chip of kind " + chip->spec->name + " has no ethernet");
  // A key of the run can change the number of ethernet channels of a pattern.
  const auto count = chip->spec->places.find("pattern.ethernet_channels");
  fail(end.where, "channel: expected an integer 0.." + std::to_string(channels - 1) +
                      (count == chip->spec->places.end()
                           ? ""
                           : ", for as many channels as " + count->second + " gives the chip"));
}

void SystemBuilder::add_devices() {
  for (const SystemLayer::Device& device : layer_.devices) {
    if (system_.find_chip(device.chip) == nullptr) {
      fail(device.where, "devices: expected ids of chips of this system");
    }
    system_.devices.push_back(device.chip);
  }
  if (!system_.devices.empty()) return;
  if (system_.grid) {
    system_.devices = system_.grid->chips;
  } else {
    for (const ChipDescription& chip : system_.chips) system_.devices.push_back(chip.id);
  }
}

}  // namespace tvp::platform
