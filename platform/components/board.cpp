#include "tensix_vp/systemc/board.h"

#include <stdexcept>

#include "foundation/chip/chip_spec.h"
#include "foundation/fault.h"
#include "foundation/settings_registry.h"
#include "models/noc/foreign_node.h"
#include "models/support/blocking_target.h"
#include "models/support/time_base.h"
#include "models/tensix/tile/device_window.h"
#include "platform/components/board_rtl.h"
#include "platform/components/foreign_timing.h"
#include "platform/library/configuration.h"
#include "platform/library/pci_bus.h"
#include "platform/machine/wormhole_machine.h"
#include "platform/system/system_description.h"

namespace tensix_vp {

using tvp::foundation::Fault;
using tvp::platform::PciBus;

namespace {

constexpr const char* kMessage = "/tensix_vp";

}  // namespace

struct Board::Parts : private tvp::support::BlockingTarget::Server {
  RtlConfig rtl_config;
  tvp::platform::Configuration configuration;
  std::unique_ptr<BoardRtl> rtl;
  std::unique_ptr<tvp::platform::WormholeMachine> machine;
  PciBus pci{nullptr};
  tvp::support::TimeBase* base = nullptr;
  const std::string socket_name;
  tvp::support::BlockingTarget pcie;

  tvp::noc::ForeignNode& node(const Node& at) const;
  tvp::noc::ForeignNode& free_node(const Node& at) const;
  tvp::support::ForeignMemory* device(const Node& at) const;
  void add_node(const tvp::platform::SystemDescription& system, const Node& node, const char* key);
  void add_devices(const tvp::platform::SystemDescription& system, const Devices& devices,
                   const char* key);
  bool access(tlm::tlm_generic_payload& payload);
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned serve_debug(tlm::tlm_generic_payload& payload) override;

  Parts(Board& board, const Parameters& parameters)
      : socket_name(board.pcie.name()), pcie(board.pcie, *this) {
    std::string text = "system=" + parameters.system + "\n";
    tvp::foundation::SettingsRegistry own;
    own.add(rtl_config);
    for (const auto& [key, value] : parameters.settings) {
      if (key.starts_with("rtl.")) {
        own.set(key, value, "");
      } else {
        text += key + "=" + value + "\n";
      }
    }
    configuration.apply(text);
    const tvp::platform::SystemDescription& system = configuration.load_system();
    if (system.kind != "wormhole") {
      throw Fault(tvp::foundation::FaultKind::kDescription, system.kind_where,
                  "kind = \"" + system.kind + "\": a Board expects a system of Tensix chips");
    }
    tvp::platform::PlatformConfig& platform = configuration.platform();
    platform.foreign.shared_kernel = true;
    platform.foreign.timing = foreign_timing(parameters.foreign_timing);
    if (const unsigned bytes = parameters.foreign_dram_burst; (bytes & (bytes - 1)) != 0) {
      throw Fault(tvp::foundation::FaultKind::kDescription, "foreign_dram_burst",
                  std::to_string(bytes) + " bytes: expected a power of two, or 0");
    }
    platform.foreign.dram_burst_bytes = parameters.foreign_dram_burst;
    platform.foreign.host_memory = parameters.foreign_host_memory;
    for (const DramChannel& at : parameters.foreign_dram) {
      const tvp::platform::ChipDescription* chip = system.find_chip(at.chip);
      if (chip == nullptr || at.group >= chip->spec->dram.size() ||
          at.channel >= chip->spec->dram[at.group].banks.size()) {
        throw Fault(tvp::foundation::FaultKind::kDescription, "foreign_dram",
                    "the system " + system.name + " has no channel " + std::to_string(at.channel) +
                        " of DRAM group " + std::to_string(at.group) + " of chip " +
                        std::to_string(at.chip));
      }
      platform.foreign.dram.insert({at.chip, at.group, at.channel});
    }
    for (const Node& node : parameters.foreign_nodes) add_node(system, node, "foreign_nodes");
    rtl = std::make_unique<BoardRtl>(rtl_config, platform.chip.aiclk_mhz);
    for (const Node& node : rtl->nodes()) add_node(system, node, "rtl.nodes");
    for (const Devices& devices : parameters.foreign_devices)
      add_devices(system, devices, "foreign_devices");
    for (const Node& tile : rtl->devices())
      add_devices(system, {.chip = tile.chip, .x = tile.x, .y = tile.y}, "rtl.devices");
    rtl->load();
    for (const EthernetChannel& at : parameters.foreign_links) {
      const tvp::platform::ChipDescription* chip = system.find_chip(at.chip);
      if (chip == nullptr || at.channel >= chip->spec->ethernet.size()) {
        throw Fault(tvp::foundation::FaultKind::kDescription, "foreign_links",
                    "the system " + system.name + " has no ethernet channel " +
                        std::to_string(at.channel) + " of chip " + std::to_string(at.chip));
      }
      platform.foreign.links.insert({at.chip, at.channel});
    }
    base = &tvp::support::TimeBase::current();
    machine = std::make_unique<tvp::platform::WormholeMachine>("machine", system, platform);
    pci = PciBus(machine->devices());
    for (const Node& at : rtl->nodes()) rtl->bind_node(at, node(at));
    for (const Node& at : rtl->devices()) rtl->bind_device(at, *device(at));
  }
};

void Board::Parts::add_node(const tvp::platform::SystemDescription& system, const Node& node,
                            const char* key) {
  using tvp::foundation::TileKind;
  const tvp::platform::ChipDescription* chip = system.find_chip(node.chip);
  const TileKind kind = chip == nullptr || !chip->spec->has({node.x, node.y})
                            ? TileKind::kArc
                            : chip->spec->kind_at({node.x, node.y});
  const auto refuse = [&](const std::string& expected) {
    throw Fault(tvp::foundation::FaultKind::kDescription, key,
                "chip " + std::to_string(node.chip) + " of " + system.name + ", node (" +
                    std::to_string(node.x) + "," + std::to_string(node.y) + "): expected " +
                    expected);
  };
  if (kind != TileKind::kNone && kind != TileKind::kTensix) {
    refuse("a Tensix tile or a node without a tile");
  }
  const bool is_free =
      configuration.platform().foreign.nodes.insert({node.chip, node.x, node.y}).second;
  if (!is_free) refuse("a node that no other module takes");
}

void Board::Parts::add_devices(const tvp::platform::SystemDescription& system,
                               const Devices& devices, const char* key) {
  const auto refuse = [&](const std::string& expected) {
    throw Fault(tvp::foundation::FaultKind::kDescription, key,
                "chip " + std::to_string(devices.chip) + " of " + system.name + ", tile (" +
                    std::to_string(devices.x) + "," + std::to_string(devices.y) + "): expected " +
                    expected);
  };
  tvp::platform::ForeignParts& foreign = configuration.platform().foreign;
  const tvp::platform::ChipDescription* chip = system.find_chip(devices.chip);
  if (chip == nullptr || !chip->has_tensix(devices.x, devices.y) ||
      foreign.nodes.contains({devices.chip, devices.x, devices.y})) {
    refuse("a Tensix tile that is neither harvested nor in foreign_nodes or rtl.nodes");
  }
  tvp::tensix::DeviceWindow::check(key, devices.base, devices.bytes);
  const tvp::platform::ForeignParts::Node tile{devices.chip, devices.x, devices.y};
  for (const auto& other : foreign.devices) {
    if (other.tile == tile) refuse("one range for each tile");
  }
  foreign.devices.push_back({tile, devices.base, devices.bytes});
}

Board::Board(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), pcie("pcie") {
  try {
    parts_ = std::make_unique<Parts>(*this, parameters);
  } catch (const Fault& fault) {
    throw std::runtime_error(std::string(this->name()) + ": " + fault.what());
  }
}

Board::~Board() = default;

std::uint64_t Board::bar(unsigned device, unsigned bar) { return PciBus::bar_base(device, bar); }

tlm::tlm_initiator_socket<>& Board::host_memory(unsigned device) {
  for (const auto& chip : parts_->machine->chips()) {
    if (chip->description().pci_device != device) continue;
    if (chip->pcie().foreign_memory() != nullptr)
      return chip->pcie().foreign_memory()->memory.socket;
  }
  throw std::runtime_error(std::string(name()) + ": host_memory(" + std::to_string(device) +
                           ") expects a PCI device and foreign_host_memory = true");
}

tlm::tlm_initiator_socket<>& Board::dram(const DramChannel& at) {
  for (const auto& chip : parts_->machine->chips()) {
    if (chip->id() != at.chip || at.group >= chip->dram_tiles().size()) continue;
    auto* memory = chip->dram_tiles()[at.group]->foreign_memory(at.channel);
    if (memory != nullptr) return memory->socket;
  }
  throw std::runtime_error(std::string(name()) + ": dram() expects a channel of foreign_dram");
}

tvp::noc::ForeignNode& Board::Parts::node(const Node& at) const {
  for (const auto& chip : machine->chips()) {
    if (chip->id() != at.chip) continue;
    for (const auto& node : chip->foreign_nodes()) {
      if (node->at().x == at.x && node->at().y == at.y) return *node;
    }
  }
  throw std::runtime_error("node (" + std::to_string(at.x) + "," + std::to_string(at.y) +
                           ") of chip " + std::to_string(at.chip) + " is not in foreign_nodes");
}

/// A node whose sockets the user binds.
tvp::noc::ForeignNode& Board::Parts::free_node(const Node& at) const {
  if (!rtl->is_node(at)) return node(at);
  throw std::runtime_error("node (" + std::to_string(at.x) + "," + std::to_string(at.y) +
                           ") of chip " + std::to_string(at.chip) +
                           " has a module of rtl.nodes: expected a node of foreign_nodes");
}

tlm::tlm_initiator_socket<>& Board::node_memory(const Node& node) {
  return parts_->free_node(node).memory.socket;
}

tlm::tlm_base_target_socket_b<>& Board::node_requests(const Node& node) {
  return parts_->free_node(node).requests;
}

tvp::support::ForeignMemory* Board::Parts::device(const Node& at) const {
  for (const auto& chip : machine->chips()) {
    if (chip->id() != at.chip) continue;
    auto* const tile = chip->tensix_at(at.x, at.y);
    if (tile != nullptr) return tile->devices();
  }
  return nullptr;
}

tlm::tlm_initiator_socket<>& Board::device(const Node& at) {
  tvp::support::ForeignMemory* const device = parts_->device(at);
  if (device != nullptr && !parts_->rtl->is_device(at)) return device->socket;
  throw std::runtime_error(std::string(name()) + ": device() expects a tile of foreign_devices");
}

EthernetPort Board::ethernet(const EthernetChannel& at) {
  const auto& links = parts_->machine->foreign_links();
  const auto found = links.find({at.chip, at.channel});
  if (found == links.end()) {
    throw std::runtime_error(std::string(name()) + ": ethernet(): channel " +
                             std::to_string(at.channel) + " of chip " + std::to_string(at.chip) +
                             " is not in foreign_links");
  }
  return {found->second->out, found->second->in};
}

std::uint64_t Board::noc_address(unsigned x, unsigned y, std::uint64_t offset, unsigned noc) {
  using tvp::noc::ForeignNode;
  return offset | std::uint64_t{x} << ForeignNode::kXShift |
         std::uint64_t{y} << ForeignNode::kYShift | std::uint64_t{noc} << ForeignNode::kNocShift;
}

bool Board::idle() const { return parts_->machine->idle(); }

std::vector<std::string> Board::waiting() const {
  std::vector<std::string> lines;
  for (const auto& chip : parts_->machine->chips()) {
    for (const auto& tile : chip->dram_tiles()) {
      for (unsigned channel = 0; channel < tile->channels(); ++channel) {
        if (const auto* memory = tile->foreign_memory(channel)) memory->describe_open(lines);
      }
    }
    for (const auto& node : chip->foreign_nodes()) node->memory.describe_open(lines);
    for (const auto& tile : chip->tensix_tiles()) {
      if (const auto* devices = tile->devices()) devices->describe_open(lines);
    }
    if (const auto* host = chip->pcie().foreign_memory()) host->memory.describe_open(lines);
    chip->describe_waiting(lines);
  }
  for (const auto& [at, link] : parts_->machine->foreign_links()) link->describe_open(lines);
  return lines;
}

std::string Board::report() const {
  parts_->machine->follow_kernel();
  return parts_->machine->report();
}

std::uint64_t Board::digest() const {
  parts_->machine->follow_kernel();
  parts_->machine->settle();
  return parts_->machine->state_digest();
}

/// Moves the enabled bytes, in runs. False at an address where nothing is.
bool Board::Parts::access(tlm::tlm_generic_payload& payload) {
  machine->follow_kernel();
  try {
    if (payload.get_byte_enable_ptr() != nullptr)
      pci.check(payload.get_address(), payload.get_data_length());
    tvp::support::for_enabled_runs(payload, [&](std::uint32_t first, std::uint32_t bytes) {
      pci.access(payload.get_address() + first, payload.get_data_ptr() + first, bytes,
                 payload.is_write());
      return true;
    });
  } catch (const Fault& fault) {
    const std::string text =
        socket_name + ": " + fault.what() + ", at " + sc_core::sc_time_stamp().to_string();
    SC_REPORT_WARNING(kMessage, text.c_str());
    return false;
  }
  base->woken();
  return true;
}

void Board::Parts::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  // The cores stand at sc_time_stamp(), so the caller catches up with its annotated delay.
  if (delay != sc_core::SC_ZERO_TIME && sc_core::sc_get_current_process_handle().valid()) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  payload.set_response_status(access(payload) ? tlm::TLM_OK_RESPONSE
                                              : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

unsigned Board::Parts::serve_debug(tlm::tlm_generic_payload& payload) {
  tlm::tlm_generic_payload plain;
  plain.set_command(payload.get_command());
  plain.set_address(payload.get_address());
  plain.set_data_ptr(payload.get_data_ptr());
  plain.set_data_length(payload.get_data_length());
  return access(plain) ? payload.get_data_length() : 0;
}

void Board::start_of_simulation() {
  // Not at the end, since a simulation need not call sc_stop().
  parts_->machine->faults().set_listener(
      [](const std::string& text) { SC_REPORT_WARNING(kMessage, text.c_str()); });
  try {
    parts_->machine->start();
  } catch (const Fault& fault) {
    SC_REPORT_ERROR(kMessage, fault.what());
  }
  parts_->base->woken();
}

void Board::end_of_simulation() {
  tvp::platform::Machine& machine = *parts_->machine;
  machine.follow_kernel();
  for (const std::string& warning : machine.faults().repetitions()) {
    SC_REPORT_WARNING(kMessage, warning.c_str());
  }
  machine.finish();
}

}  // namespace tensix_vp
