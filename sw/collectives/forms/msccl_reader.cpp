#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "sw/collectives/forms/msccl_form.h"
#include "sw/collectives/forms/msccl_words.h"
#include "sw/collectives/forms/xml_element.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

class MscclReader {
 public:
  explicit MscclReader(std::string file) : file_(std::move(file)) {}
  Schedule read(const XmlElement& algo);

 private:
  [[noreturn]] void complain(const XmlElement& at, const std::string& text) const {
    runtime::bad_use(file_ + ":" + std::to_string(at.line), "<" + at.name + "> " + text);
  }
  std::int64_t number(const XmlElement& at, const char* key, std::int64_t least) const;
  std::int64_t number_or(const XmlElement& at, const char* key, std::int64_t least,
                         std::int64_t otherwise) const {
    return at.attribute(key) ? number(at, key, least) : otherwise;
  }
  std::string text(const XmlElement& at, const char* key) const;
  void only(const XmlElement& at, const char* child) const;

  void read_head(const XmlElement& algo);
  void read_gpu(const XmlElement& gpu);
  void read_block(const XmlElement& block, std::uint32_t rank, Lane& lane,
                  const std::map<std::int64_t, std::uint32_t>& lanes) const;
  Step read_step(const XmlElement& element, const XmlElement& block, std::uint32_t rank,
                 const std::map<std::int64_t, std::uint32_t>& lanes) const;
  Place place(const XmlElement& at, std::uint32_t rank, const char* memory,
              const char* index) const;
  void add_copies();

  const std::string file_;
  Schedule made_;
  bool in_place_ = false;
  std::set<std::int64_t> seen_;
};

std::int64_t MscclReader::number(const XmlElement& at, const char* key, std::int64_t least) const {
  const std::string value = text(at, key);
  std::int64_t made = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), made);
  if (error != std::errc() || rest != value.data() + value.size() || made < least ||
      made > 0xFFFF'FFF0)
    complain(at, std::string(key) + "=\"" + value + "\", expected a whole number from " +
                     std::to_string(least) + " on");
  return made;
}

std::string MscclReader::text(const XmlElement& at, const char* key) const {
  const std::string* found = at.attribute(key);
  if (!found) complain(at, std::string("has no attribute ") + key);
  return *found;
}

void MscclReader::only(const XmlElement& at, const char* child) const {
  for (const XmlElement& each : at.children)
    if (each.name != child) complain(each, "in <" + at.name + ">, expected <" + child + "> only");
}

void MscclReader::read_head(const XmlElement& algo) {
  if (algo.name != "algo") complain(algo, "is the root, expected <algo>");
  only(algo, "gpu");
  made_.name = text(algo, "name");
  const std::string word = text(algo, "coll");
  const auto collective = std::ranges::find(kMscclCollectives, word, &MscclCollective::word);
  if (collective == kMscclCollectives.end()) {
    std::string names;
    for (const MscclCollective& each : kMscclCollectives)
      names += (names.empty() ? "" : ", ") + std::string(each.word);
    complain(algo, "coll=\"" + word + "\", expected one of " + names);
  }
  made_.primitive = collective->primitive;
  made_.root = static_cast<std::uint32_t>(number_or(algo, "root", 0, 0));
  in_place_ = number_or(algo, "inplace", 0, 0) != 0;
  const std::int64_t ranks = number(algo, "ngpus", 1);
  if (ranks != static_cast<std::int64_t>(algo.children.size()))
    complain(algo, "ngpus=\"" + std::to_string(ranks) + "\", but there are " +
                       std::to_string(algo.children.size()) + " <gpu>");
  made_.ranks.resize(algo.children.size());
  const std::int64_t whole = number(algo, "nchunksperloop", 1);
  const bool divided = made_.vector_chunks() != made_.share;  // N shares of 1 chunk so far
  if (divided && whole % ranks != 0)
    complain(algo, "nchunksperloop=\"" + std::to_string(whole) + "\", expected a multiple of " +
                       std::to_string(ranks) + " ranks");
  made_.share = static_cast<std::uint32_t>(divided ? whole / ranks : whole);
}

Schedule MscclReader::read(const XmlElement& algo) {
  read_head(algo);
  for (const XmlElement& gpu : algo.children) read_gpu(gpu);
  if (in_place_) add_copies();
  return std::move(made_);
}

void MscclReader::read_gpu(const XmlElement& gpu) {
  for (const XmlElement& each : gpu.children)
    if (each.name != "tb" && each.name != "copy")
      complain(each, "in <gpu>, expected <tb> or <copy>");
  const std::int64_t id = number(gpu, "id", 0);
  if (id >= made_.size() || !seen_.insert(id).second)
    complain(gpu, "id=\"" + std::to_string(id) + "\", expected each of 0 to " +
                      std::to_string(made_.size() - 1) + " once");
  const auto rank = static_cast<std::uint32_t>(id);
  made_.scratch =
      std::max(made_.scratch, static_cast<std::uint32_t>(number_or(gpu, "s_chunks", 0, 0)));
  std::map<std::int64_t, std::uint32_t> lanes;  // of threadblocks
  for (const XmlElement& block : gpu.children) {
    if (block.name != "tb") continue;
    const std::int64_t number_of = number(block, "id", 0);
    if (!lanes.try_emplace(number_of, static_cast<std::uint32_t>(lanes.size())).second)
      complain(block, "id=\"" + std::to_string(number_of) + "\" is there twice");
  }
  RankProgram& program = made_.ranks[rank];
  for (const XmlElement& block : gpu.children)
    if (block.name == "tb") read_block(block, rank, program.lanes.emplace_back(), lanes);
}

void MscclReader::read_block(const XmlElement& block, std::uint32_t rank, Lane& lane,
                             const std::map<std::int64_t, std::uint32_t>& lanes) const {
  only(block, "step");
  for (const XmlElement& element : block.children) {
    const std::int64_t at = number(element, "s", 0);
    if (at != static_cast<std::int64_t>(lane.steps.size()))
      complain(element,
               "s=\"" + std::to_string(at) + "\", expected " + std::to_string(lane.steps.size()));
    lane.steps.push_back(read_step(element, block, rank, lanes));
  }
}

Step MscclReader::read_step(const XmlElement& element, const XmlElement& block, std::uint32_t rank,
                            const std::map<std::int64_t, std::uint32_t>& lanes) const {
  const std::string type = text(element, "type");
  const auto word = std::ranges::find(kMscclWords, type, &MscclWord::word);
  if (word == kMscclWords.end())
    complain(element,
             "type=\"" + type + "\", expected one of s, r, rcs, rrc, rrs, rrcs, cpy, re, nop");
  Step step;
  step.kind = word->kind;
  step.channel = static_cast<std::uint16_t>(number_or(block, "chan", 0, 0));
  const auto peer = [&](const char* key) {
    const std::int64_t found = number(block, key, -1);
    if (found < 0)
      complain(element, "type=\"" + type + "\" in a <tb> (line " + std::to_string(block.line) +
                            ") with " + key + "=\"-1\", expected a rank there");
    return static_cast<std::uint32_t>(found);
  };
  const bool receives = word->kind == StepKind::kReceive || word->kind == StepKind::kReceiveReduce;
  if (receives) step.from = peer("recv");
  if (word->kind == StepKind::kSend || word->forwards) step.to = peer("send");
  if (word->kind != StepKind::kNothing) {
    step.count = static_cast<std::uint32_t>(number(element, "cnt", 1));
    if (word->kind != StepKind::kReceive) step.source = place(element, rank, "srcbuf", "srcoff");
    if (word->kind != StepKind::kSend && type != "rrs")
      step.destination = place(element, rank, "dstbuf", "dstoff");
  }
  const std::int64_t on = number_or(element, "depid", -1, -1);
  if (on >= 0) {
    const auto lane = lanes.find(on);
    if (lane == lanes.end())
      complain(element, "depid=\"" + std::to_string(on) + "\", which is no <tb> of this gpu");
    step.after.push_back({lane->second, static_cast<std::uint32_t>(number(element, "deps", 0))});
  }
  return step;
}

Place MscclReader::place(const XmlElement& at, std::uint32_t rank, const char* memory,
                         const char* index) const {
  const std::string word = text(at, memory);
  const auto chunk = static_cast<std::uint32_t>(number(at, index, 0));
  if (word != "i" && word != "o" && word != "s")
    complain(at, std::string(memory) + "=\"" + word + "\", expected i, o or s");
  const std::uint32_t k = made_.share;
  if (!in_place_)
    return {word == "i" ? Memory::kInput : word == "o" ? Memory::kOutput : Memory::kScratch, chunk};
  // In place the smaller of input and output is the rank's own part of the larger.
  const bool gathers =
      made_.primitive == Primitive::kAllGather || made_.primitive == Primitive::kGather;
  const bool scatters =
      made_.primitive == Primitive::kReduceScatter || made_.primitive == Primitive::kScatter;
  if (word == "s") return {Memory::kScratch, chunk + (scatters ? made_.input_chunks() : 0)};
  if (gathers) return {Memory::kOutput, word == "i" ? rank * k + chunk : chunk};
  if (scatters) return {Memory::kScratch, word == "o" ? rank * k + chunk : chunk};
  return {Memory::kOutput, chunk};
}

void MscclReader::add_copies() {
  const std::uint32_t k = made_.share;
  const std::uint32_t inputs = made_.input_chunks();
  const bool gathers =
      made_.primitive == Primitive::kAllGather || made_.primitive == Primitive::kGather;
  const bool scatters =
      made_.primitive == Primitive::kReduceScatter || made_.primitive == Primitive::kScatter;
  if (scatters) made_.scratch += inputs;
  for (std::uint32_t rank = 0; rank < made_.size(); ++rank) {
    RankProgram& program = made_.ranks[rank];
    const auto extra = static_cast<std::uint32_t>(program.lanes.size());
    const Place work = scatters  ? Place{Memory::kScratch, 0}
                       : gathers ? Place{Memory::kOutput, rank * k}
                                 : Place{Memory::kOutput, 0};
    Step first{.kind = StepKind::kCopy,
               .source = {Memory::kInput, 0},
               .destination = work,
               .count = inputs};
    Step last{.kind = StepKind::kCopy,
              .source = {Memory::kScratch, rank * k},
              .destination = {Memory::kOutput, 0},
              .count = k};
    for (std::uint32_t lane = 0; lane < extra; ++lane) {
      std::vector<Step>& steps = program.lanes[lane].steps;
      if (steps.empty()) continue;
      steps.front().after.push_back({extra, 0});
      last.after.push_back({lane, static_cast<std::uint32_t>(steps.size() - 1)});
    }
    Lane& lane = program.lanes.emplace_back();
    lane.steps.push_back(first);
    if (scatters) lane.steps.push_back(last);
  }
}

}  // namespace

Schedule from_msccl(const std::string& text, const std::string& file) {
  return MscclReader(file).read(parse_xml(text, file));
}

}  // namespace tvp::collectives
