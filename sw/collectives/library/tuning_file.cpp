#include "sw/collectives/library/tuning_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/read_file.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

using Json = nlohmann::json;

/// The table has a line between two sizes that differ by at most this factor.
constexpr std::uint64_t kFarthest = 4;
/// A time varies by this factor with what ran before it (sw/collectives/library/README.md).
constexpr double kVariation = 1.03;

}  // namespace

std::optional<TimeTable::Time> TimeTable::time(const std::string& algorithm,
                                               std::uint64_t bytes) const {
  // The sizes of this algorithm, with the two that the line goes through.
  std::vector<std::pair<double, Time>> sizes;
  for (const auto& [size, times] : points)
    if (const auto found = times.find(algorithm); found != times.end())
      sizes.emplace_back(static_cast<double>(size), found->second);
  const auto wanted = static_cast<double>(bytes);
  const auto above =
      std::ranges::find_if(sizes, [wanted](const auto& point) { return point.first >= wanted; });
  if (above != sizes.end() && above->first == wanted) return above->second;
  if (sizes.size() < 2) return std::nullopt;
  const auto second = std::clamp(above, sizes.begin() + 1, sizes.end() - 1);
  const auto& [x0, t0] = *(second - 1);
  const auto& [x1, t1] = *second;
  // More bytes take no less time, and no bytes take no negative time.
  const double beta = std::clamp((t1.ns - t0.ns) / (x1 - x0), 0.0, t1.ns / x1);
  const bool nearer_first = wanted - x0 < x1 - wanted;
  return Time{.ns = std::max(t1.ns + beta * (wanted - x1), 0.0),
              .segments = (nearer_first ? t0 : t1).segments};
}

bool TimeTable::covers(std::uint64_t bytes) const {
  const auto above = points.lower_bound(bytes);
  if (above == points.end()) return false;
  if (above->first == bytes) return true;
  return above != points.begin() && above->first <= kFarthest * std::prev(above)->first;
}

double TimeTable::error() const {
  double worst = kVariation;
  if (points.size() < 3) return worst;
  for (auto at = std::next(points.begin()); std::next(at) != points.end(); ++at) {
    const std::uint64_t below = std::prev(at)->first;
    if (at->first > kFarthest * below || std::next(at)->first > kFarthest * at->first) continue;
    TimeTable around{{*std::prev(at), *std::next(at)}};
    for (const auto& [algorithm, measured] : at->second)
      if (const auto line = around.time(algorithm, at->first))
        worst = std::max({worst, line->ns / measured.ns, measured.ns / line->ns});
  }
  return worst;
}

std::vector<std::pair<std::string, TimeTable::Time>> TimeTable::ranking(std::uint64_t bytes) const {
  std::map<std::string, Time> times;
  for (const auto& [size, all] : points)
    for (const auto& [algorithm, ignored] : all)
      if (const auto found = time(algorithm, bytes)) times[algorithm] = *found;
  std::vector<std::pair<std::string, Time>> sorted(times.begin(), times.end());
  std::ranges::stable_sort(sorted,
                           [](const auto& a, const auto& b) { return a.second.ns < b.second.ns; });
  return sorted;
}

std::vector<TimeTable::Crossover> TimeTable::crossovers() const {
  std::vector<Crossover> found;
  const auto fastest = [&](std::uint64_t bytes) { return ranking(bytes).front().first; };
  std::uint64_t before = 0;
  for (const auto& [size, ignored] : points) {
    const std::string winner = fastest(size);
    if (found.empty()) {
      found.push_back({0, winner});
    } else {
      // The lines may cross several times between two sizes.
      for (std::uint64_t low = before; found.back().algorithm != winner;) {
        std::uint64_t high = size;
        const std::string from = found.back().algorithm;
        while (high - low > 1) {
          const std::uint64_t middle = low + (high - low) / 2;
          (fastest(middle) == from ? low : high) = middle;
        }
        found.push_back({high, fastest(high)});
        low = high;
      }
    }
    before = size;
  }
  return found;
}

TuningFile::TuningFile(std::string path, std::string key, std::string system)
    : path_(std::move(path)), key_(std::move(key)), system_(std::move(system)) {
  const std::optional<std::string> text = foundation::try_read_file(path_);
  if (text) read(*text);
}

void TuningFile::read(const std::string& text) {
  const auto bad = [&](const std::string& reason) { runtime::bad_use(path_, reason); };
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != kSchema)
    bad("is not a file of measured collectives: expected JSON with \"schema\": " +
        std::to_string(kSchema));
  if (json.value("key", Json()) != key_)
    bad("was measured on another system, with other settings or other firmware: remove it, or run "
        "'collectives tune' again with another file");
  try {
    for (const auto& [name, p] : json.at("profiles").items()) {
      CostProfile& profile = profiles_[name];
      profile = {.base_ns = p.at("base_ns"),
                 .alpha_ns = p.at("alpha_ns"),
                 .poll_ns = p.at("poll_ns"),
                 .slice_ns = p.at("slice_ns"),
                 .beta_ns = p.at("beta_ns"),
                 .gamma_ns = p.at("gamma_ns"),
                 .worst_factor = p.at("worst_factor")};
      for (const Json& sample : p.at("samples"))
        profile.samples.push_back({.schedule = sample.at("schedule"),
                                   .work = {.messages = sample.at("messages"),
                                            .lanes = sample.at("lanes"),
                                            .slices = sample.at("slices"),
                                            .moved = sample.at("moved"),
                                            .combined = sample.at("combined")},
                                   .ns = sample.at("ns")});
    }
    for (const auto& [name, table] : json.at("tables").items())
      for (const Json& point : table.at("points"))
        for (const auto& [algorithm, time] : point.at("times").items())
          tables_[name].points[point.at("bytes")][algorithm] = {time.at("ns"), time.at("segments")};
  } catch (const Json::exception& error) {
    bad(std::string("lacks something, or has something of another kind: ") + error.what());
  }
}

std::optional<CostProfile> TuningFile::profile(const std::string& name) const {
  const auto found = profiles_.find(name);
  return found == profiles_.end() ? std::nullopt : std::optional(found->second);
}

void TuningFile::set_profile(const std::string& name, const CostProfile& profile) {
  profiles_[name] = profile;
}

const TimeTable* TuningFile::table(const std::string& name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : &found->second;
}

void TuningFile::set_table(const std::string& name, const TimeTable& table) {
  tables_[name] = table;
}

void TuningFile::write() const {
  Json json{{"schema", kSchema},
            {"system", system_},
            {"key", key_},
            {"profiles", Json::object()},
            {"tables", Json::object()}};
  for (const auto& [name, p] : profiles_) {
    Json& made = json["profiles"][name];
    made = {{"base_ns", p.base_ns},           {"alpha_ns", p.alpha_ns},  {"poll_ns", p.poll_ns},
            {"slice_ns", p.slice_ns},         {"beta_ns", p.beta_ns},    {"gamma_ns", p.gamma_ns},
            {"worst_factor", p.worst_factor}, {"samples", Json::array()}};
    for (const CostSample& each : p.samples)
      made["samples"].push_back({{"schedule", each.schedule},
                                 {"messages", each.work.messages},
                                 {"lanes", each.work.lanes},
                                 {"slices", each.work.slices},
                                 {"moved", each.work.moved},
                                 {"combined", each.work.combined},
                                 {"ns", each.ns}});
  }
  for (const auto& [name, table] : tables_) {
    Json& made = json["tables"][name];
    made["points"] = Json::array();
    for (const auto& [bytes, times] : table.points) {
      Json point{{"bytes", bytes}, {"times", Json::object()}};
      for (const auto& [algorithm, time] : times)
        point["times"][algorithm] = {{"ns", time.ns}, {"segments", time.segments}};
      made["points"].push_back(point);
    }
    made["crossovers"] = Json::array();
    for (const TimeTable::Crossover& each : table.crossovers())
      made["crossovers"].push_back(
          {{"from_bytes", each.from_bytes}, {"algorithm", each.algorithm}});
  }
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  foundation::replace_file(path_, foundation::json_text(json, 1) + "\n");
}

}  // namespace tvp::collectives
