#include "platform/cli/run/run_origin.h"

#include <ctime>
#include <string>
#include <string_view>

#include "foundation/read_file.h"
#include "foundation/source_root.h"
#include "platform/cli/version.h"

namespace tvp::cli {

namespace {

/// Quotes a word for a shell if it needs that.
std::string word_of_shell(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string command_line() {
  std::string line = foundation::program_name();
  const std::string words = foundation::try_read_file("/proc/self/cmdline").value_or("");
  // The first word is the file of this program.
  for (std::size_t at = words.find('\0'); at != std::string::npos && at + 1 < words.size();) {
    const std::size_t end = words.find('\0', at + 1);
    line += " " + word_of_shell(words.substr(at + 1, end - at - 1));
    at = end;
  }
  return line;
}

}  // namespace

void set_origin(report::RunReport& report) {
  report.command = command_line();
  report.made_by = kVersion;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc);
  report.date = text;
}

}  // namespace tvp::cli
