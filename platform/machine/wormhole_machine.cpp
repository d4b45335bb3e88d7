#include "platform/machine/wormhole_machine.h"

#include <algorithm>
#include <array>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/regs/noc.h"
#include "platform/machine/monitor/tile_monitor.h"
#include "platform/machine/report/core_view.h"
#include "platform/machine/report/kernel_caller.h"

namespace tvp::platform {

using support::Cycle;

WormholeMachine::WormholeMachine(const sc_core::sc_module_name& name,
                                 const SystemDescription& system, PlatformConfig& config)
    : Machine(name, system, config, config.chip.aiclk_mhz) {
  faults_.set_lines([this](const foundation::Fault& fault) {
    const bool has_them = fault.message().find("\n  in ") != std::string::npos;
    return has_them ? std::string() : lines_of(fault);
  });
  symbols_.set_callers([this](const checks::CodeOwner& owner,
                              std::uint32_t address) -> std::optional<riscv::SourceLocation> {
    for (const CoreView& view : all_cores(chips_)) {
      const bool is_it = view.chip == owner.chip && view.x == owner.x && view.y == owner.y &&
                         view.kind == owner.number;
      if (is_it && view.core->pc() == address) return kernel_caller(*view.core, owner, symbols_);
    }
    return std::nullopt;
  });
  if (config.ranks != nullptr) {
    refuse_observers(config);
    chip_ranks_ = std::make_unique<ChipRanks>(*config.ranks, system, config.mpi.placement.value());
  }
  for (std::size_t place = 0; place < system.chips.size(); ++place) {
    if (chip_ranks_ && !chip_ranks_->is_mine(place)) continue;
    const ChipDescription& description = system.chips[place];
    config.between();
    places_.push_back(place);
    const std::string chip_name = "chip" + std::to_string(description.id);
    settings_.push_back(std::make_unique<ChipSettings>(config, description));
    chip_faults_.push_back(std::make_unique<HeldFaultPolicy>(faults_));
    chips_.push_back(std::make_unique<Chip>(chip_name.c_str(), description,
                                            settings_.back()->config(), *chip_faults_.back()));
    add_calendar(chips_.back()->calendar());
    add_checks(*chips_.back(), settings_.back()->config(), *chip_faults_.back());
  }
  make_links(system, config);
  if (chip_ranks_) join_ranks(system);
}

void WormholeMachine::make_links(const SystemDescription& system, const PlatformConfig& config) {
  ethernet::EthernetLinkFaults faults(config.ethernet.faults.value());
  std::size_t number = 0;
  for (const LinkDescription& description : system.links) {
    const std::size_t mine = number++;
    const LinkEnd* const ends[] = {&description.a, &description.b};
    bool cut = false;
    for (unsigned end = 0; end < 2; ++end) {
      const ForeignParts::EthernetChannel at{ends[end]->chip, ends[end]->channel};
      if (!config.foreign.links.contains(at)) continue;
      make_foreign_link(at, mine, end, config);
      cut = true;
    }
    if (cut) continue;
    const std::string link_name =
        "link" + std::to_string(description.a.chip) + "." + std::to_string(description.a.channel) +
        "-" + std::to_string(description.b.chip) + "." + std::to_string(description.b.channel);
    links_.push_back(std::make_unique<ethernet::Link>(link_name, static_cast<std::uint16_t>(mine),
                                                      config.ethernet));
    links_.back()->break_down(faults.of({description.a.chip, description.a.channel},
                                        {description.b.chip, description.b.channel}));
    for (unsigned end = 0; end < 2; ++end) {
      if (config.foreign.shared_kernel) links_.back()->end(end).stop_at_arrivals();
      for (const auto& chip : chips_) {
        if (chip->id() != ends[end]->chip) continue;
        chip->ethernet_channel(ends[end]->channel).attach(links_.back()->end(end));
      }
      if (chip_ranks_ && chip_ranks_->owner_of(ends[end]->chip) != chip_ranks_->rank())
        links_.back()->end(end).stand_in(foundation::Period::of_mhz(clock_mhz()));
    }
  }
  faults.check_used();
  for (const ForeignParts::EthernetChannel& at : config.foreign.links) {
    if (!foreign_links_.contains(at)) make_foreign_link(at, number++, 0, config);
  }
}

void WormholeMachine::make_foreign_link(const ForeignParts::EthernetChannel& at, std::size_t number,
                                        unsigned index, const PlatformConfig& config) {
  for (const auto& chip : chips_) {
    if (chip->id() != at.chip) continue;
    const std::string link_name =
        "chip" + std::to_string(at.chip) + "_ethernet_" + std::to_string(at.channel);
    foreign_links_[at] = std::make_unique<ethernet::ForeignLink>(
        link_name.c_str(), static_cast<std::uint16_t>(number), index, config.ethernet,
        chip->ethernet_channel(at.channel), *chip->block());
  }
}

void WormholeMachine::add_checks(Chip& chip, const PlatformConfig& config,
                                 HeldFaultPolicy& faults) {
  using checks::TileContext;
  checks::DramBuffers& dram =
      *dram_buffers_.emplace_back(std::make_unique<checks::DramBuffers>(chip.spec()));
  checks::ChipChecks& made =
      *checks_.emplace_back(std::make_unique<checks::ChipChecks>(faults, &dram));
  const auto reaction_of = [](const foundation::Choice& choice) {
    if (choice == "off") return TileContext::Waits::kOff;
    return choice == "warn" ? TileContext::Waits::kWarn : TileContext::Waits::kFault;
  };
  const TileContext::Waits waits = reaction_of(config.coprocessor.missing_waits);
  TileContext context{
      .chip = chip.id(),
      .where = "chip" + std::to_string(chip.id()),
      .kind = TileContext::Kind::kHost,
      .waits = waits,
      .config_waits = std::min(waits, reaction_of(config.coprocessor.missing_config_waits)),
      .dram = &dram,
      .events = event_file(),
      .names = symbols_,
      .faults = faults,
      .warnings = faults};
  // Off the grid, where no tile is.
  context.x = context.y = noc::kNowhere.x;
  chip.set_probe(made.add(context).probe());
  const auto add = [&](const auto& tile, TileContext::Kind kind, std::uint8_t* l1,
                       std::uint32_t l1_bytes) -> checks::TileChecks& {
    context.x = tile.x();
    context.y = tile.y();
    context.where = tile.where();
    context.kind = kind;
    context.l1 = {l1, l1_bytes};
    return made.add(context);
  };
  for (const auto& tile : chip.tensix_tiles()) {
    context.cores.clear();
    CountPolls& polls = *polls_.emplace_back(std::make_unique<CountPolls>());
    context.polls = &polls;
    for (unsigned i = 0; i < tensix::kTileCores; ++i) {
      riscv::Core& core = tile->core(static_cast<tensix::TileCore>(i));
      context.cores.push_back({core.master(), TENSIX_VP_CORE_BRISC + i, core.where()});
      polls.add(core);
    }
    checks::TileChecks& tile_checks =
        add(*tile, TileContext::Kind::kTensix, tile->l1().bytes(), tile->l1().size_bytes());
    tile->set_probe(&tile_checks.probe());
    if (config.run.keep_stores && tile_checks.record() != nullptr)
      tile_checks.record()->l1.keep_stores();
  }
  context.polls = nullptr;
  for (const auto& tile : chip.ethernet_tiles()) {
    const riscv::Core& core = tile->core();
    context.cores = {{core.master(), TENSIX_VP_CORE_ERISC, core.where()}};
    tile->set_probe(
        &add(*tile, TileContext::Kind::kEthernet, tile->l1_bytes(), tile->l1_size_bytes()).probe());
  }
}

checks::TileChecks* WormholeMachine::checks_of(unsigned chip, unsigned x, unsigned y) const {
  for (std::size_t i = 0; i < chips_.size(); ++i)
    if (chips_[i]->id() == chip) return checks_[i]->at(x, y);
  return nullptr;
}

checks::Provenance WormholeMachine::provenance_of(const Chip& chip) const {
  std::size_t number = 0;
  while (chips_[number].get() != &chip) ++number;
  return {*checks_[number], chip.id(), symbols_, config_.run.keep_stores};
}

void WormholeMachine::start() {
  if (config_.run.lockstep) {
    for (const auto& chip : chips_) {
      for (const auto& tile : chip->tensix_tiles()) tile->set_poll_sleep(false);
      for (const auto& tile : chip->ethernet_tiles()) tile->set_poll_sleep(false);
    }
  }
  const std::string& trace = config_.wave.trace.value();
  if (NocEvents::is_name(trace)) noc_events_ = std::make_unique<NocEvents>(trace, chips_);
  Machine::start();
}

void WormholeMachine::watch(support::WaveRecorder& recorder) {
  wave_rows_ = std::make_unique<MachineWaves>(recorder, system_, chips_, links_, symbols_);
}

Cycle WormholeMachine::window_cycles() const {
  Cycle shortest = support::kNever;
  for (const auto& link : links_) shortest = std::min(shortest, link->min_latency_cycles());
  return shortest;
}

/// Waves come in the order of the run, and so do accesses of the host's memory, which is one.
bool WormholeMachine::runs_apart() const {
  const bool watched = wave_rows_ != nullptr || noc_events_ != nullptr || config_.gdb.port != 0;
  const bool reaches_host =
      host_memory_ != nullptr && host_memory_ != &absent_host_memory_ && host_memory_->available();
  return !watched && !reaches_host;
}

void WormholeMachine::begin_apart() {
  for (const auto& link : links_) link->hold();
  for (const auto& faults : chip_faults_) faults->hold();
}

void WormholeMachine::end_apart() {
  if (!chip_ranks_)
    for (const auto& faults : chip_faults_) faults->release();
  for (const auto& link : links_) link->release();
}

bool WormholeMachine::has_device(unsigned device) const {
  return std::any_of(chips_.begin(), chips_.end(),
                     [&](const auto& chip) { return chip->description().pci_device == device; });
}

Chip& WormholeMachine::chip_of_device(unsigned device) const {
  for (const auto& chip : chips_) {
    if (chip->description().pci_device == device) return *chip;
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "host",
                          "the system has no PCI device " + std::to_string(device));
}

void WormholeMachine::access_bar0(unsigned device, std::uint64_t offset, std::uint8_t* data,
                                  std::uint32_t bytes, bool write) {
  chip_of_device(device).bars().access_bar0(offset, data, bytes, write, now_ps());
}

void WormholeMachine::access_bar2(unsigned device, std::uint64_t offset, std::uint8_t* data,
                                  std::uint32_t bytes, bool write) {
  chip_of_device(device).bars().access_bar2(offset, data, bytes, write);
}

void WormholeMachine::access_tile(unsigned device, unsigned x, unsigned y, std::uint64_t address,
                                  std::uint8_t* data, std::uint32_t bytes, bool write) {
  chip_of_device(device).access(0, x, y, address, data, bytes, write);
}

void WormholeMachine::set_host_memory(host::HostMemory& memory) {
  host_memory_ = &memory;
  for (const auto& chip : chips_) {
    if (chip->description().pci_device) chip->pcie().set_host_memory(&memory);
  }
}

void WormholeMachine::set_listener(unsigned device, host::AccessListener& listener) {
  chip_of_device(device).set_listener(&listener);
}

bool WormholeMachine::add_symbols(const CorePlace& place, const std::string& elf_path) {
  const bool there = std::any_of(chips_.begin(), chips_.end(), [&](const auto& chip) {
    if (chip->id() != place.chip) return false;
    if (place.core == TENSIX_VP_CORE_ERISC) return chip->ethernet_at(place.x, place.y) != nullptr;
    return place.core < TENSIX_VP_CORE_ERISC && chip->tensix_at(place.x, place.y) != nullptr;
  });
  if (there) before_load(place.chip, place.x, place.y, place.core);
  if (!there || !symbols_.add(place.chip, place.x, place.y, place.core, elf_path, now()))
    return false;
  if (place.core != TENSIX_VP_CORE_ERISC)
    checks_of(place.chip, place.x, place.y)->load(place.core, elf_path, images_);
  return true;
}

tensix::TensixTile* WormholeMachine::tensix_at(const CorePlace& place) const {
  for (const auto& chip : chips_)
    if (chip->id() == place.chip) return chip->tensix_at(place.x, place.y);
  return nullptr;
}

bool WormholeMachine::set_buffers(const CorePlace& place,
                                  std::span<const tensix_vp_circular_buffer> buffers) {
  tensix::TensixTile* const tile = tensix_at(place);
  if (tile == nullptr || buffers.size() > checks::PageUses::kBuffers) return false;
  checks::TileChecks& judges = *checks_of(place.chip, place.x, place.y);
  if (buffers.empty()) count_answers(*tile, judges);
  std::vector<checks::PageUses::Buffer> places;
  for (const tensix_vp_circular_buffer& at : buffers)
    places.push_back({at.pages, at.page_bytes, at.address, at.is_tensor != 0, at.format});
  judges.set_buffers(places);
  if (!buffers.empty()) count_answers(*tile, judges);
  for (unsigned core = 0; core < tensix::kTileCores; ++core)
    tile->core(static_cast<tensix::TileCore>(core)).refuse_null(!buffers.empty());
  return true;
}

void WormholeMachine::count_answers(tensix::TensixTile& tile, checks::TileChecks& judges) {
  constexpr unsigned kNocs = 2;
  for (const tensix::TileCore number : {tensix::TileCore::kB, tensix::TileCore::kNc}) {
    std::array<std::uint32_t, kNocs> counted{};
    const std::uint32_t address = judges.code().address_in_firmware(static_cast<unsigned>(number),
                                                                    "noc_nonposted_writes_acked");
    riscv::Core& core = tile.core(number);
    if (address == 0 || !core.debug_read(address, counted.data(), sizeof counted)) continue;
    for (unsigned noc = 0; noc < kNocs; ++noc)
      judges.report({.kind = support::ProbeEvent::Kind::kAnswersCounted,
                     .agent = noc == 0 ? support::BusMaster::kNoc0 : support::BusMaster::kNoc1,
                     .core = core.master(),
                     .packets = tile.niu(noc).counter(regs::noc::kMstWrAckReceived),
                     .value = counted.at(noc)});
  }
}

bool WormholeMachine::set_arguments(const CorePlace& place, std::span<const std::uint32_t> words) {
  constexpr std::size_t kMost = std::size_t{1} << 16;  // far more than kernels can be given
  checks::TileChecks* const tile = checks_of(place.chip, place.x, place.y);
  return words.size() <= kMost && tile != nullptr && tile->give_arguments(place.core, words);
}

bool WormholeMachine::set_given(const CorePlace& place, const checks::TileContext::Given& given,
                                std::uint32_t address, std::uint32_t bytes) {
  if (tensix_at(place) == nullptr) return false;
  return checks_of(place.chip, place.x, place.y)->give(given, address, bytes);
}

bool WormholeMachine::set_dram_buffer(unsigned chip, std::uint64_t address,
                                      const checks::DramBuffers::Buffer& buffer) {
  if (buffer.pages != 0 && (buffer.page_bytes == 0 || buffer.banks == 0)) return false;
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    if (chips_[i]->id() != chip) continue;
    dram_buffers_[i]->set(address, buffer);
    return true;
  }
  return false;
}

bool WormholeMachine::set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                                    std::span<const checks::L1Buffers::Tile> tiles) {
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    if (chips_[i]->id() != chip) continue;
    for (const checks::L1Buffers::Tile tile : tiles) {
      tensix::TensixTile* const there = chips_[i]->tensix_at(tile.x, tile.y);
      if (there == nullptr || !there->l1().contains(address, bytes)) return false;
    }
    checks_[i]->l1_buffers().set(address, bytes, tiles);
    return true;
  }
  return false;
}

std::string WormholeMachine::origin(unsigned chip, unsigned x, unsigned y,
                                    std::uint64_t address) const {
  const noc::Node node{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    if (chips_[i]->id() != chip) continue;
    const checks::Provenance provenance = provenance_of(*chips_[i]);
    if (tensix::TensixTile* const tile = chips_[i]->tensix_at(x, y))
      return tile->l1().contains(address, 1)
                 ? provenance.of_l1(x, y, static_cast<std::uint32_t>(address))
                 : std::string();
    if (const auto known = dram_buffers_[i]->origin(node, address))
      return provenance.of_dram(*known);
  }
  return {};
}

unsigned WormholeMachine::start_program(const CorePlace& place, const std::string& elf_path,
                                        const ProgramOptions& options) {
  for (const auto& chip : chips_) {
    if (chip->id() != place.chip) continue;
    if (!options.commit_log.empty() && !config_.profile.file.value().empty()) {
      throw foundation::Fault(foundation::FaultKind::kDescription, "profile.file",
                              "a commit log and a profile both observe each instruction of a "
                              "core: expected one of them");
    }
    auto program =
        std::make_unique<BareProgram>(*chip, place.x, place.y, place.core, elf_path, options);
    add_symbols(place, elf_path);
    for (const auto& earlier : programs_) {
      if (earlier->same_core(*program)) earlier->detach(now());
    }
    programs_.push_back(std::move(program));
    programs_.back()->start();
    return static_cast<unsigned>(programs_.size()) - 1;
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "",
                          "the system has no chip " + std::to_string(place.chip));
}

std::optional<ProgramResult> WormholeMachine::program_result(unsigned number) const {
  if (number >= programs_.size()) return std::nullopt;
  return programs_[number]->result(now());
}

void WormholeMachine::finish() {
  if (is_host_of_ranks() && chip_ranks_->is_whole()) chip_ranks_->ask_all(RankCall::kFinish);
  Machine::finish();
  if (noc_events_) noc_events_->write();
  // Also after a fault: the log's last lines are the interesting ones.
  for (const auto& program : programs_) program->flush();
}

std::string WormholeMachine::monitor(const CoreSite& site, const std::string& command) {
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    if (chips_[i]->id() != site.chip) continue;
    tensix::TensixTile* const tile = chips_[i]->tensix_at(site.x, site.y);
    if (tile == nullptr) return {};
    const checks::Provenance provenance = provenance_of(*chips_[i]);
    return TileMonitor(*chips_[i], *tile, *checks_[i], provenance).answer(command).value_or("");
  }
  return {};
}

std::string WormholeMachine::monitor_help() const { return TileMonitor::help(); }

std::vector<CoreSite> WormholeMachine::core_sites() {
  static constexpr const char* kTensixAgents[] = {"NIU 0 or the host", "NIU 1", "the mover",
                                                  "the coprocessor"};
  static constexpr const char* kEthernetAgents[] = {"NIU 0 or the host", "NIU 1",
                                                    "the receive queues", "the transmit queues"};
  static constexpr const char* kNames[] = {"BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2"};
  std::vector<CoreSite> sites;
  const auto place = [&](const Chip& chip, unsigned x, unsigned y) {
    const auto& devices = system_.devices;
    const auto device = std::find(devices.begin(), devices.end(), chip.id()) - devices.begin();
    return "D" + std::to_string(device) + " (" + std::to_string(x) + "," + std::to_string(y) + ") ";
  };
  for (const auto& chip : chips_) {
    for (const auto& tile : chip->tensix_tiles()) {
      for (unsigned i = 0; i < tensix::kTileCores; ++i) {
        sites.push_back({.core = &tile->core(static_cast<tensix::TileCore>(i)),
                         .name = place(*chip, tile->x(), tile->y()) + kNames[i],
                         .calendar = &chip->calendar(),
                         .tile = tile->calendar_index(),
                         .agents = kTensixAgents,
                         .chip = chip->id(),
                         .x = tile->x(),
                         .y = tile->y(),
                         .kind = TENSIX_VP_CORE_BRISC + i});
      }
    }
    for (unsigned channel = 0; channel < chip->ethernet_tiles().size(); ++channel) {
      const auto [x, y] = chip->spec().ethernet[channel];
      ethernet::EthernetTile& tile = *chip->ethernet_tiles()[channel];
      sites.push_back({.core = &tile.core(),
                       .name = place(*chip, x, y) + "ERISC",
                       .calendar = &chip->calendar(),
                       .tile = tile.calendar_index(),
                       .agents = kEthernetAgents,
                       .chip = chip->id(),
                       .x = x,
                       .y = y,
                       .kind = TENSIX_VP_CORE_ERISC});
    }
  }
  return sites;
}

std::optional<riscv::SourceLocation> WormholeMachine::place_of(const CoreSite& site,
                                                               std::uint32_t address) const {
  return symbols_.place_of({site.chip, site.x, site.y, site.kind}, address);
}

bool WormholeMachine::is_firmware(const CoreSite& site, std::uint32_t address) const {
  return symbols_.is_of_first({site.chip, site.x, site.y, site.kind}, address);
}

bool WormholeMachine::has_unfinished_programs() const {
  return std::any_of(programs_.begin(), programs_.end(),
                     [&](const auto& program) { return program->unfinished(); });
}

void WormholeMachine::check_at_end() const {
  if (!idle()) return;
  if (is_host_of_ranks() && chip_ranks_->is_whole()) chip_ranks_->ask_all(RankCall::kCheckAtEnd);
  for (const auto& chip : chips_) chip->check_conservation();
}

}  // namespace tvp::platform
