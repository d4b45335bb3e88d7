#include "platform/machine/wormhole_machine.h"

#include <algorithm>

namespace tvp::platform {

using support::Cycle;

WormholeMachine::WormholeMachine(const sc_core::sc_module_name& name,
                                 const SystemDescription& system, PlatformConfig& config)
    : Machine(name, system, config, config.chip.aiclk_mhz) {
  for (const ChipDescription& description : system.chips) {
    const std::string chip_name = "chip" + std::to_string(description.id);
    chips_.push_back(
        std::make_unique<Chip>(chip_name.c_str(), system, description, config, faults_));
    add_calendar(chips_.back()->calendar());
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
}

void WormholeMachine::start() {
  if (config_.run.lockstep) {
    for (const auto& chip : chips_) {
      for (const auto& tile : chip->tensix_tiles()) tile->set_poll_sleep(false);
      for (const auto& tile : chip->ethernet_tiles()) tile->set_poll_sleep(false);
    }
  }
  Machine::start();
}

void WormholeMachine::watch(support::WaveRecorder& recorder) {
  wave_rows_ = std::make_unique<MachineWaves>(recorder, system_, chips_, links_);
}

Cycle WormholeMachine::window_cycles() const {
  Cycle shortest = support::kNever;
  for (const auto& link : links_) shortest = std::min(shortest, link->min_latency_cycles());
  return shortest;
}

Chip* WormholeMachine::chip_of_pci_device(unsigned device) {
  for (const auto& chip : chips_) {
    if (chip->description().pci_device == device) return chip.get();
  }
  return nullptr;
}

BareProgram& WormholeMachine::start_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                                            const std::string& elf_path,
                                            const BareProgram::Options& options) {
  for (const auto& candidate : chips_) {
    if (candidate->id() != chip) continue;
    auto program = std::make_unique<BareProgram>(*candidate, x, y, core, elf_path, options);
    symbols_.add(chip, x, y, core, elf_path);
    for (const auto& earlier : programs_) {
      if (earlier->same_core(*program)) earlier->detach(now());
    }
    programs_.push_back(std::move(program));
    programs_.back()->start();
    return *programs_.back();
  }
  throw support::Fault(support::FaultKind::kDescription, "",
                       "the system has no chip " + std::to_string(chip));
}

void WormholeMachine::host_access(Chip& chip, std::uint64_t bar0_offset, std::uint8_t* data,
                                  std::uint32_t bytes, bool write) {
  chip.bars().access_bar0(bar0_offset, data, bytes, write, now_ps());
}

void WormholeMachine::set_host_memory(host::HostMemory& memory) {
  for (const auto& chip : chips_) {
    if (chip->description().pci_device) chip->pcie().set_host_memory(&memory);
  }
}

void WormholeMachine::finish() {
  Machine::finish();
  // Also after a fault: the log's last lines are the interesting ones.
  for (const auto& program : programs_) program->flush();
}

void WormholeMachine::check_at_end() const {
  if (!idle()) return;
  for (const auto& chip : chips_) chip->check_conservation();
}

}  // namespace tvp::platform
