#include "platform/system/cluster_descriptor.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace tvp::platform {

namespace {

using YAML::BeginMap;
using YAML::BeginSeq;
using YAML::EndMap;
using YAML::EndSeq;
using YAML::Key;
using YAML::Value;

void emit_chips(YAML::Emitter& yaml, const SystemDescription& system) {
  yaml << Key << "arch" << Value << BeginMap;
  for (const ChipDescription& chip : system.chips) yaml << Key << chip.id << Value << "wormhole_b0";
  yaml << EndMap;
  // Coordinates x, y, rack and shelf of a mesh.
  yaml << Key << "chips" << Value << BeginMap;
  if (system.grid && system.grid->topology.shape().size() <= 2 &&
      system.grid->topology.kind() != Topology::Kind::kStar) {
    const Topology& topology = system.grid->topology;
    for (const ChipDescription& chip : system.chips) {
      const auto& chips = system.grid->chips;
      const auto position =
          static_cast<unsigned>(std::find(chips.begin(), chips.end(), chip.id) - chips.begin());
      yaml << Key << chip.id << Value << YAML::Flow << BeginSeq << topology.column(position)
           << topology.row(position) << 0 << 0 << EndSeq;
    }
  }
  yaml << EndMap;
  yaml << Key << "chip_unique_ids" << Value << BeginMap;
  for (const ChipDescription& chip : system.chips) yaml << Key << chip.id << Value << chip.id + 1;
  yaml << EndMap;
}

void emit_end(YAML::Emitter& yaml, const LinkEnd& end) {
  yaml << YAML::Flow << BeginMap << Key << "chip" << Value << end.chip << Key << "chan" << Value
       << end.channel << EndMap;
}

void emit_connections(YAML::Emitter& yaml, const SystemDescription& system) {
  yaml << Key << "ethernet_connections" << Value << BeginSeq;
  for (const LinkDescription& link : system.links) {
    yaml << YAML::Flow << BeginSeq;
    emit_end(yaml, link.a);
    emit_end(yaml, link.b);
    yaml << EndSeq;
  }
  yaml << EndSeq;
  yaml << Key << "ethernet_connections_to_remote_devices" << Value << YAML::Flow << BeginSeq
       << EndSeq;
}

void emit_host_side(YAML::Emitter& yaml, const SystemDescription& system) {
  yaml << Key << "chips_with_mmio" << Value << BeginSeq;
  for (const ChipDescription& chip : system.chips) {
    if (chip.pci_device) yaml << BeginMap << Key << chip.id << Value << *chip.pci_device << EndMap;
  }
  yaml << EndSeq;
  yaml << Key << "io_device_type" << Value << "PCIe";
  yaml << Key << "chip_pci_bdfs" << Value << BeginMap;
  for (const ChipDescription& chip : system.chips) {
    if (!chip.pci_device) continue;
    char address[24];
    std::snprintf(address, sizeof address, "0000:00:%02x.0", *chip.pci_device);
    yaml << Key << chip.id << Value << YAML::DoubleQuoted << address;
  }
  yaml << EndMap;
}

void emit_harvesting(YAML::Emitter& yaml, const SystemDescription& system) {
  yaml << Key << "harvesting" << Value << BeginMap;
  for (const ChipDescription& chip : system.chips) {
    yaml << Key << chip.id << Value << BeginMap;
    yaml << Key << "noc_translation" << Value << true;
    yaml << Key << "harvest_mask" << Value << chip.harvest_mask;
    for (const char* other : {"dram", "eth", "pcie"}) {
      yaml << Key << std::string(other) + "_harvesting_mask" << Value << 0;
    }
    yaml << EndMap;
  }
  yaml << EndMap;
}

/// A board's serial number with the part number in the upper bits, which identifies the type for
/// tt-umd (board_upi_map in its device/api/umd/device/types/cluster_descriptor_types.hpp).
std::uint64_t board_id(const std::string& type, unsigned serial) {
  constexpr unsigned kPartNumberShift = 36;
  const std::uint64_t part = type == "n300" ? 0x14 : type == "ubb" ? 0x35 : 0x18;  // else n150
  return part << kPartNumberShift | serial;
}

void emit_board(YAML::Emitter& yaml, unsigned serial, const std::string& type,
                const std::vector<unsigned>& chips) {
  yaml << BeginSeq;
  yaml << BeginMap << Key << "board_id" << Value << board_id(type, serial) << EndMap;
  yaml << BeginMap << Key << "board_type" << Value << type << EndMap;
  yaml << BeginMap << Key << "chips" << Value << YAML::Flow << BeginSeq;
  for (const unsigned chip : chips) yaml << chip;
  yaml << EndSeq << EndMap << EndSeq;
}

void emit_boards(YAML::Emitter& yaml, const SystemDescription& system) {
  yaml << Key << "boards" << Value << BeginSeq;
  unsigned serial = 0;
  if (system.grid) {
    for (const auto& positions : system.grid->board->boards(system.grid->topology)) {
      std::vector<unsigned> chips;
      for (const unsigned position : positions) chips.push_back(system.grid->chips[position]);
      emit_board(yaml, serial++, system.grid->board->type(), chips);
    }
  } else {
    for (const ChipDescription& chip : system.chips) emit_board(yaml, serial++, "n150", {chip.id});
  }
  yaml << EndSeq;
}

}  // namespace

std::string cluster_descriptor(const SystemDescription& system) {
  YAML::Emitter yaml;
  yaml << BeginMap;
  emit_chips(yaml, system);
  emit_connections(yaml, system);
  emit_host_side(yaml, system);
  emit_harvesting(yaml, system);
  emit_boards(yaml, system);
  yaml << EndMap;
  return std::string(yaml.c_str()) + "\n";
}

}  // namespace tvp::platform
