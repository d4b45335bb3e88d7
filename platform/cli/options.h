#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// Parses the `key=value` pairs of one --set argument, separated by commas. A value with a comma,
/// or the whole pair, is quoted with "; "" is a quote inside quotes. Throws
/// foundation::Fault(kDescription) for anything else.
std::vector<std::pair<std::string, std::string>> parse_set(const std::string& argument);

/// The pairs of several arguments.
std::vector<std::pair<std::string, std::string>> parse_sets(
    const std::vector<std::string>& arguments);

/// Throws foundation::Fault(kDescription) for a value that would end a line of settings.
void check_line(const std::string& option, const std::string& value);
void check_line(const std::string& option, const std::optional<std::string>& value);

/// Throws foundation::Fault(kDescription) for an empty file name, for example from an unset
/// variable of a script, and for a name that is the next option.
void check_named(const std::string& option, const std::optional<std::string>& file);

/// Quotes a value for parse_set.
std::string quoted(const std::string& value);

/// A time like "250us", "1.5ms", "3000ns" or "3000" (ns), in ns and at least 1 ns. Throws
/// foundation::Fault(kDescription) that names the option.
double parse_time_ns(const std::string& option, const std::string& text);
/// Empty if the option was not given.
std::optional<double> parse_optional_time_ns(const std::string& option,
                                             const std::optional<std::string>& text);

/// Throws foundation::Fault(kDescription) unless the text is a 64-bit integer.
std::uint64_t parse_seed(const std::string& text);

/// Options of `vp run`.
struct RunOptions {
  std::string workload;
  std::optional<std::string> system;
  std::vector<std::pair<std::string, std::string>> settings;  ///< as given by the user
  std::vector<std::pair<std::string, std::string>> inputs;    ///< option, and file that it names
  std::uint64_t seed = 1;
  std::optional<std::string> report_file;
  std::optional<std::string> page_file;
  std::optional<std::string> wave_file;
  std::optional<std::string> trace_file;
  std::optional<std::string> profile_file;
  std::optional<std::string> wave_scope;
  std::optional<double> wave_from_ns;
  std::optional<double> wave_to_ns;
  std::optional<std::string> record_file;
  std::optional<std::uint16_t> gdb_port;
  std::optional<double> max_time_ns;
  std::optional<std::string> device_library;
  bool lockstep = false;
  bool quiet = false;
};

}  // namespace tvp::cli
