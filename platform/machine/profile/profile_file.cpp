#include "platform/machine/profile/profile_file.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <vector>

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

/// As in tt-metal: 16 bits of a hash of the zone's name, and a bit for its end.
std::uint32_t timer_of(const std::string& zone, bool is_end) {
  std::uint32_t hash = 2166136261U;
  for (const char c : zone) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  constexpr std::uint32_t kEnd = 1U << 16;
  return ((hash ^ hash >> 16) & 0xFFFF) | (is_end ? kEnd : 0);
}

}  // namespace

/// The columns of tt_metal/impl/profiler/profiler.cpp. A core's markers are sorted by time.
std::string ProfileFile::device_log(const Profile& profile) {
  static constexpr const char* kCores[] = {"BRISC",   "NCRISC",  "TRISC_0",
                                           "TRISC_1", "TRISC_2", "ERISC"};
  static constexpr const char* kZones[] = {"BRISC", "NCRISC", "TRISC", "TRISC", "TRISC", "ERISC"};
  struct Marker {
    const ProfileZone* zone;
    bool is_end;
    std::uint64_t time() const { return is_end ? zone->end : zone->begin; }
  };
  std::vector<Marker> markers;
  for (const ProfileZone& zone : profile.zones) {
    markers.push_back({&zone, false});
    markers.push_back({&zone, true});
  }
  // The firmware's zone encloses that of the kernel.
  std::sort(markers.begin(), markers.end(), [](const Marker& a, const Marker& b) {
    const auto key = [](const Marker& marker) {
      return std::tuple(marker.zone->core, marker.time(), marker.is_end,
                        marker.is_end != marker.zone->is_kernel ? 0 : 1);
    };
    return key(a) < key(b);
  });
  std::string text =
      "ARCH: " + profile.chip_kind + ", CHIP_FREQ[MHz]: " + std::to_string(profile.clock_mhz) +
      ", Max Compute Cores: " + std::to_string(profile.compute_cores) +
      "\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since "
      "reset], data, run host ID, trace id, trace id counter, zone name, type, "
      "source line, source file, meta data\n";
  for (const Marker& marker : markers) {
    const Profile::Core& core = profile.cores[marker.zone->core];
    const std::string name =
        std::string(kZones[core.kind]) + (marker.zone->is_kernel ? "-KERNEL" : "-FW");
    text += std::to_string(core.chip) + "," + std::to_string(core.x) + "," +
            std::to_string(core.y) + "," + kCores[core.kind] + "," +
            std::to_string(timer_of(name, marker.is_end)) + "," + std::to_string(marker.time()) +
            ",0," + std::to_string(marker.zone->run) + ",,," + name + "," +
            (marker.is_end ? "ZONE_END" : "ZONE_START") + "," + std::to_string(marker.zone->line) +
            "," + marker.zone->file + ",\n";
  }
  return text;
}

ProfileFile::Format ProfileFile::format_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  if (name == "profile_log_device.csv") return device_log;
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
