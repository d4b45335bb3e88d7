#include "platform/system/soc_descriptor_reader.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <set>
#include <utility>

#include "foundation/chip/chip_rules.h"
#include "foundation/fault.h"
#include "foundation/input_file.h"

namespace tvp::platform {

using foundation::ChipNode;
using foundation::ChipSpec;
using foundation::Fault;
using foundation::FaultKind;

namespace {

bool is_wormhole(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "wormhole_b0";
}

/// Descriptors lack the order of a channel's NIUs. A Wormhole channel with the same nodes gives it.
std::vector<foundation::ChipNode> niu_order_of(
    const std::vector<foundation::ChipNode>& endpoints,
    const std::vector<foundation::DramChannel>& channels) {
  for (const foundation::DramChannel& channel : channels) {
    if (std::is_permutation(endpoints.begin(), endpoints.end(), channel.endpoints.begin(),
                            channel.endpoints.end())) {
      return channel.niu_order;
    }
  }
  return {};
}

/// Sorted, each once.
std::vector<unsigned> distinct(const std::vector<ChipNode>& nodes, unsigned ChipNode::*axis) {
  std::set<unsigned> values;
  for (const ChipNode node : nodes) values.insert(node.*axis);
  return {values.begin(), values.end()};
}

}  // namespace

SocDescriptorReader::SocDescriptorReader(std::string file, ChipSpec wormhole)
    : file_(std::move(file)), spec_(std::move(wormhole)) {}

ChipSpec SocDescriptorReader::read() {
  YAML::Node root;
  try {
    root = YAML::Load(foundation::read_input_file(file_));
  } catch (const YAML::ParserException& error) {
    throw Fault(FaultKind::kDescription, file_ + ":" + std::to_string(error.mark.line + 1),
                error.msg);
  }
  if (!root.IsMap()) throw Fault(FaultKind::kDescription, file_, "expected a SoC descriptor");
  spec_.name = std::filesystem::path(file_).stem().string();
  spec_.file = file_;
  spec_.places.clear();
  const YAML::Node arch = required(root, "arch_name", "WORMHOLE_B0");
  if (!arch.IsScalar() || !is_wormhole(arch.Scalar())) {
    fail(arch, "arch_name: expected WORMHOLE_B0, the only architecture that is modelled");
  }
  read_sizes(root);
  read_workers(root);
  read_dram(root);
  const YAML::Node eth = required(root, "eth", "a list of nodes \"x-y\"");
  spec_.ethernet = nodes(eth, "eth");
  stands("ethernet.nodes", eth);
  spec_.pcie = single_node(root, "pcie");
  spec_.arc = single_node(root, "arc");
  foundation::check_chip(spec_);
  return std::move(spec_);
}

void SocDescriptorReader::read_sizes(const YAML::Node& root) {
  const YAML::Node grid = required(root, "grid", "x_size and y_size");
  if (!grid.IsMap()) fail(grid, "grid: expected x_size and y_size");
  const YAML::Node x = required(grid, "x_size", "a number of columns");
  const YAML::Node y = required(grid, "y_size", "a number of rows");
  spec_.columns = static_cast<unsigned>(number(x, "x_size"));
  spec_.rows = static_cast<unsigned>(number(y, "y_size"));
  stands("grid.columns", x);
  stands("grid.rows", y);
  const YAML::Node worker_l1 = required(root, "worker_l1_size", "bytes");
  spec_.memories.tensix_l1_bytes = static_cast<std::uint32_t>(number(worker_l1, "worker_l1_size"));
  stands("memories.tensix_l1_kib", worker_l1);
  const YAML::Node eth_l1 = required(root, "eth_l1_size", "bytes");
  spec_.memories.ethernet_l1_bytes = static_cast<std::uint32_t>(number(eth_l1, "eth_l1_size"));
  stands("memories.ethernet_l1_kib", eth_l1);
}

void SocDescriptorReader::read_workers(const YAML::Node& root) {
  const YAML::Node harvested = root["harvested_workers"];
  if (harvested && harvested.IsSequence() && harvested.size() != 0) {
    fail(harvested,
         "harvested_workers: expected none; harvested_rows of [[chip]] says which rows are off");
  }
  const YAML::Node list = required(root, "functional_workers", "a list of nodes \"x-y\"");
  const std::vector<ChipNode> workers = nodes(list, "functional_workers");
  spec_.tensix_columns = distinct(workers, &ChipNode::x);
  spec_.tensix_rows = distinct(workers, &ChipNode::y);
  stands("tensix.columns", list);
  stands("tensix.rows", list);
  stands("tensix.harvest_rows", list);
  const std::set<ChipNode> once(workers.begin(), workers.end());
  if (once.size() != workers.size() || workers.size() != spec_.workers()) {
    fail(list, "functional_workers: expected " + std::to_string(spec_.workers()) +
                   " nodes, one wherever their " + std::to_string(spec_.tensix_columns.size()) +
                   " columns and " + std::to_string(spec_.tensix_rows.size()) + " rows cross");
  }
  // Keep Wormhole's order of fuses for rows that exist.
  std::vector<unsigned> in_order = spec_.harvest_rows;
  std::sort(in_order.begin(), in_order.end());
  if (in_order != spec_.tensix_rows) spec_.harvest_rows = spec_.tensix_rows;
}

void SocDescriptorReader::read_dram(const YAML::Node& root) {
  const YAML::Node list = required(root, "dram", "a list of channels, each a list of nodes");
  if (!list.IsSequence()) fail(list, "dram: expected a list of channels, each a list of nodes");
  const YAML::Node size = required(root, "dram_bank_size", "bytes of a channel");
  const std::uint64_t bytes = number(size, "dram_bank_size");
  const std::vector<foundation::DramChannel> wormhole = std::exchange(spec_.dram, {});
  for (const YAML::Node& nodes_of_channel : list) {
    foundation::DramChannel channel;
    channel.endpoints = nodes(nodes_of_channel, "dram");
    channel.niu_order = niu_order_of(channel.endpoints, wormhole);
    // A Wormhole channel has two banks, each with its own endpoint: by default the first two.
    const std::size_t banks = channel.endpoints.size() < 2 ? 1 : 2;
    for (unsigned bank = 0; bank < banks; ++bank) {
      channel.banks.push_back({.endpoint = bank,
                               .noc1_endpoint = bank,
                               .offset = bank * (bytes / banks),
                               .bytes = bytes / banks});
    }
    const std::string key = "dram[" + std::to_string(spec_.dram.size()) + "]";
    stands(key + ".endpoints", nodes_of_channel);
    stands(key + ".banks", size);
    spec_.dram.push_back(std::move(channel));
  }
  stands("dram", list);
  read_dram_views(root);
}

void SocDescriptorReader::read_dram_views(const YAML::Node& root) {
  const YAML::Node list = root["dram_views"];
  if (!list) return;
  if (!list.IsSequence()) fail(list, "dram_views: expected a list of banks");
  const YAML::Node size = required(root, "dram_view_size", "bytes of a bank");
  const std::uint64_t bytes = number(size, "dram_view_size");
  for (foundation::DramChannel& channel : spec_.dram) channel.banks.clear();
  for (const YAML::Node& view : list) {
    if (!view.IsMap()) fail(view, "dram_views: expected channel, worker_endpoint, address_offset");
    const YAML::Node channel = required(view, "channel", "a channel of dram");
    const std::uint64_t index = number(channel, "channel");
    if (index >= spec_.dram.size()) {
      fail(channel, "channel: expected less than " + std::to_string(spec_.dram.size()) +
                        ", the number of channels of dram");
    }
    foundation::DramChannel& of = spec_.dram[index];
    // A list has one endpoint per NoC; older files have one number for both.
    YAML::Node endpoint = required(view, "worker_endpoint", "a place in the channel's list");
    if (endpoint.IsSequence() && endpoint.size() != 0) endpoint.reset(endpoint[0]);
    const std::uint64_t place = number(endpoint, "worker_endpoint");
    if (place >= of.endpoints.size()) {
      fail(endpoint, "worker_endpoint: expected less than " + std::to_string(of.endpoints.size()) +
                         ", the endpoints of the channel");
    }
    const YAML::Node offset = required(view, "address_offset", "bytes");
    of.banks.push_back({.endpoint = static_cast<unsigned>(place),
                        .noc1_endpoint = static_cast<unsigned>(place),
                        .offset = number(offset, "address_offset"),
                        .bytes = bytes});
    stands("dram[" + std::to_string(index) + "].banks", list);
  }
}

ChipNode SocDescriptorReader::single_node(const YAML::Node& root, const std::string& key) {
  const YAML::Node list = required(root, key, "a list of one node \"x-y\"");
  const std::vector<ChipNode> found = nodes(list, key);
  if (found.size() != 1) fail(list, key + ": expected one node, as Wormhole has");
  stands(key + ".node", list);
  return found[0];
}

std::vector<ChipNode> SocDescriptorReader::nodes(const YAML::Node& list,
                                                 const std::string& key) const {
  if (!list.IsSequence()) fail(list, key + ": expected a list of nodes \"x-y\"");
  std::vector<ChipNode> found;
  for (const YAML::Node& element : list) {
    const std::string text = element.IsScalar() ? element.Scalar() : "";
    const char* const end = text.data() + text.size();
    ChipNode node;
    const auto [dash, bad_x] = std::from_chars(text.data(), end, node.x);
    if (bad_x != std::errc() || dash == end || *dash != '-') {
      fail(element, key + ": '" + text + "', expected a node \"x-y\"");
    }
    const auto [stop, bad_y] = std::from_chars(dash + 1, end, node.y);
    if (bad_y != std::errc() || stop != end) {
      fail(element, key + ": '" + text + "', expected a node \"x-y\"");
    }
    found.push_back(node);
  }
  return found;
}

YAML::Node SocDescriptorReader::required(const YAML::Node& root, const std::string& key,
                                         const std::string& expected) const {
  const YAML::Node node = root[key];
  if (!node) fail(root, "missing " + key + ": expected " + expected);
  return node;
}

std::uint64_t SocDescriptorReader::number(const YAML::Node& node, const std::string& key) const {
  std::uint64_t value = 0;
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value >> 40 != 0) {
    fail(node, key + ": '" + text + "', expected a number");
  }
  return value;
}

void SocDescriptorReader::stands(const std::string& spec_key, const YAML::Node& node) {
  spec_.places[spec_key] = place(node);
}

std::string SocDescriptorReader::place(const YAML::Node& node) const {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? file_ : file_ + ":" + std::to_string(mark.line + 1);
}

void SocDescriptorReader::fail(const YAML::Node& node, const std::string& message) const {
  throw Fault(FaultKind::kDescription, place(node), message);
}

}  // namespace tvp::platform
