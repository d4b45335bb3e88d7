#include "platform/machine/pim_machine.h"

#include <algorithm>
#include <cmath>

#include "foundation/elf_image.h"
#include "foundation/hex.h"
#include "foundation/regs/pim.h"
#include "models/rtl/rtl_module.h"
#include "platform/machine/waves/mesh_waves.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Refuses settings of networks that this system lacks.
void refuse_other_networks(const SystemDescription& system, const PlatformConfig& config) {
  const std::string other = config.pim.network == "star" ? "mesh." : "switch.";
  const auto refuse = [&](const std::string& key, const std::string& where) {
    throw Fault(FaultKind::kDescription, where,
                "'" + key + "' has no effect with pim.network = " + config.pim.network.value() +
                    ": expected pim.network = " +
                    (other == "mesh." ? "mesh or tiers" : "star, as pim_star has"));
  };
  for (const std::string& key : config.explicitly_set)
    if (key.starts_with(other)) refuse(key, "");
  for (const auto& [key, setting] : system.settings)
    if (key.starts_with(other)) refuse(key, setting.where);
}

const pim::PimConfig& checked(const SystemDescription& system, const PlatformConfig& config) {
  refuse_other_networks(system, config);
  if (config.foreign.shared_kernel && config.pim.ca_barrier != "tlm") {
    // The barrier gets its clock edges between two cycles of Machine::clock().
    throw Fault(FaultKind::kDescription, "pim.ca_barrier",
                config.pim.ca_barrier.value() +
                    " is not available where a user runs the SystemC kernel: expected tlm");
  }
  if (config.pim.tasklets != 0 && config.gdb.port != 0) {
    throw Fault(FaultKind::kDescription, "gdb.port",
                "the debugger does not see tasklets: expected pim.tasklets=0 with it");
  }
  pim::check(config.pim);
  if (!config.mesh.clock_mhz.is_default() &&
      config.mesh.clock_mhz.value() != config.pim.clock_mhz.value()) {
    throw Fault(FaultKind::kDescription, "",
                "mesh.clock_mhz: the mesh of a PIM system has the clock of its units, "
                "pim.clock_mhz = " +
                    config.pim.clock_mhz.text());
  }
  return config.pim;
}

mesh::MeshTopology topology_of_meshes(const PlatformConfig& config) {
  if (config.pim.network == "tiers") return pim::TieredNetwork::chip_topology(config.mesh);
  return {config.mesh.width, config.mesh.height};
}

using RtlOfMeshes = std::vector<std::unique_ptr<rtl::RouterArray>>;

/// The RTL of the single mesh, or of the mesh of each chip.
RtlOfMeshes rtl_of_meshes(const PlatformConfig& config, const pim::PimHierarchy& hierarchy,
                          const mesh::MeshTopology& topology) {
  const bool tiers = config.pim.network == "tiers";
  if (config.pim.network == "star") {
    RtlOfMeshes none;
    none.emplace_back();
    return none;
  }
  const unsigned meshes = tiers ? hierarchy.units() / hierarchy.units_within(0) : 1;
  RtlOfMeshes list;
  for (unsigned number = 0; number < meshes; ++number) {
    const std::string name = tiers ? "chip" + std::to_string(number) + "_mesh" : "mesh";
    list.push_back(rtl::make_rtl_routers(name.c_str(), config.mesh, topology,
                                         {.number = number, .meshes = meshes}));
  }
  return list;
}

/// One mesh for all units.
std::unique_ptr<pim::RankMesh> rank_mesh(const PlatformConfig& config,
                                         const pim::PimHierarchy& hierarchy,
                                         support::Calendar& calendar, rtl::RouterArray* routers) {
  if (config.pim.network != "mesh") return nullptr;
  return std::make_unique<pim::RankMesh>(config.pim, config.mesh, hierarchy.units(), calendar,
                                         routers);
}

std::unique_ptr<pim::TieredNetwork> tiers(const PlatformConfig& config,
                                          const pim::PimHierarchy& hierarchy,
                                          pim::ChannelArray& channels, support::Calendar& calendar,
                                          const RtlOfMeshes& routers) {
  if (config.pim.network != "tiers") return nullptr;
  std::vector<mesh::RouterClock*> clocks;
  for (const auto& r : routers) clocks.push_back(r.get());
  return std::make_unique<pim::TieredNetwork>(config.pim, config.mesh, hierarchy, channels,
                                              calendar, clocks);
}

std::unique_ptr<pim::StarNetwork> star(const PlatformConfig& config,
                                       const pim::PimHierarchy& hierarchy,
                                       support::Calendar& calendar) {
  if (config.pim.network != "star") return nullptr;
  return std::make_unique<pim::StarNetwork>(config.pim, config.switches, hierarchy, calendar);
}

pim::Network& one_of(pim::RankMesh* mesh, pim::TieredNetwork* tiers, pim::StarNetwork* star) {
  if (mesh != nullptr) return *mesh;
  if (tiers != nullptr) return *tiers;
  return *star;
}

std::unique_ptr<rtl::BarrierController> ca_barrier(const pim::PimConfig& config,
                                                   pim::ChannelArray& channels) {
  if (config.ca_barrier == "tlm") return nullptr;
  if (channels.count() > 1) {
    throw Fault(FaultKind::kDescription, "pim.ca_barrier",
                "rtl knows the ranks of one channel, pim.hierarchy has " +
                    std::to_string(channels.count()) + " channels: expected tlm");
  }
  const dram::Timing& timing = channels.preset().timing;
  return rtl::rtl_module("pim.ca_barrier")
      .make_barrier(
          "channel0_ca_barrier",
          {.bus = channels[0].commands,
           .slots_of_word = timing.other_slots,
           .request_cycles = config.bus_request_cycles,
           .scheme = config.barrier_scheme == "broadcasts" ? ddr::BarrierScheme::kBroadcasts
                                                           : ddr::BarrierScheme::kController,
           .to_wave = dram::ClockRatio(timing.tck, dram::Period::of_mhz(config.clock_mhz))});
}

}  // namespace

PimMachine::PimMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
                       PlatformConfig& config)
    : Machine(name, system, config, checked(system, config).clock_mhz),
      hierarchy_(pim::PimHierarchy::parse(config.pim.hierarchy.value())),
      calendar_(pim::lookahead(config.pim)),
      channels_(config.pim, hierarchy_, *dram::find_preset(config.pim.dram.value()), faults_),
      topology_(topology_of_meshes(config)),
      rtl_(rtl_of_meshes(config, hierarchy_, topology_)),
      rank_mesh_(rank_mesh(config, hierarchy_, calendar_, rtl_.front().get())),
      tiers_(tiers(config, hierarchy_, channels_, calendar_, rtl_)),
      star_(star(config, hierarchy_, calendar_)),
      network_(one_of(rank_mesh_.get(), tiers_.get(), star_.get())),
      host_traffic_(config.host_traffic, config.pim, channels_, calendar_, *this),
      host_access_(channels_),
      ca_barrier_(ca_barrier(config.pim, channels_)),
      barrier_(config.pim, channels_, calendar_, ca_barrier_.get()),
      entries_(hierarchy_.units()) {
  make_channel_blocks();
  const dram::Preset& preset = *dram::find_preset(config.pim.dram.value());
  const unsigned banks = hierarchy_.units_within(0);
  for (unsigned chip = 0; chip < hierarchy_.units() / banks; ++chip) {
    chips_.push_back(std::make_unique<dram::ActivationWindow>(preset.timing));
  }
  for (unsigned number = 0; number < hierarchy_.units(); ++number) {
    const std::string where = "unit" + std::to_string(number);
    units_.push_back(std::make_unique<pim::BankUnit>(
        where.c_str(), pim::BankUnit::Environment{.where = where,
                                                  .number = number,
                                                  .units = hierarchy_.units(),
                                                  .config = config.pim,
                                                  .riscv = config.riscv,
                                                  .dram = preset,
                                                  .chip = *chips_[number / banks],
                                                  .messages = messages_,
                                                  .network = network_,
                                                  .barrier = barrier_,
                                                  .calendar = calendar_,
                                                  .faults = faults_}));
    const riscv::Core& core = units_.back()->core();
    checks::TileChecks& unit_checks = checks_.add({.x = number,
                                                   .where = where,
                                                   .cores = {{core.master(), 0, where}},
                                                   .kind = checks::TileContext::Kind::kPimUnit,
                                                   .keeps_stores = config.run.keep_stores,
                                                   .events = event_file(),
                                                   .names = symbols_,
                                                   .faults = faults_,
                                                   .warnings = faults_});
    units_.back()->set_probe(&unit_checks.probe());
  }
  add_calendar(calendar_);
  for (unsigned i = 0; i < mesh_count(); ++i)
    mesh(i).report_to(&faults_, [this](support::Cycle cycle) { return time_of(cycle); });
  if (config.foreign.shared_kernel) {
    block_ = std::make_unique<support::CalendarBlock>(calendar_,
                                                      dram::Period::of_mhz(config.pim.clock_mhz));
  }
  faults_.set_lines([this](const foundation::Fault& fault) { return lines_of(fault); });
}

/// RTL of the command/address buses and of the crossbars. It answers within calls, so it needs no
/// edges from SystemC.
void PimMachine::make_channel_blocks() {
  const dram::Timing& timing = channels_.preset().timing;
  const dram::Period units = dram::Period::of_mhz(config_.pim.clock_mhz);
  const rtl::ChannelClock clock{.calendar = calendar_,
                                .to_ck = dram::ClockRatio(units, timing.tck),
                                .to_wave = dram::ClockRatio(timing.tck, units)};
  const bool beside = host_traffic_.wanted() && config_.host_traffic.target == "side_ranks";
  const unsigned side_ranks = beside ? config_.host_traffic.side_ranks.value() : 0;
  for (unsigned i = 0; config_.pim.ca_bus == "rtl" && i < channels_.count(); ++i) {
    ddr::CaBus& bus = channels_[i].commands;
    ca_buses_.push_back(rtl::rtl_module("pim.ca_bus")
                            .make_ca_controller("pim.channel" + std::to_string(i) + ".ca_bus",
                                                {.timing = timing,
                                                 .ranks = bus.ranks() + side_ranks,
                                                 .request_cycles = config_.pim.bus_request_cycles,
                                                 .clock = clock}));
    bus.replace(*ca_buses_.back());
  }
  const unsigned ranks = channels_.count() * channels_.ranks_of_channel();
  for (unsigned i = 0; config_.pim.crossbar == "rtl" && i < ranks; ++i) {
    switching::InterChipSwitch& chips = channels_.rank(i).crossbar;
    crossbars_.push_back(rtl::rtl_module("pim.crossbar")
                             .make_crossbar("pim.rank" + std::to_string(i) + ".crossbar",
                                            {.ports = chips.chips(), .clock = clock}));
    chips.replace(*crossbars_.back());
  }
}

unsigned PimMachine::mesh_count() const {
  if (rank_mesh_) return 1;
  return tiers_ ? tiers_->chips() : 0;
}

mesh::MeshNetwork& PimMachine::mesh(unsigned number) {
  return rank_mesh_ ? rank_mesh_->mesh() : tiers_->mesh(number);
}

std::vector<CoreSite> PimMachine::core_sites() {
  static constexpr const char* kAgents[] = {"the stop or the host", "the DMA engine",
                                            "the barrier"};
  std::vector<CoreSite> sites;
  for (const auto& unit : units_) {
    sites.push_back({.core = &unit->core(),
                     .name = "unit " + std::to_string(unit->number()),
                     .calendar = &calendar_,
                     .tile = unit->calendar_index(),
                     .agents = kAgents,
                     .chip = 0,
                     .x = unit->number(),
                     .y = 0,
                     .kind = 0,
                     .is_pim = true,
                     .tasklets = unit->tasklets()});
  }
  return sites;
}

std::optional<riscv::SourceLocation> PimMachine::place_of(const CoreSite& site,
                                                          std::uint32_t address) const {
  return symbols_.place_of({site.chip, site.x, site.y, site.kind}, address);
}

/// The programs of units have no firmware below them.
bool PimMachine::is_firmware(const CoreSite&, std::uint32_t) const { return false; }

bool PimMachine::has_unfinished_programs() const {
  return std::any_of(units_.begin(), units_.end(), [](const auto& unit) {
    return unit->state() == pim::BankUnit::State::kRunning;
  });
}

void PimMachine::start() {
  if (config_.run.lockstep) {
    for (const auto& unit : units_) unit->core().set_poll_sleep(false);
  }
  Machine::start();
}

void PimMachine::watch(support::WaveRecorder& recorder) {
  constexpr unsigned kDepthBits = 8;
  for (const auto& unit : units_) {
    core_waves_.watch(recorder, unit->core(), unit->where() + ".core", symbols_,
                      {0, unit->number(), 0, 0});
    recorder.watch(unit->dma().depth_signal(),
                   {.path = unit->where() + ".dma.depth", .width = kDepthBits});
  }
  if (star_) {
    watch_star(recorder);
  } else {
    watch_meshes(recorder);
  }
  if (ca_barrier_) ca_barrier_->watch(recorder, "channel0.ca_barrier");
  for (std::size_t i = 0; i < ca_buses_.size(); ++i)
    ca_buses_[i]->watch(recorder, "channel" + std::to_string(i) + ".ca_bus");
  for (std::size_t i = 0; i < crossbars_.size(); ++i)
    crossbars_[i]->watch(recorder, "rank" + std::to_string(i) + ".crossbar");
}

void PimMachine::watch_star(support::WaveRecorder& recorder) {
  for (unsigned node = 0; node < star_->tree().nodes(); ++node) {
    if (star_->tree().parent(node) == switching::SwitchTree::kNone) continue;
    for (pim::StarLink* const link : {&star_->up(node), &star_->down(node)})
      recorder.watch(link->busy, {.path = "star." + star_->name_of(*link)});
  }
}

/// Watches the single mesh, or that of each chip.
void PimMachine::watch_meshes(support::WaveRecorder& recorder) {
  link_signals_.resize(mesh_count());
  for (unsigned i = 0; i < mesh_count(); ++i) {
    mesh::MeshNetwork& mesh = this->mesh(i);
    const std::string path = rank_mesh_ ? "mesh" : "chip" + std::to_string(i) + ".mesh";
    watch_links(recorder, path, mesh.topology(), link_signals_[i]);
    mesh.set_link_signals(link_signals_[i].data());
    if (rtl_[i]) watch_pins(recorder, path, mesh.topology(), *rtl_[i]);
  }
}

pim::BankUnit& PimMachine::unit(unsigned number) {
  if (number >= units_.size()) {
    throw Fault(FaultKind::kDescription, "host",
                "unit " + std::to_string(number) + ": the system " + system_.name +
                    " has units 0 to " + std::to_string(units_.size() - 1));
  }
  return *units_[number];
}

void PimMachine::set_owner(unsigned number, Owner owner) {
  pim::BankUnit& u = unit(number);
  if (u.state() == pim::BankUnit::State::kRunning) {
    throw Fault(FaultKind::kDescription, u.where(),
                "cannot change the owner of its bank while its program runs");
  }
  const dram::ClockRatio to_dram(dram::Period::of_mhz(clock_mhz()), u.bank().timing().tck);
  u.bank().set_owner(owner == Owner::kHost ? dram::BankOwner::kHost : dram::BankOwner::kProcessor,
                     to_dram.up(now()));
}

UnitAccess::Owner PimMachine::owner(unsigned number) {
  return unit(number).bank().owner() == dram::BankOwner::kHost ? Owner::kHost : Owner::kProcessor;
}

pim::BankUnit& PimMachine::unit_of_access(unsigned number, std::uint64_t address,
                                          std::uint64_t bytes) {
  pim::BankUnit& u = unit(number);
  const std::string what = "access of the host to " + std::to_string(bytes) +
                           " bytes of the bank at " + std::to_string(address) + ": ";
  if (u.bank().owner() != dram::BankOwner::kHost) {
    throw Fault(FaultKind::kDescription, u.where(), what + "the bank's processor owns it");
  }
  if (address > u.bank().bytes() || bytes > u.bank().bytes() - address) {
    throw Fault(FaultKind::kDescription, u.where(),
                what + "it has " + std::to_string(u.bank().bytes()) + " bytes");
  }
  return u;
}

void PimMachine::access_bank(unsigned number, std::uint64_t address, std::uint8_t* data,
                             std::uint64_t bytes, bool write) {
  unit_of_access(number, address, bytes);
  if (!config_.foreign.shared_kernel) {
    const support::Cycle end = end_of_access(number, address, bytes, write);
    if (end > now()) clock(end - now());
  }
  debug_bank(number, address, data, bytes, write);
}

void PimMachine::debug_bank(unsigned number, std::uint64_t address, std::uint8_t* data,
                            std::uint64_t bytes, bool write) {
  dram::BankPort& bank = unit(number).bank();
  if (write) {
    bank.debug_write(address, data, bytes, now());
  } else {
    bank.debug_read(address, data, bytes, now());
  }
}

void PimMachine::access_wram(unsigned number, std::uint32_t address, std::uint8_t* data,
                             std::uint32_t bytes, bool write) {
  unit(number).access_wram(address, data, bytes, write);
}

bool PimMachine::peek_wram(unsigned number, std::uint32_t address, std::uint8_t* data,
                           std::uint32_t bytes) const {
  return number < units_.size() && units_[number]->peek_wram(address, data, bytes);
}

/// The time of the channel's bus and then of copying.
support::Cycle PimMachine::end_of_access(unsigned number, std::uint64_t address,
                                         std::uint64_t bytes, bool write) {
  unit_of_access(number, address, bytes);
  if (!config_.host.timed) return now();
  const dram::Period tck = channels_.preset().timing.tck;
  const dram::ClockRatio to_dram(dram::Period::of_mhz(clock_mhz()), tck);
  const dram::ClockRatio to_logic(tck, dram::Period::of_mhz(clock_mhz()));
  const dram::MemCycle done = host_access_.access(number, address, bytes, write, to_dram.up(now()));
  support::Cycle end = std::max(now(), to_logic.up(done));
  const double own_rate = write ? config_.host.copy_to_banks_gb_s.value() : 0;
  const double gb_s = own_rate > 0 ? own_rate : config_.host.copy_gb_s.value();
  if (gb_s > 0) {
    const double ns = static_cast<double>(bytes) / gb_s;
    end += static_cast<support::Cycle>(std::ceil(ns * static_cast<double>(clock_mhz()) / 1000));
  }
  return end;
}

void PimMachine::load(unsigned number, const std::string& elf_path) {
  const foundation::ElfImage image = foundation::ElfImage::from_file(elf_path);
  unit(number).load(image);
  entries_[number] = image.entry();
  before_load(0, number, 0, 0);
  symbols_.add(0, number, 0, 0, elf_path);
}

void PimMachine::write_iram(unsigned number, std::uint32_t offset, const std::uint8_t* data,
                            std::uint32_t bytes) {
  pim::BankUnit& u = unit(number);
  if (u.state() == pim::BankUnit::State::kRunning) {
    throw Fault(FaultKind::kDescription, u.where(),
                "access of the host to instruction memory while a program runs");
  }
  u.write_iram(offset, data, bytes);
}

void PimMachine::read_iram(unsigned number, std::uint32_t offset, std::uint8_t* data,
                           std::uint32_t bytes) {
  unit(number).read_iram(offset, data, bytes);
}

void PimMachine::set_entry(unsigned number, std::uint32_t entry) {
  const pim::BankUnit& u = unit(number);
  if (entry % 4 != 0 || entry - regs::pim::kIram >= regs::pim::kIramBytes) {
    throw Fault(FaultKind::kDescription, u.where(),
                "a program that begins at " + foundation::hex(entry) +
                    ": expected a multiple of 4 in instruction memory");
  }
  entries_[number] = entry;
}

std::optional<std::uint32_t> PimMachine::entry(unsigned number) {
  return entries_[unit(number).number()];
}

void PimMachine::start_units(std::span<const unsigned> units) {
  if (messages_.in_use() != 0) {
    throw Fault(FaultKind::kDescription, "host", "cannot start units while messages are in flight");
  }
  for (const unsigned number : units) {
    const pim::BankUnit& u = unit(number);
    if (!entries_[number])
      throw Fault(FaultKind::kDescription, u.where(), "started without a program");
    if (std::count(units.begin(), units.end(), number) != 1) {
      throw Fault(FaultKind::kDescription, u.where(), "is listed twice among the units to start");
    }
  }
  barrier_.make_group(units);
  host_access_.forget();
  host_traffic_.start(now());
  for (const unsigned number : units) unit(number).start(*entries_[number], now());
}

UnitAccess::State PimMachine::state(unsigned number) {
  const pim::BankUnit& u = unit(number);
  calendar_.settle(u.calendar_index());
  const bool exited = u.state() == pim::BankUnit::State::kExited;
  Run run = Run::kStopped;
  if (u.state() == pim::BankUnit::State::kRunning) run = Run::kRunning;
  if (exited) run = Run::kExited;
  return {.run = run,
          .exit_status = u.exit_status(),
          .started = u.started_at(),
          .ended = exited ? u.exited_at() : now(),
          .instructions = u.executed_instructions(),
          .slept_instructions = u.core().slept_instructions(now())};
}

const std::string& PimMachine::output(unsigned number) { return unit(number).output(); }

std::vector<std::uint32_t> PimMachine::scheduled_route(unsigned source, unsigned destination) {
  std::vector<std::uint32_t> links;
  network_.scheduled_route(unit(source).number(), unit(destination).number(), links);
  return links;
}

/// A tile may be ahead of the calendar's events, so a unit that ends at `now` or later still runs.
/// Units that wait while nothing is scheduled are not busy, so that the host detects the hang.
bool PimMachine::busy(support::Cycle now) const {
  bool running = false;
  for (const auto& unit : units_) {
    if (unit->state() == pim::BankUnit::State::kExited && unit->exited_at() >= now) return true;
    running |= unit->state() == pim::BankUnit::State::kRunning;
  }
  return running && calendar_.next() != support::kNever;
}

/// The host owns the banks without a processor.
bool PimMachine::host_owns(unsigned rank, unsigned bank) const {
  const unsigned banks = channels_.banks_of_chip();
  if (bank >= banks) return true;
  for (unsigned chip = 0; chip < channels_.chips_of_rank(); ++chip) {
    const unsigned number = (rank * channels_.chips_of_rank() + chip) * banks + bank;
    if (units_[number]->bank().owner() != dram::BankOwner::kHost) return false;
  }
  return true;
}

/// Wave files have the channels' blocks up to the end of the run.
void PimMachine::finish() {
  for (const auto& block : ca_buses_) block->catch_up();
  for (const auto& block : crossbars_) block->catch_up();
  Machine::finish();
}

void PimMachine::check_at_end() const {
  if (ca_barrier_) ca_barrier_->rethrow();
  network_.check_conservation();
  if (!idle()) return;
  network_.check_at_end();
  host_traffic_.check_at_end();
  // Lost messages were reported at their loss. They block the messages behind them.
  std::uint64_t accounted = 0;
  for (const auto& unit : units_)
    accounted += unit->stop().stats().messages_lost + unit->stop().held_back();
  if (messages_.in_use() == accounted) return;
  throw Fault(FaultKind::kInternal, "pim",
              std::to_string(messages_.in_use() - accounted) +
                  " messages were sent but never arrived in a WRAM");
}

}  // namespace tvp::platform
