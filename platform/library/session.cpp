#include "platform/library/session.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "models/host/pcie_bars.h"
#include "platform/system/system_folder.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

namespace {

std::uint32_t abi_kind(FaultKind kind) {
  switch (kind) {
    case FaultKind::kFirmware:
      return TENSIX_VP_ERROR_FIRMWARE;
    case FaultKind::kUnmodelled:
      return TENSIX_VP_ERROR_UNMODELLED;
    case FaultKind::kDescription:
      return TENSIX_VP_ERROR_USAGE;
    case FaultKind::kInternal:
      break;
  }
  return TENSIX_VP_ERROR_INTERNAL;
}

struct Pair {
  std::string key;
  std::string value;
};

/// Keys that have a short name, too.
std::string full_key(const std::string& key) { return key == "router" ? "mesh.router" : key; }

std::vector<Pair> parse_pairs(const std::string& text) {
  std::vector<Pair> pairs;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Fault(FaultKind::kDescription, "", "setting '" + line + "': expected key=value");
    }
    pairs.push_back({full_key(line.substr(0, equals)), line.substr(equals + 1)});
  }
  return pairs;
}

}  // namespace

Session& Session::instance() {
  // Never destroyed: SystemC's own globals may already be gone when statics are.
  static Session* session = new Session();
  return *session;
}

Session::Session() {
  // Settings that a launcher left for whoever loads the library (`vp exec`).
  if (const char* text = std::getenv("TENSIX_VP_CONFIGURE")) configure(text);
}

void Session::record(std::uint32_t kind, const std::string& text) {
  if (error_kind_ != TENSIX_VP_ERROR_NONE) return;
  error_kind_ = kind;
  error_text_ = text;
}

/// Runs `work` unless an earlier error stopped the session; keeps what it throws.
template <typename Work>
void Session::guarded(const Work& work) {
  if (error_kind_ != TENSIX_VP_ERROR_NONE) return;
  try {
    work();
  } catch (const debug::Ended& end) {
    record(TENSIX_VP_ERROR_INTERRUPTED, end.what());
  } catch (const Fault& fault) {
    record(abi_kind(fault.kind()), machine_ ? machine_->explain(fault) : fault.what());
  } catch (const sc_core::sc_report& report) {
    record(TENSIX_VP_ERROR_INTERNAL, report.what());
  } catch (const std::exception& error) {
    record(TENSIX_VP_ERROR_INTERNAL, error.what());
  }
}

bool Session::configure(const std::string& text) {
  try {
    if (machine_) throw Fault(FaultKind::kDescription, "", "configure after init");
    const std::vector<Pair> pairs = parse_pairs(text);
    // All or nothing: check on a scratch copy first.
    PlatformConfig scratch;
    std::optional<SystemDescription> system;
    std::set<std::string> keys = config_.explicitly_set;
    for (const Pair& pair : pairs) {
      if (pair.key == "system") {
        system = SystemDescription::load(pair.value, system_folder());
      } else {
        scratch.registry.set(pair.key, pair.value, "");
        keys.insert(pair.key);
      }
    }
    if (system) {
      refuse_keys_without_effect(*system, keys);
      for (const auto& [key, setting] : system->settings) {
        if (keys.count(key) == 0) scratch.registry.set(key, setting.value, setting.where);
      }
    }
    for (const Pair& pair : pairs) {
      if (pair.key == "system") {
        system_name_ = pair.value;
      } else {
        config_.registry.set(pair.key, pair.value, "");
        config_.explicitly_set.insert(pair.key);
      }
    }
    return true;
  } catch (const Fault& fault) {
    error_kind_ = TENSIX_VP_ERROR_USAGE;
    error_text_ = fault.what();
  } catch (const std::exception& error) {
    error_kind_ = TENSIX_VP_ERROR_USAGE;
    error_text_ = error.what();
  }
  return false;
}

/// What the system's description sets, unless the caller set the same key.
void Session::apply_system_settings() {
  for (const auto& [key, setting] : system_->settings) {
    if (config_.explicitly_set.count(key) == 0) {
      config_.registry.set(key, setting.value, setting.where);
    }
  }
}

void Session::init() {
  if (machine_ || ended_) {
    record(TENSIX_VP_ERROR_USAGE,
           "libttsim_init a second time: SystemC allows one simulation a process");
    return;
  }
  guarded([&] {
    system_ = SystemDescription::load(system_name_, system_folder());
    apply_system_settings();
    machine_ = make_machine(*system_, config_);
    wormhole_ = dynamic_cast<WormholeMachine*>(machine_.get());
    pim_ = dynamic_cast<PimMachine*>(machine_.get());
    if (wormhole_ != nullptr) wormhole_->set_host_memory(dma_);
    machine_->start();
    if (config_.gdb.port != 0) {
      debugger_ = std::make_unique<debug::Debugger>(*machine_, config_.gdb.port.value(),
                                                    config_.gdb.cores.value());
    }
  });
}

void Session::exit() {
  if (machine_ && !ended_) {
    guarded([&] { machine_->check_at_end(); });
    if (debugger_) say_goodbye();
    try {
      machine_->finish();
    } catch (const Fault& fault) {
      record(abi_kind(fault.kind()), fault.what());
    }
  }
  ended_ = true;
}

/// Tells the debugger how the run ended, in the exit codes of `vp run`.
void Session::say_goodbye() {
  int exit_code = error_kind_ == TENSIX_VP_ERROR_NONE ? 0 : 70;
  if (error_kind_ == TENSIX_VP_ERROR_USAGE) exit_code = 2;
  if (error_kind_ == TENSIX_VP_ERROR_FIRMWARE) exit_code = 3;
  if (error_kind_ == TENSIX_VP_ERROR_INTERRUPTED) exit_code = 130;
  try {
    debugger_->finish(exit_code);
  } catch (const debug::Ended&) {
    // Killed when it was over anyway.
  }
}

Chip* Session::chip_of_device(unsigned device) {
  return wormhole_ != nullptr ? wormhole_->chip_of_pci_device(device) : nullptr;
}

std::uint32_t Session::config_read(std::uint32_t bus_device_function, std::uint32_t offset) {
  constexpr std::uint32_t kAbsent = 0xFFFFFFFF;
  const unsigned device = (bus_device_function >> 3) & 0x1F;
  if ((bus_device_function & ~0xF8U) != 0 || chip_of_device(device) == nullptr) return kAbsent;
  const std::uint64_t base = bar0_base(device);
  const auto low = [](std::uint64_t bar) { return static_cast<std::uint32_t>(bar) | 0x4U; };
  const auto high = [](std::uint64_t bar) { return static_cast<std::uint32_t>(bar >> 32); };
  switch (offset) {
    case 0x00:
      return host::PcieBars::kVendorDevice;
    case 0x08:
      return 0x12000000;  // processing accelerator, revision 0
    case 0x10:
      return low(base) | 0x8U;  // prefetchable
    case 0x14:
      return high(base);
    case 0x18:
      return low(base + kBar2Offset);
    case 0x1C:
      return high(base + kBar2Offset);
    case 0x20:
      return low(base + kBar4Offset);
    case 0x24:
      return high(base + kBar4Offset);
    default:
      return 0;
  }
}

void Session::config_write(std::uint32_t, std::uint32_t offset, std::uint32_t) {
  // Memory and bus master enable; both are always on.
  if (offset == 0x04) return;
  record(TENSIX_VP_ERROR_USAGE, "write to PCI configuration offset " + std::to_string(offset) +
                                    ": BARs are fixed, nothing else can be written");
}

void Session::mem_access(std::uint64_t paddr, std::uint8_t* data, std::uint32_t bytes, bool write) {
  if (!write) std::memset(data, 0xFF, bytes);
  guarded([&] {
    const auto device = static_cast<unsigned>(paddr / kBarStride) - 1;
    Chip* chip = paddr < kBarStride ? nullptr : chip_of_device(device);
    if (chip == nullptr) {
      throw Fault(FaultKind::kDescription, "host",
                  "physical address 0x" + to_hex(paddr) + " belongs to no device");
    }
    std::uint64_t offset = paddr - bar0_base(device);
    if (offset >= kBar2Offset && offset + bytes <= kBar2Offset + host::PcieBars::kBar2Bytes) {
      chip->bars().access_bar2(offset - kBar2Offset, data, bytes, write);
      return;
    }
    if (offset >= kBar4Offset && offset + bytes <= kBar4Offset + host::PcieBars::kBar4Bytes) {
      // BAR 4 is the top of BAR 0 again (ISA PCIExpressTile/README.md).
      offset = offset - kBar4Offset + (host::PcieBars::kBar0Bytes - host::PcieBars::kBar4Bytes);
    }
    if (offset + bytes > host::PcieBars::kBar0Bytes) {
      throw Fault(FaultKind::kDescription, "host",
                  "physical address 0x" + to_hex(paddr) + " lies outside the modelled BARs");
    }
    wormhole_->host_access(*chip, offset, data, bytes, write);
  });
}

void Session::tile_access(unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
                          std::uint32_t bytes, bool write) {
  if (!write) std::memset(data, 0xFF, bytes);
  guarded([&] {
    Chip* chip = chip_of_device(0);
    if (chip == nullptr) {
      throw Fault(FaultKind::kDescription, "host", "the system has no PCI device 0 with tiles");
    }
    chip->access(0, x, y, address, data, bytes, write);
  });
}

void Session::clock(std::uint32_t cycles) {
  if (!machine_ || ended_) return;
  guarded([&] {
    const std::uint64_t limit_ps = config_.run.max_time_ns * 1000;
    if (limit_ps != 0 && machine_->now_ps() >= limit_ps) {
      time_limit_reached_ = true;
      return;
    }
    const std::uint32_t n = std::min(cycles, cycles_to_time_limit());
    if (debugger_) {
      debugger_->clock(n);
    } else {
      machine_->clock(n);
    }
  });
}

std::uint32_t Session::cycles_to_time_limit() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t limit_ns = config_.run.max_time_ns;
  if (limit_ns == 0) return kMost;
  const std::uint64_t limit = (limit_ns * machine_->clock_mhz() + 999) / 1000;
  return static_cast<std::uint32_t>(std::min(limit - machine_->now(), kMost));
}

std::uint32_t Session::status() const {
  if (error_kind_ != TENSIX_VP_ERROR_NONE) return TENSIX_VP_FAULT;
  if (!machine_ || ended_) return TENSIX_VP_NOT_STARTED;
  if (time_limit_reached_) return TENSIX_VP_TIME_LIMIT;
  return machine_->idle() ? TENSIX_VP_IDLE : TENSIX_VP_RUNNING;
}

std::uint32_t Session::error_kind() const { return error_kind_; }

bool Session::register_symbols(unsigned chip, unsigned x, unsigned y, unsigned core,
                               const std::string& elf_path) {
  if (wormhole_ == nullptr || !wormhole_->symbols().add(chip, x, y, core, elf_path)) return false;
  if (debugger_) debugger_->loaded(chip, x, y, core, elf_path);
  return true;
}

std::int32_t Session::load_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                                   const std::string& elf_path, const std::string& options) {
  std::int32_t number = -1;
  guarded([&] {
    if (!machine_ || ended_) {
      throw Fault(FaultKind::kDescription, elf_path, "loaded before init or after exit");
    }
    if (wormhole_ == nullptr) {
      throw Fault(FaultKind::kDescription, elf_path,
                  "the system " + system_->name + " has no Tensix or ethernet cores");
    }
    BareProgram::Options parsed;
    for (const Pair& pair : parse_pairs(options)) {
      if (pair.key == "commitlog") {
        parsed.commit_log = pair.value;
      } else if (pair.key == "signature") {
        parsed.signature = pair.value;
      } else {
        throw Fault(FaultKind::kDescription, elf_path,
                    "unknown option '" + pair.key + "': expected commitlog or signature");
      }
    }
    wormhole_->start_program(chip, x, y, core, elf_path, parsed);
    if (debugger_) debugger_->loaded(chip, x, y, core, elf_path);
    number = static_cast<std::int32_t>(wormhole_->programs().size()) - 1;
  });
  return number;
}

bool Session::program_result(std::int32_t number, tensix_vp_program& result) {
  if (wormhole_ == nullptr || number < 0) return false;
  const auto index = static_cast<std::size_t>(number);
  if (index >= wormhole_->programs().size()) return false;
  const BareProgram::Result r = wormhole_->programs()[index]->result(machine_->now());
  result = {r.ended ? 1U : 0U,    r.tohost, r.instructions,
            r.slept_instructions, r.cycles, r.cycles * 1'000'000 / config_.chip.aiclk_mhz};
  return true;
}

/// Runs `work` on a PIM machine; false when it was refused.
template <typename Work>
bool Session::guarded_pim(const Work& work) {
  bool done = false;
  guarded([&] {
    if (pim_ == nullptr || ended_) {
      throw Fault(FaultKind::kDescription, "host",
                  pim_ == nullptr && machine_ ? "the system " + system_->name + " has no PIM units"
                                              : "PIM units used before init or after exit");
    }
    work(*pim_);
    done = true;
  });
  return done;
}

bool Session::pim_own(unsigned unit, unsigned owner) {
  return guarded_pim([&](PimMachine& pim) {
    if (owner > TENSIX_VP_PIM_PROCESSOR) {
      throw Fault(FaultKind::kDescription, "host",
                  "owner " + std::to_string(owner) + ": expected 0 (host) or 1 (processor)");
    }
    pim.hand_over(
        unit, owner == TENSIX_VP_PIM_HOST ? dram::BankOwner::kHost : dram::BankOwner::kProcessor);
  });
}

bool Session::pim_bank(unsigned unit, std::uint64_t address, std::uint8_t* data,
                       std::uint64_t bytes, bool write) {
  return guarded_pim([&](PimMachine& pim) { pim.access_bank(unit, address, data, bytes, write); });
}

bool Session::pim_wram(unsigned unit, std::uint32_t address, std::uint8_t* data,
                       std::uint32_t bytes, bool write) {
  return guarded_pim(
      [&](PimMachine& pim) { pim.unit(unit).access_wram(address, data, bytes, write); });
}

bool Session::pim_load(unsigned unit, const std::string& elf_path) {
  return guarded_pim([&](PimMachine& pim) {
    pim.load(unit, elf_path);
    if (debugger_) debugger_->loaded(0, unit, 0, 0, elf_path);
  });
}

bool Session::pim_start(const std::uint32_t* units, std::uint32_t count) {
  return guarded_pim([&](PimMachine& pim) {
    const std::vector<unsigned> list(units, units + count);
    pim.start_units(list);
  });
}

bool Session::pim_state(unsigned number, tensix_vp_pim_unit& state) {
  return guarded_pim([&](PimMachine& pim) {
    const pim::Unit& unit = pim.unit(number);
    const bool exited = unit.state() == pim::Unit::State::kExited;
    state = {static_cast<std::uint32_t>(unit.state()),
             unit.exit_status(),
             unit.started_at(),
             exited ? unit.exited_at() : pim.now(),
             unit.core().executed_instructions(),
             unit.core().slept_instructions(pim.now())};
  });
}

std::vector<std::uint32_t> Session::pim_route(unsigned source, unsigned destination) {
  std::vector<std::uint32_t> links;
  guarded_pim([&](PimMachine& pim) { links = pim.scheduled_route(source, destination); });
  return links;
}

std::string Session::pim_output(unsigned unit) {
  std::string output;
  guarded_pim([&](PimMachine& pim) { output = pim.unit(unit).output(); });
  return output;
}

void Session::phase(const std::string& name, bool end) {
  if (machine_) machine_->phase(name, end);
}

void Session::stretch(const std::string& path, const std::string& name, std::uint64_t begin,
                      std::uint64_t end) {
  if (machine_) machine_->stretch(path, name, begin, end);
}

std::string Session::report_length_first(bool asks_for_length) {
  if (!machine_) return "{}";
  if (asks_for_length || !report_) report_ = machine_->report();
  if (asks_for_length) return *report_;
  return *std::exchange(report_, std::nullopt);
}

std::string Session::settings_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& entry : config_.registry.all()) {
    const foundation::SettingBase& s = *entry.setting;
    list.push_back({{"key", entry.key},
                    {"value", s.text()},
                    {"default", s.default_text()},
                    {"is_default", s.is_default()},
                    {"unit", s.info().unit},
                    {"expected", s.expected()},
                    {"doc", s.info().doc},
                    {"source", s.info().source}});
  }
  return list.dump();
}

}  // namespace tvp::platform
