// The reports of PimMachine: faults with source lines, the JSON report, the digest.

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "foundation/hex.h"
#include "foundation/json_text.h"
#include "platform/machine/pim_machine.h"
#include "platform/machine/report/core_counts.h"
#include "platform/machine/report/state_digest.h"
#include "platform/machine/report/unit_waits.h"

namespace tvp::platform {

using Json = nlohmann::ordered_json;

std::string PimMachine::explain(const foundation::Fault& fault) const {
  std::string text = fault.what();
  for (const auto& unit : units_) {
    if (unit->where() != fault.where()) continue;
    text = fault.where() + " (" + hierarchy_.name_of(unit->number()) + "): " + fault.message();
    if (unit->tasklets() != nullptr) return text + lines_of(fault);
    const std::string at = symbols_.describe(0, unit->number(), 0, 0, unit->core().pc());
    if (!at.empty()) text += "\n  in " + at;
    text += sender_of(fault.message(), unit->number());
  }
  return text;
}

/// The line that has sent the message of a fault, "message of 4 bytes from unit 0 at …, channel 2".
std::string PimMachine::sender_of(const std::string& message, unsigned receiver) const {
  static constexpr std::string_view kFrom = " from unit ", kChannel = ", channel ";
  const std::size_t from = message.find(kFrom), channel = message.find(kChannel);
  if (!message.starts_with("message of ") || from == std::string::npos ||
      channel == std::string::npos)
    return "";
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned>(std::strtoul(message.c_str() + at, nullptr, 10));
  };
  const unsigned sender = number(from + kFrom.size());
  const checks::TileChecks* const tile = checks_.at(sender, 0);
  if (tile == nullptr) return "";
  const std::uint32_t pc =
      tile->unit_record().sent_to(receiver, number(channel + kChannel.size())).pc;
  const std::string place = pc == 0 ? "" : symbols_.describe(0, sender, 0, 0, pc);
  return place.empty() ? "" : "\n  sent in " + place;
}

std::string PimMachine::lines_of(const foundation::Fault& fault) const {
  static constexpr std::string_view kPc = "pc 0x";
  const std::string& message = fault.message();
  std::string text;
  for (const auto& unit : units_) {
    if (unit->where() != fault.where()) continue;
    for (std::size_t at = message.find(kPc); at != std::string::npos;
         at = message.find(kPc, at + 1)) {
      const auto pc =
          static_cast<std::uint32_t>(std::strtoul(message.c_str() + at + kPc.size(), nullptr, 16));
      const std::string place = symbols_.describe(0, unit->number(), 0, 0, pc);
      if (!place.empty()) text += "\n  pc " + foundation::hex(pc) + " is in " + place;
    }
  }
  return text;
}

std::string PimMachine::system_json() const {
  Json json = Json::parse(system_.to_json());
  json["units"] = units_.size();
  json["levels"] = Json::array();
  for (const pim::PimHierarchy::Level& level : hierarchy_.levels()) {
    json["levels"].push_back({{"name", level.name}, {"count", level.count}});
  }
  json["clock_mhz"] = clock_mhz();
  json["tasklets"] = config_.pim.tasklets.value();
  json["bank_bytes"] = units_[0]->bank().bytes();
  if (!star_)
    json["mesh"] = {{"width", config_.mesh.width.value()},
                    {"height", config_.mesh.height.value()},
                    {"node_map", config_.pim.node_map.value()}};
  if (star_) {
    json["switch"] = {{"chips", star_->tree().participants()},
                      {"halves", true},
                      {"alu", config_.switches.alu.value()},
                      {"packet_bytes", config_.pim.packet_bytes.value()},
                      {"levels", star_->tree().levels()}};
  }
  if (tiers_) {
    json["switch"] = {{"chips", channels_.chips_of_rank()},
                      {"halves", config_.pim.dq_halves.value()},
                      {"packet_bytes", config_.pim.packet_bytes.value()}};
  }
  return foundation::json_text(json);
}

std::uint64_t PimMachine::state_digest() const {
  StateDigest digest;
  digest.add_value(now());
  for (const auto& unit : units_) {
    const std::uint64_t tag = std::uint64_t{unit->number()} << 40;
    digest.add_memory(tag, unit->wram().bytes(), regs::pim::kWramBytes);
    unit->bank().storage().for_each_page(
        [&](std::uint64_t address, const std::uint8_t* bytes, std::size_t size) {
          digest.add_memory(tag + 1 + address, bytes, size);
        });
  }
  return digest.value();
}

void PimMachine::describe(Json& json) const {
  describe_units(json);
  describe_network(json);
}

void PimMachine::describe_bank(Json& json, const pim::BankUnit& unit) const {
  const auto& bank = unit.bank().stats();
  const auto& dma = unit.dma().stats();
  const double busy_ns = static_cast<double>(to_ps(dma.busy_cycles)) / 1000.0;
  json["dram"].push_back({{"name", unit.where() + ".bank"},
                          {"bytes_read", bank.bytes_read},
                          {"bytes_written", bank.bytes_written},
                          {"row_hits", bank.row_hits},
                          {"row_misses", bank.row_misses},
                          {"row_conflicts", bank.row_conflicts},
                          {"refreshes", bank.refreshes},
                          {"dma_descriptors", dma.descriptors},
                          {"dma_busy_ns", busy_ns}});
}

/// Tasklets of a unit count together.
void PimMachine::describe_tasklets(Json& json, const pim::BankUnit& unit) const {
  const pim::TaskletCore& core = *unit.tasklets();
  const bool runs = unit.state() == pim::BankUnit::State::kRunning;
  const std::string waits = runs ? unit.waits_for() : "";
  json["cores"].push_back(
      {{"name", unit.where()},
       {"state", !runs           ? "in reset"
                 : waits.empty() ? "running"
                                 : "waiting"},
       {"pc", foundation::hex(core.pc(0))},
       {"source", symbols_.describe(0, unit.number(), 0, 0, core.pc(0))},
       {"executed_instructions", core.stats().instructions},
       {"wram_waits_ns", static_cast<double>(to_ps(core.stats().port_waits)) / 1000.0}});
  if (!waits.empty()) {
    json["waiting"].push_back("unit " + std::to_string(unit.number()) + " (" +
                              hierarchy_.name_of(unit.number()) + ") " + waits);
  }
}

void PimMachine::describe_units(Json& json) const {
  std::vector<const riscv::Core*> described;
  json["cores"] = Json::array();
  const std::string stuck = network_.why_stuck();
  if (!stuck.empty()) json["stuck"] = stuck;
  json["waiting"] = Json::array();
  json["dram"] = Json::array();
  for (const auto& unit : units_) {
    const riscv::Core& core = unit->core();
    if (unit->state() == pim::BankUnit::State::kStopped) continue;
    if (unit->tasklets() != nullptr) {
      describe_tasklets(json, *unit);
      describe_bank(json, *unit);
      continue;
    }
    const riscv::CoreState state = core.state_at(now());
    const std::string at = symbols_.describe(0, unit->number(), 0, 0, core.pc());
    json["cores"].push_back({{"name", unit->where()},
                             {"state", riscv::to_string(state)},
                             {"pc", foundation::hex(core.pc())},
                             {"source", at}});
    described.push_back(&core);
    describe_bank(json, *unit);
  }
  for (const std::string& line :
       UnitWaits(units_, hierarchy_, checks_, symbols_, now()).graph().lines())
    json["waiting"].push_back(line);
  // The waits are reported. The counts need all cores settled up to now.
  settle();
  if (!described.empty()) tell_counts(json["cores"], described, now());
  std::uint64_t executed = 0;
  std::uint64_t slept = 0;
  for (const auto& unit : units_) {
    executed += unit->executed_instructions();
    slept += unit->core().slept_instructions(now());
  }
  json["executed_instructions"] = executed;
  json["slept_instructions"] = slept;
}

std::vector<const mesh::MeshNetwork*> PimMachine::meshes() const {
  if (star_) return {};
  if (rank_mesh_) return {&rank_mesh_->mesh()};
  std::vector<const mesh::MeshNetwork*> meshes;
  for (unsigned chip = 0; chip < tiers_->chips(); ++chip) meshes.push_back(&tiers_->mesh(chip));
  return meshes;
}

namespace {

constexpr mesh::Port kMeshLinks[] = {mesh::Port::kNorth, mesh::Port::kEast, mesh::Port::kSouth,
                                     mesh::Port::kWest};

std::uint64_t flits_of(const mesh::MeshNetwork& mesh, unsigned node, mesh::Port port) {
  return mesh.statistics().link_flits[std::size_t{node} * mesh::kPorts + mesh::index(port)];
}

}  // namespace

void PimMachine::describe_links(Json& json, const mesh::MeshNetwork& mesh,
                                const std::string& where) const {
  const mesh::MeshTopology& topology = mesh.topology();
  const double cycle_ns = 1000.0 / static_cast<double>(clock_mhz());
  for (const mesh::Port port : kMeshLinks) {
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      const std::uint64_t flits = flits_of(mesh, node, port);
      if (flits == 0) continue;
      json["links"].push_back({{"name", where + topology.name_of_link(node, port)},
                               {"bytes", flits * config_.pim.flit_bytes.value()},
                               {"flits", flits},
                               {"busy_ns", static_cast<double>(flits) * cycle_ns},
                               {"peak", config_.pim.flit_bytes.value() / cycle_ns}});
    }
  }
}

/// Rows run from north to south, with the coordinates of the routers. The meshes of a rank's chips
/// stand side by side, and ranks below each other.
void PimMachine::describe_heat(Json& json) const {
  const std::vector<const mesh::MeshNetwork*> all = meshes();
  const mesh::MeshTopology& topology = all[0]->topology();
  const auto across = static_cast<unsigned>(
      std::min<std::size_t>(all.size(), rank_mesh_ ? 1 : channels_.chips_of_rank()));
  const unsigned down = static_cast<unsigned>(all.size()) / across;
  // Links count their busy time in these cycles, too.
  const auto cycles = static_cast<double>(std::max<support::Cycle>(now(), 1));
  Json columns = Json::array();
  for (unsigned x = 0; x < across * topology.width(); ++x) {
    const std::string chip = across > 1 ? std::to_string(x / topology.width()) + "." : "";
    columns.push_back(chip + std::to_string(x % topology.width()));
  }
  Json labels = Json::array();
  for (unsigned row = 0; row < down * topology.height(); ++row) {
    const std::string rank = down > 1 ? std::to_string(row / topology.height()) + "." : "";
    labels.push_back(rank + std::to_string(topology.height() - 1 - row % topology.height()));
  }
  for (const mesh::Port port : kMeshLinks) {
    Json rows = Json::array();
    for (unsigned row = 0; row < down * topology.height(); ++row) {
      Json line = Json::array();
      for (unsigned x = 0; x < across * topology.width(); ++x) {
        const mesh::MeshNetwork& mesh =
            *all[row / topology.height() * across + x / topology.width()];
        const unsigned node =
            topology.node_at(x % topology.width(), topology.height() - 1 - row % topology.height());
        line.push_back(100 * static_cast<double>(flits_of(mesh, node, port)) / cycles);
      }
      rows.push_back(std::move(line));
    }
    json["heatmaps"].push_back({{"name", std::string("load of links ") + mesh::name_of(port) +
                                             (rank_mesh_ ? "" : ", columns chip.x, rows rank.y")},
                                {"unit", "% of simulated time"},
                                {"rows", labels},
                                {"columns", columns},
                                {"values", std::move(rows)}});
  }
}

/// Slots of the command/address buses.
void PimMachine::describe_commands(Json& json) const {
  const double ck_ns = channels_.preset().timing.tck.ns();
  for (unsigned number = 0; number < channels_.count(); ++number) {
    const ddr::CaBus::Stats& s = channels_[number].commands.stats();
    if (s.normal_slots + s.pim_slots == 0) continue;
    const std::string name = "channel" + std::to_string(number) + ".ca";
    json["metrics"][name + ".normal_slots"] = {{"value", s.normal_slots}, {"unit", "slots"}};
    json["metrics"][name + ".pim_slots"] = {{"value", s.pim_slots}, {"unit", "slots"}};
    json["metrics"][name + ".waited"] = {{"value", static_cast<double>(s.waited) * ck_ns},
                                         {"unit", "ns"}};
    const ddr::RankControl::Stats& control = channels_[number].control.stats();
    if (control.messages == 0) continue;
    const auto metric = [&](const std::string& what, std::uint64_t value, const char* unit) {
      json["metrics"][name + "." + what] = {{"value", value}, {"unit", unit}};
    };
    metric("messages", control.messages, "");
    metric("broadcasts", control.broadcasts, "");
    metric("message_bytes", control.bytes, "bytes");
    for (std::size_t rank = 0; rank < control.deliveries.size(); ++rank)
      metric("rank" + std::to_string(rank) + ".deliveries", control.deliveries[rank], "");
  }
}

/// Adds the connections of the crossbars between the chips of a rank.
void PimMachine::describe_crossbars(Json& json) const {
  const double ck_ns = channels_.preset().timing.tck.ns();
  for (unsigned rank = 0; rank < tiers_->ranks(); ++rank) {
    const switching::Crossbar::Stats& s = channels_.rank(rank).crossbar.stats();
    if (s.connections == 0) continue;
    const std::string name = "rank" + std::to_string(rank) + ".crossbar.";
    json["metrics"][name + "switches"] = {{"value", s.connections}, {"unit", ""}};
    json["metrics"][name + "blocked_attempts"] = {{"value", s.blocked}, {"unit", ""}};
    json["metrics"][name + "blocked"] = {{"value", static_cast<double>(s.blocked_cycles) * ck_ns},
                                         {"unit", "ns"}};
  }
}

/// Adds the host's reads and writes during the run.
void PimMachine::describe_host_traffic(Json& json) const {
  const double ck_ns = channels_.preset().timing.tck.ns();
  for (unsigned number = 0; number < host_traffic_.channels(); ++number) {
    const pim::HostTraffic::Totals& t = host_traffic_.totals(number);
    const dram::ChannelStats& s = host_traffic_.stats(number);
    const std::string channel = "channel" + std::to_string(number);
    const std::string name = channel + ".host.";
    const auto metric = [&](const char* what, double value, const char* unit) {
      json["metrics"][name + what] = {{"value", value}, {"unit", unit}};
    };
    const double active_ns = static_cast<double>(t.active) * ck_ns;
    metric("requests", static_cast<double>(t.read_latency.count() + t.write_latency.count()), "");
    metric("bandwidth", active_ns > 0 ? static_cast<double>(t.bytes) / active_ns : 0, "GB/s");
    metric("read_mean", t.read_latency.mean() * ck_ns, "ns");
    metric("read_p50", static_cast<double>(t.read_latency.percentile(0.5)) * ck_ns, "ns");
    metric("read_p99", static_cast<double>(t.read_latency.percentile(0.99)) * ck_ns, "ns");
    metric("read_max", static_cast<double>(t.read_latency.max()) * ck_ns, "ns");
    metric("write_mean", t.write_latency.mean() * ck_ns, "ns");
    const std::uint64_t burst = channels_.preset().organization.burst_bytes();
    json["dram"].push_back({{"name", channel + ".host"},
                            {"bytes_read", t.read_latency.count() * burst},
                            {"bytes_written", t.write_latency.count() * burst},
                            {"row_hits", s.row_hits},
                            {"row_misses", s.row_misses},
                            {"row_conflicts", s.row_conflicts}});
  }
}

/// Adds the bytes that the host forwarded between memory channels, by source channel.
void PimMachine::describe_forwarding(Json& json) const {
  const pim::HostForwarder& host = tiers_->host();
  const double ck_ns = channels_.preset().timing.tck.ns();
  for (unsigned number = 0; number < host.channels(); ++number) {
    const pim::HostForwarder::Stats& s = host.stats(number);
    if (s.packets == 0) continue;
    const std::string name = "channel" + std::to_string(number) + ".forward";
    json["metrics"][name + ".packets"] = {{"value", s.packets}, {"unit", ""}};
    json["metrics"][name + ".most_queued"] = {{"value", s.most_queued}, {"unit", "packets"}};
    json["metrics"][name + ".mean_wait"] = {
        {"value", static_cast<double>(s.waited) * ck_ns / static_cast<double>(s.packets)},
        {"unit", "ns"}};
    json["links"].push_back({{"name", name},
                             {"bytes", s.bytes},
                             {"busy_ns", static_cast<double>(s.busy) * ck_ns},
                             {"peak", host.gb_s()}});
  }
}

/// Adds the traffic outside of chips, and the pins that it used.
void PimMachine::describe_tiers(Json& json) const {
  const pim::TieredNetwork::Stats& s = tiers_->stats();
  const auto metric = [&](const std::string& name, std::uint64_t value, const char* unit) {
    json["metrics"][name] = {{"value", value}, {"unit", unit}};
  };
  metric("packets_between_chips", s.packets_between_chips, "");
  metric("bytes_between_chips", s.bytes_between_chips, "bytes");
  metric("packets_between_ranks", s.packets_between_ranks, "");
  metric("packets_as_commands", s.packets_as_commands, "");
  metric("bytes_between_ranks", s.bytes_between_ranks, "bytes");
  metric("packets_between_channels", s.packets_between_channels, "");
  if (s.multicasts != 0) metric("multicasts_in_switch", s.multicasts, "packets");
  if (s.reductions != 0) metric("reductions_in_switch", s.reductions, "packets");
  if (s.reductions != 0) metric("most_to_combine", s.most_to_combine, "packets");
  metric("most_queued_into_chip", s.most_queued, "packets");
  metric("most_queued_out_of_chip", s.most_leaving, "packets");
  metric("most_queued_in_buffer", s.most_in_buffer, "packets");
  const double ck_ns = units_[0]->bank().timing().tck.ns();
  const auto mean = [&](const char* name, dram::MemCycle waited, std::uint64_t packets) {
    const double each =
        static_cast<double>(waited) / static_cast<double>(std::max<std::uint64_t>(packets, 1));
    json["metrics"][name] = {{"value", each * ck_ns}, {"unit", "ns"}};
  };
  mean("mean_wait_out_of_chip", s.waited_to_leave,
       s.packets_between_chips + s.packets_between_ranks + s.packets_between_channels);
  mean("mean_wait_in_buffer", s.waited_in_buffer,
       s.packets_between_ranks + s.packets_between_channels);
  describe_forwarding(json);
  describe_crossbars(json);
  for (unsigned rank = 0; rank < tiers_->ranks(); ++rank) {
    const ddr::DqLanes& lanes = tiers_->lanes(rank);
    for (unsigned channel = 0; channel < lanes.channels(); ++channel) {
      const ddr::DqLanes::Stats& pins = lanes.stats(channel);
      if (pins.bytes == 0) continue;
      json["links"].push_back(
          {{"name", "rank" + std::to_string(rank) + ".dq" + std::to_string(channel)},
           {"bytes", pins.bytes},
           {"busy_ns", static_cast<double>(pins.busy) * ck_ns},
           {"turnarounds", pins.turnarounds},
           {"peak", lanes.pins_a_direction() / 4.0 / ck_ns}});
    }
  }
}

void PimMachine::describe_network(Json& json) const {
  json["links"] = Json::array();
  json["heatmaps"] = Json::array();
  json["metrics"] = Json::object();
  const auto metric = [&](const std::string& name, std::uint64_t value, const char* unit) {
    json["metrics"][name] = {{"value", value}, {"unit", unit}};
  };
  mesh::Statistics sum;
  std::uint64_t in_flight = 0;
  json["mesh_faults"] = Json::array();
  const std::vector<const mesh::MeshNetwork*> all = meshes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const mesh::Statistics& s = all[i]->statistics();
    sum.packets_injected += s.packets_injected;
    sum.packets_delivered += s.packets_delivered;
    sum.packets_damaged += s.packets_damaged;
    in_flight += all[i]->in_flight();
    for (const std::string& line : all[i]->fault_log()) json["mesh_faults"].push_back(line);
    sum.packets_routed += s.packets_routed;
    sum.packets_blocked += s.packets_blocked;
    sum.total_hops += s.total_hops;
    sum.retries += s.retries;
    sum.packets_lost += s.packets_lost;
    describe_links(json, *all[i], all.size() == 1 ? "" : "chip" + std::to_string(i) + ".");
  }
  if (!all.empty()) describe_heat(json);
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t dma_bytes = 0;
  for (const auto& unit : units_) {
    messages += unit->stop().stats().messages_sent;
    bytes += unit->stop().stats().bytes_sent;
    dma_bytes += unit->dma().stats().bytes_read + unit->dma().stats().bytes_written;
  }
  metric("messages", messages, "");
  metric("message_bytes", bytes, "bytes");
  metric("dma_bytes", dma_bytes, "bytes");
  metric("packets_injected", sum.packets_injected, "");
  metric("packets_in_flight", in_flight, "");
  metric("packets_damaged", sum.packets_damaged, "");
  metric("packets_delivered", sum.packets_delivered, "");
  metric("packets_routed", sum.packets_routed, "");
  metric("packets_blocked", sum.packets_blocked, "");
  metric("total_hops", sum.total_hops, "");
  metric("packets_sent_again", sum.retries, "");
  metric("packets_lost", sum.packets_lost, "");
  metric("barriers", barrier_.passed(), "");
  describe_commands(json);
  if (host_traffic_.wanted()) describe_host_traffic(json);
  if (tiers_) describe_tiers(json);
  if (star_) describe_star(json);
}

}  // namespace tvp::platform
