#include "sw/workloads/elf/bare_elf.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/json_text.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::workloads {

using namespace tvp::runtime;

namespace {

const char* const kCores[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", "erisc"};

std::uint32_t core_number(const foundation::Choice& choice) {
  const auto* const found = std::find(std::begin(kCores), std::end(kCores), choice.value());
  return static_cast<std::uint32_t>(found - std::begin(kCores));
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

[[noreturn]] void report_hang(const DeviceLibrary& library, const std::string& file) {
  std::string text = "nothing moves any more, and " + file + " has not stored to its symbol tohost";
  const auto report = nlohmann::json::parse(library.report(), nullptr, false);
  if (report.is_object() && report.contains("waiting")) {
    for (const auto& who : report.at("waiting")) {
      text += "\n  " + (who.is_string() ? who.get<std::string>() : foundation::json_text(who));
    }
  }
  throw HangError(text);
}

tensix_vp_program wait_for_end(DeviceLibrary& library, std::int32_t program,
                               const std::string& file) {
  // Cycles of a clock() call: short ones for short programs, then longer ones to save calls, but
  // short enough for Ctrl-C.
  constexpr std::uint32_t kFirstStepCycles = 1000, kLastStepCycles = 1'000'000;
  for (std::uint32_t step = kFirstStepCycles;; step = std::min(2 * step, kLastStepCycles)) {
    const tensix_vp_program result = library.program_result(program);
    if (result.ended != 0) return result;
    if (library.status() == TENSIX_VP_TIME_LIMIT) {
      throw TimeLimitError("the time limit came before " + file +
                           " stored to its symbol tohost, after " +
                           std::to_string(result.instructions) + " instructions");
    }
    if (library.status() == TENSIX_VP_IDLE) report_hang(library, file);
    library.clock(step);
  }
}

}  // namespace

std::string BareElf::load_options() const {
  std::string options;
  for (const foundation::Text* text : {&config_.commitlog, &config_.signature}) {
    if (!text->value().empty()) options += text->info().name + "=" + text->value() + "\n";
  }
  return options;
}

Result BareElf::run(Context& context) {
  const std::string& file = config_.file.value();
  if (file.empty()) bad_use("elf.file", "names no file: expected an ELF file");
  DeviceLibrary& library = context.library;
  MeshDevice::Options options;
  options.print = context.print;
  MeshDevice mesh(library, options);
  Device& device = mesh.device(config_.device);

  const std::uint32_t core = core_number(config_.core);
  CoreCoord tile{config_.x, config_.y};
  if (config_.coordinates == "logical") {
    const bool ethernet = core == TENSIX_VP_CORE_ERISC;
    if (ethernet && tile.x != 0) {
      bad_use("elf.x", "the logical coordinates of an ethernet core are 0 and its channel");
    }
    tile = ethernet ? device.ethernet(tile.y).noc0 : device.worker(tile).noc0;
  }
  const double started = cpu_seconds();
  const std::int32_t program =
      library.load_program(device.chip(), tile.x, tile.y, core, file, load_options());
  const std::uint64_t begin_ps = library.time_ps();
  const double begin_ns = static_cast<double>(begin_ps) / 1000;
  const tensix_vp_program end = wait_for_end(library, program, file);
  library.note_end(begin_ps + end.duration_ps);
  const double seconds = cpu_seconds() - started;

  Result result;
  result.passed = end.tohost == 1;
  if (!result.passed) {
    result.reason = file + ": test " + std::to_string(end.tohost >> 1) + " failed (tohost is " +
                    std::to_string(end.tohost) + ")";
  }
  const auto instructions = static_cast<double>(end.instructions);
  const auto cycles = static_cast<double>(end.cycles);
  result.phases.push_back(
      {"program", begin_ns, begin_ns + static_cast<double>(end.duration_ps) / 1000});
  result.metrics.push_back({"instructions", instructions, ""});
  if (end.slept_instructions != 0) {
    result.metrics.push_back(
        {"slept_instructions", static_cast<double>(end.slept_instructions), ""});
  }
  result.metrics.push_back({"cycles", cycles, "cycles"});
  result.metrics.push_back({"ipc", instructions / cycles, "instructions per cycle"});
  if (seconds > 0) result.metrics.push_back({"mips", instructions / seconds * 1e-6, "MIPS"});
  return result;
}

}  // namespace tvp::workloads
