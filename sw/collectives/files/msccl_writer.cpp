#include <algorithm>
#include <map>

#include "sw/collectives/files/msccl_words.h"
#include "sw/collectives/files/msccl_xml.h"
#include "sw/collectives/schedule/local_order.h"
#include "sw/collectives/schedule/schedule_limits.h"
#include "sw/collectives/schedule/schedule_text.h"
#include "sw/collectives/schedule/step_access.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

/// Text for an attribute in quotes.
std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += c;
    }
  }
  return made;
}

/// One end of a connection at a rank.
struct Endpoint {
  bool outward;
  std::uint32_t peer;
  std::uint16_t channel;
  auto operator<=>(const Endpoint&) const = default;
};

/// The threadblocks of one rank.
class MscclRank {
 public:
  MscclRank(const Schedule& schedule, std::uint32_t rank)
      : schedule_(schedule), program_(schedule.ranks[rank]), rank_(rank), order_(program_) {
    join_endpoints();
    for (const Dependency& at : order_.sequence()) place(at);
  }
  std::string text(std::uint32_t scratch) const;
  /// Chunks of scratch for forwarded data, because `rcs` must store it: a part for each
  /// threadblock.
  std::uint32_t parked() const { return parking_ * static_cast<std::uint32_t>(blocks_.size()); }

 private:
  struct Line {
    std::string word;
    Step step;
    std::int64_t wait_block = -1;
    std::int64_t wait_step = -1;
    bool waited_for = false;
  };
  struct Block {
    std::int64_t send = -1;
    std::int64_t receive = -1;
    std::uint16_t channel = 0;
    std::vector<Line> lines;
    Dependency last{kNobody, 0};
  };
  using Key = std::pair<bool, std::uint32_t>;  ///< key of a group of endpoints, or of a lane

  const Step& step(const Dependency& at) const { return program_.lanes[at.lane].steps[at.step]; }
  void join_endpoints();
  std::uint32_t root(std::uint32_t endpoint) const {
    while (joined_[endpoint] != endpoint) endpoint = joined_[endpoint];
    return endpoint;
  }
  std::uint32_t number(const Endpoint& endpoint);
  std::uint32_t block_of(const Dependency& at);
  void connect(Block& block, const Dependency& at);
  void place(const Dependency& at);
  std::vector<Dependency> waits(const Dependency& at, std::uint32_t block) const;
  [[noreturn]] void refuse(const Dependency& at, const std::string& why) const {
    runtime::bad_use(
        "schedule " + schedule_.name + " as MSCCL XML",
        place_text({rank_, at.lane, at.step}) + " (" + step_text(step(at)) + "): " + why);
  }

  const Schedule& schedule_;
  const RankProgram& program_;
  const std::uint32_t rank_;
  const LocalOrder order_;
  std::map<Endpoint, std::uint32_t> numbers_;
  std::vector<std::uint32_t> joined_;
  std::map<Key, std::uint32_t> block_numbers_;
  std::vector<Block> blocks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>
      placed_;
  std::uint32_t parking_ = 0;
};

std::uint32_t MscclRank::number(const Endpoint& endpoint) {
  const auto [entry, fresh] =
      numbers_.try_emplace(endpoint, static_cast<std::uint32_t>(joined_.size()));
  if (fresh) joined_.push_back(entry->second);
  return entry->second;
}

void MscclRank::join_endpoints() {
  // A step that receives and sends needs both connections in one threadblock.
  for (const Dependency& at : order_.sequence()) {
    const Step& each = step(at);
    if (each.kind == StepKind::kScale) refuse(at, "MSCCL XML has no division");
    if (each.to == kSwitch || each.from == kSwitch) refuse(at, "MSCCL XML has no switch");
    if (sends(each) && receives(each))
      joined_[root(number({true, each.to, each.channel}))] =
          root(number({false, each.from, each.channel}));
    else if (sends(each))
      number({true, each.to, each.channel});
    else if (receives(each))
      number({false, each.from, each.channel});
  }
}

std::uint32_t MscclRank::block_of(const Dependency& at) {
  // A step that only waits stands before the step that waits for it.
  const std::vector<Step>& lane = program_.lanes[at.lane].steps;
  std::uint32_t meant = at.step;
  while (lane[meant].kind == StepKind::kNothing && meant + 1 < lane.size()) ++meant;
  const Step& each = lane[meant];
  Key key{true, at.lane};
  if (receives(each))
    key = {false, root(number({false, each.from, each.channel}))};
  else if (sends(each))
    key = {false, root(number({true, each.to, each.channel}))};
  const auto [entry, fresh] =
      block_numbers_.try_emplace(key, static_cast<std::uint32_t>(blocks_.size()));
  if (fresh) blocks_.emplace_back();
  return entry->second;
}

void MscclRank::connect(Block& block, const Dependency& at) {
  const Step& each = step(at);
  const auto bind = [&](std::int64_t& peer, std::uint32_t wanted) {
    if (peer >= 0 && peer != wanted)
      refuse(at, "a second connection of its threadblock, which has one each way");
    peer = wanted;
    block.channel = each.channel;
  };
  if (sends(each)) bind(block.send, each.to);
  if (receives(each)) bind(block.receive, each.from);
}

std::vector<Dependency> MscclRank::waits(const Dependency& at, std::uint32_t block) const {
  std::vector<Dependency> all = step(at).after;
  if (at.step > 0) all.push_back({at.lane, at.step - 1});
  std::vector<Dependency> kept;
  const Dependency& last = blocks_[block].last;
  for (const Dependency& each : all) {
    const bool here = placed_.at({each.lane, each.step}).first == block;
    const bool known = last.lane != kNobody && order_.before(each, last);
    const bool implied = std::ranges::any_of(
        all, [&](const Dependency& other) { return order_.before(each, other); });
    if (!here && !known && !implied && std::ranges::find(kept, each) == kept.end())
      kept.push_back(each);
  }
  return kept;
}

void MscclRank::place(const Dependency& at) {
  const Step& each = step(at);
  const std::uint32_t number_of = block_of(at);
  Block& block = blocks_[number_of];
  connect(block, at);
  Line line{.word = "nop", .step = each};
  if (each.kind == StepKind::kReceiveReduce && each.to != kNobody)
    line.word = each.destination.memory == Memory::kNone ? "rrs" : "rrcs";
  else
    line.word = std::ranges::find_if(kMscclWords, [&](const MscclWord& word) {
                  return word.kind == each.kind && word.forwards == (receives(each) && sends(each));
                })->word;
  if (line.word == "rcs" && each.destination.memory == Memory::kNone) {
    line.step.destination = {Memory::kNone, 0};
    parking_ = std::max(parking_, each.count);
  }
  const std::vector<Dependency> before = waits(at, number_of);
  for (std::size_t wait = 0; wait < before.size(); ++wait) {
    const auto& [other, step_number] = placed_.at({before[wait].lane, before[wait].step});
    blocks_[other].lines[step_number].waited_for = true;
    Line nop{.word = "nop", .step = Step{.count = 1}};
    Line& waiting = wait + 1 < before.size() ? nop : line;
    waiting.wait_block = other;
    waiting.wait_step = step_number;
    if (&waiting == &nop) block.lines.push_back(nop);
  }
  placed_[{at.lane, at.step}] = {number_of, static_cast<std::uint32_t>(block.lines.size())};
  block.lines.push_back(std::move(line));
  block.last = at;
}

std::string MscclRank::text(std::uint32_t scratch) const {
  static constexpr const char* kLetters[] = {"i", "o", "s"};
  std::string made = "  <gpu id=\"" + std::to_string(rank_) + "\" i_chunks=\"" +
                     std::to_string(schedule_.input_chunks()) + "\" o_chunks=\"" +
                     std::to_string(schedule_.output_chunks()) + "\" s_chunks=\"" +
                     std::to_string(scratch) + "\">\n";
  std::uint32_t parked = schedule_.scratch;
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const Block& each = blocks_[block];
    made += "    <tb id=\"" + std::to_string(block) + "\" send=\"" + std::to_string(each.send) +
            "\" recv=\"" + std::to_string(each.receive) + "\" chan=\"" +
            std::to_string(each.channel) + "\">\n";
    for (std::size_t number_of = 0; number_of < each.lines.size(); ++number_of) {
      const Line& line = each.lines[number_of];
      Place source = line.step.source;
      Place destination = line.step.destination;
      if (line.word == "rcs" && destination.memory == Memory::kNone)
        destination = {Memory::kScratch, parked};
      // If a step has one place, the other attribute repeats it.
      if (source.memory == Memory::kNone) source = destination;
      if (destination.memory == Memory::kNone) destination = source;
      if (source.memory == Memory::kNone) source = destination = {Memory::kInput, 0};
      const auto place_of = [&](const char* which, const Place& place) {
        return std::string(" ") + which + "buf=\"" +
               kLetters[static_cast<std::size_t>(place.memory)] + "\" " + which + "off=\"" +
               std::to_string(place.index) + "\"";
      };
      made += "      <step s=\"" + std::to_string(number_of) + "\" type=\"" + line.word + "\"" +
              place_of("src", source) + place_of("dst", destination) + " cnt=\"" +
              std::to_string(line.word == "nop" ? 0 : line.step.count) + "\" depid=\"" +
              std::to_string(line.wait_block) + "\" deps=\"" + std::to_string(line.wait_step) +
              "\" hasdep=\"" + (line.waited_for ? "1" : "0") + "\"/>\n";
    }
    made += "    </tb>\n";
    parked += parking_;
  }
  return made + "  </gpu>\n";
}

}  // namespace

std::string to_msccl(const Schedule& schedule) {
  const auto collective =
      std::ranges::find(kMscclCollectives, schedule.primitive, &MscclCollective::primitive);
  if (collective == kMscclCollectives.end())
    runtime::bad_use("schedule " + schedule.name + " as MSCCL XML",
                     "MSCCL XML has no " + name_of(schedule.primitive));
  const auto check_limits = [&](std::uint32_t parked) {
    if (const std::string fault = ScheduleLimits::fault_of(schedule, parked); !fault.empty())
      runtime::bad_use("schedule " + schedule.name + " as MSCCL XML", fault);
  };
  check_limits(0);
  std::vector<MscclRank> ranks;
  std::uint32_t parked = 0;
  std::uint16_t channels = 0;
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    ranks.emplace_back(schedule, rank);
    for (const Lane& lane : schedule.ranks[rank].lanes)
      for (const Step& step : lane.steps) channels = std::max(channels, step.channel);
    parked = std::max(parked, ranks.back().parked());
  }
  check_limits(parked);
  std::string made = "<algo name=\"" + escaped(schedule.name) + "\" proto=\"Simple\" nchannels=\"" +
                     std::to_string(channels + 1) + "\" nchunksperloop=\"" +
                     std::to_string(schedule.vector_chunks()) + "\" ngpus=\"" +
                     std::to_string(schedule.size()) + "\" coll=\"" +
                     std::string(collective->word) + "\" inplace=\"0\"";
  if (schedule.root) made += " root=\"" + std::to_string(schedule.root) + "\"";
  made += ">\n";
  for (const MscclRank& each : ranks) made += each.text(schedule.scratch + parked);
  return made + "</algo>\n";
}

}  // namespace tvp::collectives
