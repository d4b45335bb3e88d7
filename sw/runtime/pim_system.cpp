#include "sw/runtime/pim_system.h"

#include <nlohmann/json.hpp>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/open_library.h"

namespace tvp::runtime {

using nlohmann::json;

namespace {
constexpr std::uint32_t kUnitStepCycles = 16384;
// Symbols of firmware/boot/pim/unit.ld.
constexpr const char* kStaticEnd = "__wram_free";
constexpr const char* kStackTop = "__stack_top";
}  // namespace

PimSystem::PimSystem(DeviceLibrary& library)
    : library_(library),
      abi_(library.functions()),
      compiler_(firmware_root(library), CompileCache::default_folder()) {
  if (abi_.pim_start == nullptr || abi_.pim_own == nullptr || abi_.pim_bank == nullptr ||
      abi_.pim_wram == nullptr || abi_.pim_load == nullptr || abi_.pim_state == nullptr ||
      abi_.pim_output == nullptr || !library.has_system()) {
    bad_use(library.name(), "has no PIM units: symbols tensix_vp_pim_... are missing");
  }
  compiler_.cache().set_waiting([&library] { library.call_clock_hook(); });
  library.init();
  const json system = json::parse(library.system());
  if (!system.contains("units")) {
    bad_use("system " + system.value("name", std::string()),
            "has no PIM units: expected one of kind pim, e.g. pim_rank");
  }
  units_ = system.at("units");
  for (const json& level : system.at("levels"))
    levels_.push_back({level.at("name"), level.at("count")});
  // Switches join units that are in no place: a row is as good as any.
  const bool mesh = system.contains("mesh");
  const bool columns = mesh && system.at("mesh").value("node_map", "rows") == "columns";
  line_units_ = mesh ? system.at("mesh").at(columns ? "height" : "width").get<unsigned>() : units_;
  lines_ = mesh ? system.at("mesh").at(columns ? "width" : "height").get<unsigned>() : 1;
  if (system.contains("switch")) {
    switch_chips_ = system.at("switch").at("chips");
    switch_has_halves_ = system.at("switch").at("halves");
    switch_joins_units_ = system.at("switch").contains("levels");
    switch_reduces_ = system.at("switch").value("alu", true);
    packet_bytes_ = system.at("switch").at("packet_bytes");
  }
  clock_mhz_ = system.at("clock_mhz");
  tasklets_ = system.value("tasklets", 0U);
  bank_bytes_ = system.at("bank_bytes");
}

void PimSystem::load(std::span<const unsigned> units, const std::string& source,
                     const std::map<std::string, std::string>& defines) {
  const auto image = compiler_.unit_program(source, defines, library_.wants_debuggable_kernels());
  for (const unsigned unit : units) {
    abi_.pim_load(unit, image->name().c_str());
    library_.check();
    programs_[unit] = image;
  }
}

void PimSystem::own_by_host(unsigned unit) {
  abi_.pim_own(unit, TENSIX_VP_PIM_HOST);
  library_.check();
}

void PimSystem::own_by_processor(unsigned unit) {
  abi_.pim_own(unit, TENSIX_VP_PIM_PROCESSOR);
  library_.check();
}

void PimSystem::write_bank(unsigned unit, std::uint64_t address,
                           std::span<const std::uint8_t> bytes) {
  // The call serves both directions; writing only reads the bytes.
  abi_.pim_bank(unit, address, const_cast<std::uint8_t*>(bytes.data()), bytes.size(), 1);
  library_.check();
}

std::vector<std::uint8_t> PimSystem::read_bank(unsigned unit, std::uint64_t address,
                                               std::uint64_t bytes) {
  std::vector<std::uint8_t> data(bytes);
  abi_.pim_bank(unit, address, data.data(), bytes, 0);
  library_.check();
  return data;
}

void PimSystem::write_variable(unsigned unit, const std::string& symbol, std::uint32_t offset,
                               std::span<const std::uint8_t> bytes) {
  // The call serves both directions; writing only reads the bytes.
  access(unit, symbol, const_cast<std::uint8_t*>(bytes.data()), bytes.size(), true, offset);
}

std::vector<std::uint8_t> PimSystem::read_variable(unsigned unit, const std::string& symbol,
                                                   std::uint32_t offset, std::uint32_t bytes) {
  std::vector<std::uint8_t> data(bytes);
  access(unit, symbol, data.data(), data.size(), false, offset);
  return data;
}

std::vector<std::uint8_t> PimSystem::peek_variable(unsigned unit, const std::string& symbol,
                                                   std::uint32_t offset,
                                                   std::uint32_t bytes) const {
  const auto program = programs_.find(unit);
  if (abi_.pim_peek == nullptr || program == programs_.end()) return {};
  std::vector<std::uint8_t> data(bytes);
  if (abi_.pim_peek(unit, program->second->symbol(symbol) + offset, data.data(), bytes) != 0)
    return {};
  return data;
}

void PimSystem::access(unsigned unit, const std::string& symbol, void* data, std::size_t bytes,
                       bool write, std::uint32_t offset) {
  const auto program = programs_.find(unit);
  if (program == programs_.end()) {
    bad_use("unit " + std::to_string(unit), "has no program with a variable '" + symbol + "'");
  }
  abi_.pim_wram(unit, program->second->symbol(symbol) + offset, data,
                static_cast<std::uint32_t>(bytes), write ? 1 : 0);
  library_.check();
}

std::vector<std::uint8_t> PimSystem::behind_data(unsigned unit) const {
  constexpr std::uint32_t kGuardBytes = 64;
  return programs_.contains(unit) ? peek_variable(unit, kStaticEnd, 0, kGuardBytes)
                                  : std::vector<std::uint8_t>{};
}

void PimSystem::check_stacks(std::span<const unsigned> units) {
  for (const unsigned unit : units) {
    if (behind_data(unit) == behind_data_[unit]) continue;
    const ElfImage& program = *programs_.at(unit);
    const std::uint32_t end = program.symbol(kStaticEnd);
    throw foundation::Fault(
        foundation::FaultKind::kFirmware, "unit " + std::to_string(unit),
        "its stack has no room: it has grown over the " +
            std::to_string(program.symbol(kStackTop) - end) +
            " bytes of WRAM down to the static data of its program, which end at " +
            foundation::hex(end) +
            ". Expected a smaller stack: fewer calls in each other, or arrays in static data");
  }
}

void PimSystem::run(std::span<const unsigned> units) {
  for (const unsigned unit : units) behind_data_[unit] = behind_data(unit);
  abi_.pim_start(units.data(), static_cast<std::uint32_t>(units.size()));
  library_.check();
  wait(units);
  check_stacks(units);
  for (const unsigned unit : units) {
    const UnitState s = state(unit);
    if (s.exit_status == 0) continue;
    throw foundation::Fault(foundation::FaultKind::kFirmware, "unit " + std::to_string(unit),
                            "its program returned " + std::to_string(s.exit_status) +
                                " instead of 0; it printed '" + output(unit) + "'");
  }
}

void PimSystem::wait(std::span<const unsigned> units) {
  std::vector<unsigned> running(units.begin(), units.end());
  bool idle = false;
  for (;;) {
    std::erase_if(running, [&](unsigned unit) {
      const UnitState s = state(unit);
      if (s.exited) library_.note_end(s.ended_cycle * 1'000'000 / clock_mhz_);
      return s.exited;
    });
    if (running.empty()) return;
    if (library_.status() == TENSIX_VP_TIME_LIMIT) {
      throw TimeLimitError("the time limit came before the end of the program of unit " +
                           std::to_string(running.front()));
    }
    if (idle) report_hang(running);
    library_.clock(kUnitStepCycles);
    idle = library_.status() == TENSIX_VP_IDLE;
  }
}

void PimSystem::report_hang(std::span<const unsigned> running) {
  check_stacks(running);
  std::vector<std::string> lines;
  const json report = json::parse(library_.report(), nullptr, false);
  if (report.is_object() && report.contains("stuck"))
    lines.push_back(report.at("stuck").get<std::string>());
  if (report.is_object() && report.contains("waiting"))
    for (const json& who : report.at("waiting")) lines.push_back(who.get<std::string>());
  lines.push_back("the programs of " + std::to_string(running.size()) +
                  (running.size() == 1 ? " unit have" : " units have") + " not finished");
  std::string text = "nothing moves any more: ";
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n  ") + lines[i];
  throw HangError(text);
}

PimSystem::UnitState PimSystem::state(unsigned unit) {
  tensix_vp_pim_unit s{};
  abi_.pim_state(unit, &s);
  library_.check();
  return {s.state == TENSIX_VP_PIM_EXITED, s.exit_status, s.started_cycle, s.ended_cycle,
          s.instructions};
}

std::vector<std::uint32_t> PimSystem::scheduled_route(unsigned source, unsigned destination) const {
  if (abi_.pim_route == nullptr) return {};
  std::vector<std::uint32_t> links(256);
  const std::uint32_t count =
      abi_.pim_route(source, destination, links.data(), static_cast<std::uint32_t>(links.size()));
  library_.check();
  if (count > links.size()) {
    links.resize(count);
    abi_.pim_route(source, destination, links.data(), count);
  }
  links.resize(count);
  return links;
}

std::string PimSystem::origin(unsigned unit, std::uint64_t address) const {
  const std::string text = library_.origin(0, unit, 0, address);
  return text.empty() ? text : "\n" + text;
}

std::string PimSystem::origin(unsigned unit, const std::string& symbol) const {
  const auto program = programs_.find(unit);
  if (program == programs_.end()) return "";
  const std::string text = library_.origin(0, unit, 1, program->second->symbol(symbol));
  return text.empty() ? text : "\n" + text;
}

std::string PimSystem::output(unsigned unit) {
  std::string text(abi_.pim_output(unit, nullptr, 0) + 1, '\0');
  abi_.pim_output(unit, text.data(), static_cast<std::uint32_t>(text.size()));
  text.pop_back();
  return text;
}

}  // namespace tvp::runtime
