#include "sw/collectives/files/schedule_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "sw/collectives/files/located_json.h"
#include "sw/collectives/schedule/schedule_limits.h"
#include "sw/collectives/schedule/step_access.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::array<std::pair<StepKind, const char*>, 7> kStepWords{{
    {StepKind::kSend, "send"},
    {StepKind::kReceive, "receive"},
    {StepKind::kReceiveReduce, "receive_reduce"},
    {StepKind::kCopy, "copy"},
    {StepKind::kReduce, "reduce"},
    {StepKind::kScale, "scale"},
    {StepKind::kNothing, "nothing"},
}};
constexpr std::array<const char*, 3> kMemoryWords{"input", "output", "scratch"};

// --- Writing ----------------------------------------------------------------

std::string place_json(const char* key, const Place& place) {
  if (place.memory == Memory::kNone) return {};
  return std::string(", \"") + key + "\": [\"" +
         kMemoryWords[static_cast<std::size_t>(place.memory)] + "\", " +
         std::to_string(place.index) + "]";
}

std::string rank_json(const char* key, std::uint32_t rank) {
  if (rank == kNobody) return {};
  return std::string(", \"") + key +
         "\": " + (rank == kSwitch ? "\"switch\"" : std::to_string(rank));
}

std::string set_json(const char* key, const RankSet& members) {
  if (members.empty()) return {};
  std::string list;
  for (const std::uint32_t rank : members.ranks())
    list += (list.empty() ? "" : ", ") + std::to_string(rank);
  return std::string(", \"") + key + "\": [" + list + "]";
}

std::string step_json(const Step& step) {
  const auto word =
      std::ranges::find(kStepWords, step.kind, &std::pair<StepKind, const char*>::first);
  std::string made = std::string("{\"do\": \"") + word->second + "\"";
  made += place_json("source", step.source) + place_json("destination", step.destination);
  if (step.count != 1) made += ", \"count\": " + std::to_string(step.count);
  made += rank_json("from", step.from) + rank_json("to", step.to);
  if (step.channel) made += ", \"channel\": " + std::to_string(step.channel);
  made += set_json("contributors", step.contributors) + set_json("members", step.members);
  std::string after;
  for (const Dependency& each : step.after)
    after += (after.empty() ? "[" : ", [") + std::to_string(each.lane) + ", " +
             std::to_string(each.step) + "]";
  if (!after.empty()) made += ", \"after\": [" + after + "]";
  return made + "}";
}

// --- Reading ----------------------------------------------------------------

/// One object of the file. All of its keys must be known and valid.
class Fields {
 public:
  Fields(const LocatedJson& object, std::string file, const char* what,
         std::span<const char* const> known)
      : object_(object), file_(std::move(file)) {
    if (object.kind != LocatedJson::Kind::kObject)
      complain(object, std::string("expected an object, ") + what);
    for (const auto& [key, value] : object.members) {
      if (std::ranges::find(known, key) != known.end()) continue;
      std::string names;
      for (const char* each : known) names += std::string(names.empty() ? "" : ", ") + each;
      complain(value, "key \"" + key + "\" in " + what + ": expected one of " + names);
    }
  }

  const LocatedJson* find(const char* key) const {
    for (const auto& [name, value] : object_.members)
      if (name == key) return &value;
    return nullptr;
  }
  const LocatedJson& need(const char* key, LocatedJson::Kind kind, const char* kind_word) const {
    const LocatedJson* found = find(key);
    if (!found) complain(object_, std::string("has no \"") + key + "\": expected " + kind_word);
    if (found->kind != kind)
      complain(*found, std::string("\"") + key + "\": expected " + kind_word);
    return *found;
  }
  std::uint32_t number(const char* key, std::uint32_t otherwise,
                       std::uint32_t most = kSwitch - 1) const {
    const LocatedJson* found = find(key);
    return found ? number(*found, std::string("\"") + key + "\"", most) : otherwise;
  }
  std::uint32_t number(const LocatedJson& value, const std::string& what,
                       std::uint32_t most = kSwitch - 1) const {
    if (value.kind != LocatedJson::Kind::kNumber || !value.natural || value.number > most)
      complain(value, what + ": expected a whole number from 0 to " + std::to_string(most));
    return static_cast<std::uint32_t>(value.number);
  }
  bool flag(const char* key) const {
    const LocatedJson* found = find(key);
    if (!found) return false;
    if (found->kind != LocatedJson::Kind::kBoolean)
      complain(*found, std::string("\"") + key + "\": expected true or false");
    return found->boolean;
  }
  std::string text(const char* key) const {
    return need(key, LocatedJson::Kind::kString, "a text").text;
  }
  [[noreturn]] void complain(const LocatedJson& at, const std::string& text) const {
    runtime::bad_use(file_ + ":" + std::to_string(at.line), text);
  }

 private:
  const LocatedJson& object_;
  const std::string file_;
};

constexpr std::array kStepKeys{"do", "source",  "destination",  "count",   "from",
                               "to", "channel", "contributors", "members", "after"};
constexpr std::array kScheduleKeys{"schedule", "name",    "op",        "root",
                                   "peer",     "average", "share",     "scratch",
                                   "inputs",   "outputs", "lane_sets", "ranks"};

Place read_place(const Fields& fields, const char* key) {
  const LocatedJson* found = fields.find(key);
  if (!found) return {};
  const bool pair = found->kind == LocatedJson::Kind::kArray && found->items.size() == 2;
  const auto word =
      pair ? std::ranges::find(kMemoryWords, found->items[0].text) : kMemoryWords.end();
  if (word == kMemoryWords.end())
    fields.complain(*found, std::string("\"") + key +
                                "\": expected [\"input\", \"output\" or \"scratch\", chunk]");
  return {static_cast<Memory>(word - kMemoryWords.begin()),
          fields.number(found->items[1], std::string("the chunk of \"") + key + "\"")};
}

std::uint32_t read_rank(const Fields& fields, const char* key) {
  const LocatedJson* found = fields.find(key);
  if (!found) return kNobody;
  if (found->kind == LocatedJson::Kind::kString && found->text == "switch") return kSwitch;
  return fields.number(*found, std::string("\"") + key + "\"");
}

RankSet read_set(const Fields& fields, const char* key) {
  RankSet made;
  if (!fields.find(key)) return made;
  for (const LocatedJson& each : fields.need(key, LocatedJson::Kind::kArray, "ranks").items) {
    const std::uint32_t rank = fields.number(each, std::string("a rank of \"") + key + "\"");
    if (rank >= kMostRanks)
      fields.complain(each,
                      "a rank at the switch: expected one below " + std::to_string(kMostRanks));
    made.add(rank);
  }
  return made;
}

Step read_step(const LocatedJson& value, const std::string& file, ScheduleLimits& limits) {
  const Fields fields(value, file, "a step", kStepKeys);
  Step step;
  const LocatedJson& word = fields.need("do", LocatedJson::Kind::kString, "a text");
  const auto kind = std::ranges::find(kStepWords, word.text,
                                      [](const auto& each) { return std::string(each.second); });
  if (kind == kStepWords.end()) {
    std::string names;
    for (const auto& each : kStepWords)
      names += std::string(names.empty() ? "" : ", ") + each.second;
    fields.complain(word, "step \"" + word.text + "\": expected one of " + names);
  }
  step.kind = kind->first;
  step.source = read_place(fields, "source");
  step.destination = read_place(fields, "destination");
  step.count = fields.number("count", 1, kMostChunks);
  if (const std::string fault = limits.fault_of_step(step); !fault.empty())
    fields.complain(value, fault);
  step.from = read_rank(fields, "from");
  step.to = read_rank(fields, "to");
  step.channel = static_cast<std::uint16_t>(fields.number("channel", 0, kMostChannels - 1));
  step.contributors = read_set(fields, "contributors");
  step.members = read_set(fields, "members");
  if (!fields.find("after")) return step;
  for (const LocatedJson& each : fields.need("after", LocatedJson::Kind::kArray, "a list").items) {
    if (each.kind != LocatedJson::Kind::kArray || each.items.size() != 2)
      fields.complain(each, "\"after\": expected pairs [lane, step]");
    step.after.push_back({fields.number(each.items[0], "a lane of \"after\""),
                          fields.number(each.items[1], "a step of \"after\"")});
  }
  return step;
}

const std::vector<LocatedJson>& items(const LocatedJson& value, const std::string& file,
                                      const char* what) {
  if (value.kind != LocatedJson::Kind::kArray)
    runtime::bad_use(file + ":" + std::to_string(value.line), std::string("expected ") + what);
  return value.items;
}

}  // namespace

std::string to_json(const Schedule& schedule) {
  if (const std::string fault = ScheduleLimits::fault_of(schedule); !fault.empty())
    runtime::bad_use("schedule " + schedule.name + " as JSON", fault);
  std::string made = "{\n  \"schedule\": " + std::to_string(kVersion) + ",\n";
  made += "  \"name\": " + nlohmann::json(schedule.name).dump() + ",\n";
  made += "  \"op\": \"" + name_of(schedule.primitive) + "\",\n";
  if (schedule.root) made += "  \"root\": " + std::to_string(schedule.root) + ",\n";
  if (schedule.primitive == Primitive::kSendRecv)
    made += "  \"peer\": " + std::to_string(schedule.peer) + ",\n";
  if (schedule.average) made += "  \"average\": true,\n";
  made += "  \"share\": " + std::to_string(schedule.share) + ",\n";
  if (schedule.primitive == Primitive::kCustom)
    made += "  \"inputs\": " + std::to_string(schedule.custom_inputs) +
            ",\n  \"outputs\": " + std::to_string(schedule.custom_outputs) + ",\n";
  if (schedule.scratch) made += "  \"scratch\": " + std::to_string(schedule.scratch) + ",\n";
  if (schedule.lane_sets != 1)
    made += "  \"lane_sets\": " + std::to_string(schedule.lane_sets) + ",\n";
  made += "  \"ranks\": [";
  const char* before_rank = "\n";
  for (const RankProgram& rank : schedule.ranks) {
    made += std::string(before_rank) + "    [";
    before_rank = ",\n";
    const char* before_lane = "\n";
    for (const Lane& lane : rank.lanes) {
      made += std::string(before_lane) + "      [";
      before_lane = ",\n";
      const char* before_step = "\n";
      for (const Step& step : lane.steps) {
        made += std::string(before_step) + "        " + step_json(step);
        before_step = ",\n";
      }
      made += "]";
    }
    made += "]";
  }
  return made + "]\n}\n";
}

Schedule from_json(const std::string& text, const std::string& file) {
  const LocatedJson root = parse_json(text, file);
  const Fields fields(root, file, "a schedule", kScheduleKeys);
  fields.need("schedule", LocatedJson::Kind::kNumber, "1, the version of the format");
  if (fields.number("schedule", 0) != kVersion)
    fields.complain(*fields.find("schedule"),
                    "\"schedule\": expected 1, the version of the format");
  Schedule made;
  made.name = fields.text("name");
  const LocatedJson& op = fields.need("op", LocatedJson::Kind::kString, "a text");
  try {
    made.primitive = primitive_named(op.text);
  } catch (const foundation::Fault& fault) {
    fields.complain(op, fault.what());
  }
  made.root = fields.number("root", 0);
  made.peer = fields.number("peer", 0);
  made.average = fields.flag("average");
  made.share = fields.number("share", 1, kMostChunks);
  made.scratch = fields.number("scratch", 0, kMostChunks);
  made.lane_sets = fields.number("lane_sets", 1, kMostRanks);
  for (const auto& [key, chunks] :
       {std::pair{"inputs", &made.custom_inputs}, {"outputs", &made.custom_outputs}}) {
    const LocatedJson* found = fields.find(key);
    const bool custom = made.primitive == Primitive::kCustom;
    if (found && !custom)
      fields.complain(*found, std::string("\"") + key + "\": expected \"op\": \"custom\" with it");
    if (custom) *chunks = fields.number(key, 1, kMostChunks);
  }
  const LocatedJson& ranks = fields.need("ranks", LocatedJson::Kind::kArray, "a list");
  if (ranks.items.size() > kMostRanks)
    fields.complain(ranks, "\"ranks\" has " + std::to_string(ranks.items.size()) +
                               " items: expected at most " + std::to_string(kMostRanks));
  made.ranks.resize(ranks.items.size());
  if (const std::string fault = ScheduleLimits::fault_of_memories(made); !fault.empty())
    fields.complain(ranks, fault);
  ScheduleLimits limits;
  for (std::size_t number = 0; number < made.ranks.size(); ++number) {
    const LocatedJson& rank = ranks.items[number];
    RankProgram& program = made.ranks[number];
    for (const LocatedJson& lane : items(rank, file, "a rank, a list of lanes")) {
      Lane& steps = program.lanes.emplace_back();
      for (const LocatedJson& step : items(lane, file, "a lane, a list of steps"))
        steps.steps.push_back(read_step(step, file, limits));
    }
  }
  return made;
}

}  // namespace tvp::collectives
