#include "platform/cli/run/run_arguments.h"

#include <algorithm>
#include <utility>

#include "foundation/fault.h"
#include "platform/cli/commands/command_options.h"

namespace tvp::cli {

std::string observer_settings(const RunOptions& options) {
  std::string text;
  const auto add = [&](const char* key, const auto& value) {
    if (value) text += key + *value + "\n";
  };
  const auto time = [&](const char* key, const std::optional<double>& ns) {
    if (ns) text += key + std::to_string(static_cast<std::uint64_t>(*ns)) + "\n";
  };
  add("wave.file=", options.wave_file);
  add("wave.trace=", options.trace_file);
  add("wave.scope=", options.wave_scope);
  time("wave.from_ns=", options.wave_from_ns);
  time("wave.to_ns=", options.wave_to_ns);
  add("profile.file=", options.profile_file);
  add("record.file=", options.record_file);
  if (options.gdb_port) text += "gdb.port=" + std::to_string(*options.gdb_port) + "\n";
  return text;
}

void RunArguments::add_program_options(CommandOptions& options) {
  options.option("--system", run_.system, "name of a system or a TOML file");
  options.option("--set", sets_, "key=value; may repeat; commas separate several pairs");
  options.option("--report", run_.report_file, "write the report to this JSON file");
  options.option("--page", run_.page_file, "write the report to this HTML file");
  options.option("--record", run_.record_file,
                 "record accesses of the host to this file, for the command replay");
  options.option("--wave", run_.wave_file, "write waves to this .fst or .vcd file");
  options.option("--trace", run_.trace_file,
                 "write a trace to this .pftrace (Perfetto) or .json (Chrome) file");
  options.option("--profile", run_.profile_file,
                 "write where cycles go to this .callgrind, .folded or .csv file");
  options.option("--wave-scope", run_.wave_scope,
                 "select signals of waves and trace by a path pattern with * and ?");
  options.option("--wave-from", wave_from_, "start waves and trace at this time");
  options.option("--wave-to", wave_to_, "end waves and trace at this time");
  options.option("--gdb", run_.gdb_port, {.from = 1, .to = 65535},
                 "wait for gdb-multiarch on this TCP port");
  options.option("--max-time", max_time_, "stop at this simulated time, e.g. 500us");
  options.flag("--lockstep", run_.lockstep, "synchronize after every cycle: same results, slower");
}

void RunArguments::add_options(CommandOptions& options) {
  add_program_options(options);
  options.option("--device", run_.device_library, "use this library with the same C ABI");
  options.flag("--quiet", run_.quiet, "print no table");
}

RunOptions RunArguments::take() {
  run_.settings = parse_sets(sets_);
  run_.wave_from_ns = parse_optional_time_ns("--wave-from", wave_from_);
  run_.wave_to_ns = parse_optional_time_ns("--wave-to", wave_to_);
  run_.max_time_ns = parse_optional_time_ns("--max-time", max_time_);
  check_window();
  check_named("--report", run_.report_file);
  check_named("--page", run_.page_file);
  check_named("--wave", run_.wave_file);
  check_named("--trace", run_.trace_file);
  check_named("--profile", run_.profile_file);
  check_named("--record", run_.record_file);
  check_named("--device", run_.device_library);
  check_line("--system", run_.system);
  check_line("--wave", run_.wave_file);
  check_line("--wave-scope", run_.wave_scope);
  check_line("--trace", run_.trace_file);
  check_line("--profile", run_.profile_file);
  check_line("--record", run_.record_file);
  return run_;
}

/// Options of waves and traces need `--wave` or `--trace`, and their period must not be empty.
void RunArguments::check_window() const {
  using foundation::Fault;
  using foundation::FaultKind;
  const bool set = std::any_of(run_.settings.begin(), run_.settings.end(), [](const auto& pair) {
    return pair.first == "wave.file" || pair.first == "wave.trace";
  });
  if (!run_.wave_file && !run_.trace_file && !set) {
    for (const auto& [option, given] : {std::pair{"--wave-from", run_.wave_from_ns.has_value()},
                                        std::pair{"--wave-to", run_.wave_to_ns.has_value()},
                                        std::pair{"--wave-scope", run_.wave_scope.has_value()}}) {
      if (given) throw Fault(FaultKind::kDescription, option, "expected --wave or --trace with it");
    }
  }
  if (run_.wave_from_ns && run_.wave_to_ns && *run_.wave_from_ns >= *run_.wave_to_ns) {
    throw Fault(FaultKind::kDescription, "--wave-from " + *wave_from_,
                "expected a time before --wave-to " + *wave_to_);
  }
}

}  // namespace tvp::cli
