#include "platform/machine/machine.h"

#include <algorithm>
#include <utility>

namespace tvp::platform {

using support::Cycle;

Machine::Machine(const sc_core::sc_module_name& name, const SystemDescription& system,
                 PlatformConfig& config)
    : sc_module(name), system_(system), config_(config), aiclk_mhz_(config.chip.aiclk_mhz) {
  faults_.set_warn(config.run.faults == "warn");
  for (const ChipDescription& description : system.chips) {
    const std::string chip_name = "chip" + std::to_string(description.id);
    chips_.push_back(
        std::make_unique<Chip>(chip_name.c_str(), system, description, config, faults_));
  }
  for (const LinkDescription& description : system.links) {
    const auto number = static_cast<std::uint16_t>(links_.size());
    const std::string link_name =
        "link" + std::to_string(description.a.chip) + "." + std::to_string(description.a.channel) +
        "-" + std::to_string(description.b.chip) + "." + std::to_string(description.b.channel);
    links_.push_back(std::make_unique<ethernet::Link>(link_name, number, config.ethernet));
    const LinkEnd ends[] = {description.a, description.b};
    for (unsigned end = 0; end < 2; ++end) {
      for (const auto& chip : chips_) {
        if (chip->id() != ends[end].chip) continue;
        chip->ethernet_channel(ends[end].channel).attach(*links_.back(), end);
      }
    }
  }
  SC_METHOD(run_window);
  sensitive << go_;
  dont_initialize();
}

void Machine::start() {
  for (const auto& chip : chips_) chip->calendar().set_lockstep(config_.run.lockstep);
  if (config_.run.lockstep) {
    for (const auto& chip : chips_) {
      for (const auto& tile : chip->tensix_tiles()) tile->set_poll_sleep(false);
      for (const auto& tile : chip->ethernet_tiles()) tile->set_poll_sleep(false);
    }
  }
  if (!config_.wave.file.value().empty()) {
    waves_ = std::make_unique<MachineWaves>(config_.wave, system_, chips_, links_);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

Cycle Machine::next_cycle() const {
  Cycle next = support::kNever;
  for (const auto& chip : chips_) next = std::min(next, chip->calendar().next());
  return next;
}

Cycle Machine::window_cycles() const {
  Cycle shortest = support::kNever;
  for (const auto& link : links_) shortest = std::min(shortest, link->min_latency_cycles());
  return shortest;
}

bool Machine::idle() const { return next_cycle() == support::kNever; }

void Machine::clock(std::uint32_t cycles) {
  limit_ = cycle_now_ + cycles;
  const auto time_of = [&](Cycle c) {
    return sc_core::sc_time::from_value(c * 1'000'000 / aiclk_mhz_);
  };
  const Cycle next = next_cycle();
  if (next < limit_) go_.notify(time_of(std::max(next, cycle_now_)) - time_of(cycle_now_));
  sc_core::sc_start(time_of(limit_) - time_of(cycle_now_));
  if (stopped_) std::rethrow_exception(std::exchange(stopped_, nullptr));
  for (const auto& chip : chips_) chip->calendar().run_until(limit_);
  cycle_now_ = limit_;
}

/// SystemC would turn an exception that leaves a process into a report of its own: it is kept, and
/// thrown again out of clock().
void Machine::run_window() {
  try {
    advance_window();
  } catch (...) {
    stopped_ = std::current_exception();
  }
}

/// All chips stand at the same cycle between windows; the method runs at the first cycle at which
/// anything happens.
void Machine::advance_window() {
  const Cycle start = next_cycle();
  const Cycle length = window_cycles();
  const Cycle end = length == support::kNever || length >= limit_ - start ? limit_ : start + length;
  cycle_now_ = start;
  for (const auto& chip : chips_) chip->calendar().run_until(end);
  cycle_now_ = end;
  const Cycle next = next_cycle();
  if (next < limit_) {
    const std::uint64_t from = sc_core::sc_time_stamp().value();
    go_.notify(sc_core::sc_time::from_value(next * 1'000'000 / aiclk_mhz_ - from));
  }
}

Chip* Machine::chip_of_pci_device(unsigned device) {
  for (const auto& chip : chips_) {
    if (chip->description().pci_device == device) return chip.get();
  }
  return nullptr;
}

BareProgram& Machine::start_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                                    const std::string& elf_path,
                                    const BareProgram::Options& options) {
  for (const auto& candidate : chips_) {
    if (candidate->id() != chip) continue;
    auto program = std::make_unique<BareProgram>(*candidate, x, y, core, elf_path, options);
    symbols_.add(chip, x, y, core, elf_path);
    for (const auto& earlier : programs_) {
      if (earlier->same_core(*program)) earlier->detach(cycle_now_);
    }
    programs_.push_back(std::move(program));
    programs_.back()->start();
    return *programs_.back();
  }
  throw support::Fault(support::FaultKind::kDescription, "",
                       "the system has no chip " + std::to_string(chip));
}

void Machine::host_access(Chip& chip, std::uint64_t bar0_offset, std::uint8_t* data,
                          std::uint32_t bytes, bool write) {
  chip.bars().access_bar0(bar0_offset, data, bytes, write, now_ps());
}

void Machine::phase(const std::string& name, bool end) {
  if (!end) {
    phases_.push_back({name, now_ps(), now_ps(), true});
    return;
  }
  for (auto it = phases_.rbegin(); it != phases_.rend(); ++it) {
    if (it->name == name && it->open) {
      it->end_ps = now_ps();
      it->open = false;
      return;
    }
  }
}

void Machine::stretch(const std::string& path, const std::string& name, Cycle begin, Cycle end) {
  if (waves_) waves_->recorder().stretch(path, name, begin, end);
}

void Machine::finish_waves() {
  if (!waves_) return;
  waves_->recorder().finish([&](Cycle c) { return c * 1'000'000 / aiclk_mhz_; }, cycle_now_);
  waves_.reset();
}

void Machine::check_at_end() const {
  if (!idle()) return;
  for (const auto& chip : chips_) chip->check_conservation();
}

}  // namespace tvp::platform
