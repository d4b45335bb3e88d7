#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "foundation/json_text.h"
#include "platform/machine/machine.h"

namespace tvp::platform {

namespace {

/// The format of all releases: capitals, no 0x.
std::string digest_text(std::uint64_t digest) {
  std::array<char, 20> text;
  std::snprintf(text.data(), text.size(), "%llX", static_cast<unsigned long long>(digest));
  return text.data();
}

}  // namespace

std::string Machine::report() const {
  nlohmann::ordered_json json;
  json["simulated_ps"] = now_ps();
  describe(json);
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
