#include "platform/system/soc_descriptor.h"

#include <yaml-cpp/yaml.h>

namespace tvp::platform {

namespace {

using foundation::ChipNode;
using foundation::ChipSpec;
using foundation::TileKind;

std::string dashed(ChipNode node) { return std::to_string(node.x) + "-" + std::to_string(node.y); }

void emit_nodes(YAML::Emitter& yaml, const std::vector<ChipNode>& nodes) {
  yaml << YAML::Flow << YAML::BeginSeq;
  for (const ChipNode node : nodes) yaml << dashed(node);
  yaml << YAML::EndSeq;
}

std::vector<ChipNode> nodes_of(const ChipSpec& spec, TileKind kind) {
  std::vector<ChipNode> nodes;
  for (unsigned y = 0; y < spec.rows; ++y) {
    for (unsigned x = 0; x < spec.columns; ++x) {
      if (spec.kind_at({x, y}) == kind) nodes.push_back({x, y});
    }
  }
  return nodes;
}

/// Numbers that NoC 1 gives to the columns or rows of NoC 0.
void emit_mirrored(YAML::Emitter& yaml, unsigned count) {
  yaml << YAML::Flow << YAML::BeginSeq;
  for (unsigned i = 0; i < count; ++i) yaml << count - 1 - i;
  yaml << YAML::EndSeq;
}

/// The endpoint of its channel that reaches each bank over NoC 0 and NoC 1, with tt-metal's names
/// (tt_metal/soc_descriptors).
void emit_dram_views(YAML::Emitter& yaml, const ChipSpec& spec) {
  using YAML::Key;
  using YAML::Value;
  yaml << Key << "dram_views" << Value << YAML::BeginSeq;
  for (std::size_t channel = 0; channel < spec.dram.size(); ++channel) {
    for (const foundation::DramBank& bank : spec.dram[channel].banks) {
      yaml << YAML::Flow << YAML::BeginMap << Key << "channel" << Value << channel;
      for (const char* endpoint : {"eth_endpoint", "worker_endpoint"}) {
        yaml << Key << endpoint << Value << YAML::BeginSeq << bank.endpoint << bank.noc1_endpoint
             << YAML::EndSeq;
      }
      yaml << Key << "address_offset" << Value << bank.offset << YAML::EndMap;
    }
  }
  yaml << YAML::EndSeq;
  yaml << Key << "dram_view_size" << Value << spec.dram[0].banks[0].bytes;
}

/// Writes properties of the architecture that host software reads. They are equal for every
/// Wormhole (tt-umd tests/soc_descs).
void emit_features(YAML::Emitter& yaml) {
  using YAML::BeginMap;
  using YAML::EndMap;
  using YAML::Key;
  using YAML::Value;
  yaml << Key << "arch_name" << Value << "WORMHOLE_B0";
  yaml << Key << "features" << Value << BeginMap;
  yaml << Key << "noc" << Value << BeginMap << Key << "translation_id_enabled" << Value << true
       << EndMap;
  yaml << Key << "unpacker" << Value << BeginMap << Key << "version" << Value << 2 << Key
       << "inline_srca_trans_without_srca_trans_instr" << Value << true << EndMap;
  yaml << Key << "math" << Value << BeginMap << Key << "dst_size_alignment" << Value << 32768
       << EndMap;
  yaml << Key << "packer" << Value << BeginMap << Key << "version" << Value << 2 << EndMap;
  yaml << Key << "overlay" << Value << BeginMap << Key << "version" << Value << 2 << EndMap;
  yaml << EndMap;
}

}  // namespace

std::string soc_descriptor(const ChipSpec& spec) {
  using YAML::Key;
  using YAML::Value;
  YAML::Emitter yaml;
  yaml << YAML::BeginMap;
  yaml << Key << "grid" << Value << YAML::BeginMap << Key << "x_size" << Value << spec.columns
       << Key << "y_size" << Value << spec.rows << YAML::EndMap;
  yaml << Key << "arc" << Value;
  emit_nodes(yaml, {spec.arc});
  yaml << Key << "pcie" << Value;
  emit_nodes(yaml, {spec.pcie});
  yaml << Key << "dram" << Value << YAML::BeginSeq;
  for (const foundation::DramChannel& channel : spec.dram) emit_nodes(yaml, channel.endpoints);
  yaml << YAML::EndSeq;
  yaml << Key << "eth" << Value;
  emit_nodes(yaml, spec.ethernet);
  yaml << Key << "harvested_workers" << Value;
  emit_nodes(yaml, {});
  yaml << Key << "functional_workers" << Value;
  emit_nodes(yaml, nodes_of(spec, TileKind::kTensix));
  yaml << Key << "router_only" << Value;
  emit_nodes(yaml, nodes_of(spec, TileKind::kNone));
  yaml << Key << "noc0_x_to_noc1_x" << Value;
  emit_mirrored(yaml, spec.columns);
  yaml << Key << "noc0_y_to_noc1_y" << Value;
  emit_mirrored(yaml, spec.rows);
  yaml << Key << "worker_l1_size" << Value << spec.memories.tensix_l1_bytes;
  yaml << Key << "dram_bank_size" << Value
       << spec.dram[0].banks.size() * spec.dram[0].banks[0].bytes;
  emit_dram_views(yaml, spec);
  yaml << Key << "eth_l1_size" << Value << spec.memories.ethernet_l1_bytes;
  emit_features(yaml);
  yaml << YAML::EndMap;
  return std::string(yaml.c_str()) + "\n";
}

}  // namespace tvp::platform
