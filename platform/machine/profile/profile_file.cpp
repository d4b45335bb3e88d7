#include "platform/machine/profile/profile_file.h"

#include <algorithm>
#include <filesystem>

#include "foundation/fault.h"

namespace tvp::platform {

namespace {

constexpr const char* kUnknownFile = "???";  // as callgrind_annotate writes it

std::string file_of(const ProfileRow& row) { return row.file.empty() ? kUnknownFile : row.file; }

std::string list_of(const Cycles& cycles) {
  std::string text = std::to_string(cycles.sum());
  for (const std::uint64_t each : cycles) text += " " + std::to_string(each);
  return text;
}

/// The format of the manual "Callgrind Format Specification". A core is an object.
std::string callgrind(const Profile& profile) {
  std::string text = "# callgrind format\nversion: 1\ncreator: tensix-vp profile " +
                     std::to_string(Profile::kVersion) + "\ncmd: " + profile.system + "\n" +
                     "desc: Clock: " + std::to_string(profile.clock_mhz) +
                     " MHz\npositions: line\nevents: cycles";
  for (const char* name : kSpentNames) text += std::string(" ") + name;
  text += "\nsummary: " + list_of(profile.total()) + "\n";
  unsigned core = ~0U;
  for (const ProfileRow& row : profile.rows) {
    if (row.core != core) text += "\nob=" + profile.cores[row.core].name + "\n";
    core = row.core;
    text += "fl=" + file_of(row) + "\nfn=" + row.function + "\n" + std::to_string(row.line) + " " +
            list_of(row.cycles) + "\n";
  }
  return text;
}

/// A frame must not contain the characters that separate frames and counts.
std::string frame(std::string text) {
  std::replace(text.begin(), text.end(), ';', ':');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Folded stacks: core, function and line, call of the library, purpose; and the cycles.
std::string folded(const Profile& profile) {
  std::string text;
  for (const ProfileRow& row : profile.rows) {
    std::string stack = frame(profile.cores[row.core].name) + ";" + frame(row.function);
    if (!row.file.empty()) stack += frame(" (" + row.file + ":" + std::to_string(row.line) + ")");
    if (!row.called.empty()) stack += ";" + frame(row.called);
    for (std::size_t i = 0; i < kSpentKinds; ++i) {
      if (row.cycles[i] == 0) continue;
      text += stack + ";[" + kSpentNames[i] + "] " + std::to_string(row.cycles[i]) + "\n";
    }
  }
  return text;
}

/// A field with the quotes of RFC 4180.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv(const Profile& profile) {
  std::string text = "version,core,function,file,line,called,cycles";
  for (const char* name : kSpentNames) text += std::string(",") + name;
  text += "\n";
  for (const ProfileRow& row : profile.rows) {
    std::string numbers = list_of(row.cycles);
    std::replace(numbers.begin(), numbers.end(), ' ', ',');
    text += std::to_string(Profile::kVersion) + "," + field(profile.cores[row.core].name) + "," +
            field(row.function) + "," + field(row.file) + "," + std::to_string(row.line) + "," +
            field(row.called) + "," + numbers + "\n";
  }
  return text;
}

}  // namespace

ProfileFile::Format ProfileFile::format_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  if (name.ends_with(".callgrind") || name.starts_with("callgrind.out")) return callgrind;
  if (name.ends_with(".folded")) return folded;
  if (name.ends_with(".csv")) return csv;
  throw foundation::Fault(
      foundation::FaultKind::kDescription, "",
      "profile file '" + file +
          "': expected a name that ends in .callgrind, .folded or .csv, or callgrind.out.*");
}

ProfileFile::ProfileFile(const std::string& file) : format_(format_of(file)), file_(file) {}

void ProfileFile::write(const Profile& profile) {
  file_.write(format_(profile));
  file_.close();
}

}  // namespace tvp::platform
