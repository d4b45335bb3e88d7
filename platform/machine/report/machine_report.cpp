#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "foundation/json_text.h"
#include "models/riscv/debug/source_lines.h"
#include "platform/machine/machine.h"

namespace tvp::platform {

namespace {

/// The format of all releases: capitals, no 0x.
std::string digest_text(std::uint64_t digest) {
  std::array<char, 20> text;
  std::snprintf(text.data(), text.size(), "%llX", static_cast<unsigned long long>(digest));
  return text.data();
}

/// The first line of the first warning, with the kernel's own line: it may be the cause of a hang.
std::string first_warning(const RecordingFaultPolicy& faults) {
  const std::vector<std::string> all = faults.warnings();
  if (all.empty()) return {};
  const std::string& text = all.front();
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string first = text.substr(0, end);
  if (end == text.size()) return first;
  // "kernel_main (reader.cpp:12): cb_wait_front (…), inlined into …"
  const std::string place = text.substr(end + 1, text.find('\n', end + 1) - end - 1);
  const std::size_t begin = std::min(place.find_first_not_of(' '), place.size());
  const std::size_t behind = place.find("): ", begin);
  first += " " + place.substr(begin, behind == std::string::npos ? behind : behind + 1 - begin);
  if (behind == std::string::npos) return first;
  // The kernel's helper functions through which the library was called.
  const std::string kInlined = ", inlined into ";
  std::size_t at = place.find(kInlined, behind);
  for (bool is_first = true; at != std::string::npos;) {
    const std::size_t next = place.find(kInlined, at + 1);
    const std::string caller = place.substr(
        at + kInlined.size(), next == std::string::npos ? next : next - at - kInlined.size());
    const std::size_t file = caller.rfind('(');
    if (file != std::string::npos && !riscv::is_of_library(caller.substr(file + 1))) {
      first += (is_first ? ", called in " : " in ") + caller;
      is_first = false;
    }
    at = next;
  }
  return first;
}

}  // namespace

std::string Machine::report() const {
  nlohmann::ordered_json json;
  json["simulated_ps"] = now_ps();
  describe(json);
  if (json.contains("waiting") && !json["waiting"].empty() && idle()) {
    const std::string before = first_warning(faults_);
    std::string first = json["waiting"][0];
    const std::size_t end = std::min(first.find('\n'), first.size());
    if (!before.empty()) json["waiting"][0] = first.insert(end, ". Warned before: " + before);
  }
  settle();
  json["state_digest"] = digest_text(state_digest());
  if (profile_) {
    const Profile made = profile();
    const Cycles total = made.total();
    json["profile"] = {{"file", config_.profile.file.value()},
                       {"version", Profile::kVersion},
                       {"cores", made.cores.size()},
                       {"cycles", total.sum()},
                       {"cycles_without_line", made.without_line()}};
    for (std::size_t i = 0; i < kSpentKinds; ++i)
      json["profile"]["spent"][kSpentNames[i]] = total[i];
  }
  json["warnings"] = faults_.warnings();
  json["phases"] = nlohmann::ordered_json::array();
  for (const PhaseRecord& p : phases_) {
    json["phases"].push_back({{"name", p.name},
                              {"begin_ns", static_cast<double>(p.begin_ps) / 1000.0},
                              {"end_ns", static_cast<double>(p.end_ps) / 1000.0}});
  }
  return foundation::json_text(json);
}

}  // namespace tvp::platform
