#include <algorithm>
#include <charconv>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string_view>

#include "sw/collectives/files/msccl_words.h"
#include "sw/collectives/files/msccl_xml.h"
#include "sw/collectives/schedule/schedule_limits.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

/// MSCCL's tools write 12. Every look-up of an attribute goes through all of an element.
constexpr std::ptrdiff_t kMostAttributes = 64;
constexpr std::int64_t kMostNumber = 0xFFFF'FFF0;

class MscclReader {
 public:
  MscclReader(const std::string& text, std::string file) : text_(text), file_(std::move(file)) {}
  Schedule read();

 private:
  using Element = pugi::xml_node;
  using LaneNumbers = std::map<std::int64_t, std::uint32_t>;  ///< lane of each threadblock's id

  std::string line(std::ptrdiff_t offset) const {
    return std::to_string(1 + std::count(text_.begin(), text_.begin() + offset, '\n'));
  }
  [[noreturn]] void complain(const Element& at, const std::string& text) const {
    runtime::bad_use(file_ + ":" + line(at.offset_debug()), tag(at) + " " + text);
  }
  static std::string tag(const Element& at) { return std::string("<") + at.name() + ">"; }
  std::string attribute(const Element& at, const char* key) const;
  std::int64_t number(const Element& at, const char* key, std::int64_t least,
                      std::int64_t most = kMostNumber) const;
  std::int64_t number_or(const Element& at, const char* key, std::int64_t least, std::int64_t most,
                         std::int64_t otherwise) const {
    return at.attribute(key) ? number(at, key, least, most) : otherwise;
  }
  void check_attributes(const Element& at) const;
  /// The elements in `at`, all of which must have one of two names.
  pugi::xml_object_range<pugi::xml_node_iterator> elements(const Element& at, const char* name,
                                                           const char* other) const;

  Element read_root(pugi::xml_document& document) const;
  void read_head(const Element& algo);
  void read_custom_chunks(const Element& algo);
  void read_gpu(const Element& gpu);
  void read_block(const Element& block, std::uint32_t rank, Lane& lane, const LaneNumbers& lanes);
  Step read_step(const Element& element, const Element& block, std::uint32_t rank,
                 const LaneNumbers& lanes);
  Place place(const Element& at, std::uint32_t rank, const char* memory, const char* index) const;
  void add_copies();

  const std::string& text_;
  const std::string file_;
  Schedule made_;
  ScheduleLimits limits_;
  bool in_place_ = false;
  std::set<std::int64_t> seen_;
};

std::string MscclReader::attribute(const Element& at, const char* key) const {
  const pugi::xml_attribute found = at.attribute(key);
  if (!found) complain(at, std::string("has no attribute ") + key);
  return found.value();
}

std::int64_t MscclReader::number(const Element& at, const char* key, std::int64_t least,
                                 std::int64_t most) const {
  const std::string value = attribute(at, key);
  std::int64_t made = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), made);
  if (error != std::errc() || rest != value.data() + value.size() || made < least || made > most)
    complain(at, std::string(key) + "=\"" + value + "\": expected a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
  return made;
}

void MscclReader::check_attributes(const Element& at) const {
  const auto all = at.attributes();
  if (std::distance(all.begin(), all.end()) > kMostAttributes)
    complain(at, "has more than " + std::to_string(kMostAttributes) + " attributes");
  std::set<std::string_view> names;
  for (const pugi::xml_attribute& each : all)
    if (!names.insert(each.name()).second)
      complain(at, std::string("has the attribute ") + each.name() + " twice");
}

pugi::xml_object_range<pugi::xml_node_iterator> MscclReader::elements(const Element& at,
                                                                      const char* name,
                                                                      const char* other) const {
  const std::string expected = std::string("<") + name + "> or <" + other + ">";
  for (const Element& each : at.children()) {
    if (each.type() != pugi::node_element) complain(at, "contains text: expected " + expected);
    if (each.name() != std::string_view(name) && each.name() != std::string_view(other))
      complain(each, "in " + tag(at) + ": expected " + expected);
    check_attributes(each);
  }
  return at.children();
}

pugi::xml_node MscclReader::read_root(pugi::xml_document& document) const {
  const pugi::xml_parse_result parsed = document.load_buffer(text_.data(), text_.size());
  if (!parsed)
    runtime::bad_use(file_ + ":" + line(parsed.offset),
                     std::string("is not XML: ") + parsed.description());
  const Element root = document.document_element();
  if (root.name() != std::string_view("algo")) complain(root, "is the root: expected <algo>");
  if (const Element next = root.next_sibling())
    complain(next, "follows the end of <algo>: expected the end of the file");
  check_attributes(root);
  return root;
}

void MscclReader::read_head(const Element& algo) {
  made_.name = attribute(algo, "name");
  const std::string word = attribute(algo, "coll");
  const auto collective = std::ranges::find(kMscclCollectives, word, &MscclCollective::word);
  if (collective == kMscclCollectives.end()) {
    std::string names;
    for (const MscclCollective& each : kMscclCollectives)
      names += (names.empty() ? "" : ", ") + std::string(each.word);
    complain(algo, "coll=\"" + word + "\": expected one of " + names);
  }
  made_.primitive = collective->primitive;
  made_.root = static_cast<std::uint32_t>(number_or(algo, "root", 0, kMostRanks - 1, 0));
  in_place_ = number_or(algo, "inplace", 0, 1, 0) != 0;
  number_or(algo, "nchannels", 1, kMostChannels, 1);
  const std::int64_t ranks = number(algo, "ngpus", 1, kMostRanks);
  const auto gpus = elements(algo, "gpu", "gpu");
  const auto found = std::distance(gpus.begin(), gpus.end());
  if (ranks != found)
    complain(algo, "ngpus=\"" + std::to_string(ranks) + "\", but the file has " +
                       std::to_string(found) + " <gpu>");
  made_.ranks.resize(static_cast<std::size_t>(ranks));
  const bool divided = made_.primitive != Primitive::kCustom &&
                       made_.vector_chunks() != made_.share;  // N shares of 1 chunk so far
  const std::int64_t whole = number(algo, "nchunksperloop", 1, kMostChunks);
  if (divided && whole % ranks != 0)
    complain(algo, "nchunksperloop=\"" + std::to_string(whole) + "\": expected a multiple of " +
                       std::to_string(ranks) + " ranks");
  made_.share = static_cast<std::uint32_t>(divided ? whole / ranks : whole);
  if (made_.primitive == Primitive::kCustom) read_custom_chunks(algo);
  if (const std::string fault = limits_.fault_of_memories(made_); !fault.empty())
    complain(algo, "nchunksperloop=\"" + std::to_string(whole) + "\": " + fault);
}

/// A custom collective has the chunks that the largest <gpu> declares.
void MscclReader::read_custom_chunks(const Element& algo) {
  // The steps of a custom file name both buffers, and the call that selects it provides both.
  in_place_ = false;
  for (const Element& gpu : algo.children()) {
    const auto chunks = [&](const char* key) {
      return static_cast<std::uint32_t>(number(gpu, key, 0, kMostChunks));
    };
    made_.custom_inputs = std::max(made_.custom_inputs, chunks("i_chunks"));
    made_.custom_outputs = std::max(made_.custom_outputs, chunks("o_chunks"));
  }
}

Schedule MscclReader::read() {
  pugi::xml_document document;
  const Element algo = read_root(document);
  read_head(algo);
  for (const Element& gpu : algo.children()) read_gpu(gpu);
  if (in_place_) add_copies();
  return std::move(made_);
}

void MscclReader::read_gpu(const Element& gpu) {
  const auto children = elements(gpu, "tb", "copy");
  const std::int64_t id = number(gpu, "id", 0);
  if (id >= made_.size() || !seen_.insert(id).second)
    complain(gpu, "id=\"" + std::to_string(id) + "\": expected each of 0 to " +
                      std::to_string(made_.size() - 1) + " once");
  const auto rank = static_cast<std::uint32_t>(id);
  const std::int64_t scratch = number_or(gpu, "s_chunks", 0, kMostChunks, 0);
  made_.scratch = std::max(made_.scratch, static_cast<std::uint32_t>(scratch));
  if (const std::string fault = limits_.fault_of_memories(made_); !fault.empty())
    complain(gpu, "s_chunks=\"" + std::to_string(scratch) + "\": " + fault);
  LaneNumbers lanes;
  for (const Element& block : gpu.children("tb")) {
    const std::int64_t number_of = number(block, "id", 0);
    if (!lanes.try_emplace(number_of, static_cast<std::uint32_t>(lanes.size())).second)
      complain(block, "id=\"" + std::to_string(number_of) + "\" is given twice");
  }
  RankProgram& program = made_.ranks[rank];
  for (const Element& block : children)
    if (block.name() == std::string_view("tb"))
      read_block(block, rank, program.lanes.emplace_back(), lanes);
}

void MscclReader::read_block(const Element& block, std::uint32_t rank, Lane& lane,
                             const LaneNumbers& lanes) {
  // A block without a connection has no channel; older files of msccl-tools write -1 then.
  const bool alone = number_or(block, "send", -1, kMostRanks - 1, -1) < 0 &&
                     number_or(block, "recv", -1, kMostRanks - 1, -1) < 0;
  const std::int64_t channel =
      std::max<std::int64_t>(0, number_or(block, "chan", alone ? -1 : 0, kMostChannels - 1, 0));
  for (const Element& element : elements(block, "step", "step")) {
    const std::int64_t at = number(element, "s", 0);
    if (at != static_cast<std::int64_t>(lane.steps.size()))
      complain(element,
               "s=\"" + std::to_string(at) + "\": expected " + std::to_string(lane.steps.size()));
    lane.steps.push_back(read_step(element, block, rank, lanes));
    lane.steps.back().channel = static_cast<std::uint16_t>(channel);
  }
}

Step MscclReader::read_step(const Element& element, const Element& block, std::uint32_t rank,
                            const LaneNumbers& lanes) {
  const std::string type = attribute(element, "type");
  const auto word = std::ranges::find(kMscclWords, type, &MscclWord::word);
  if (word == kMscclWords.end())
    complain(element,
             "type=\"" + type + "\": expected one of s, r, rcs, rrc, rrs, rrcs, cpy, re, nop");
  Step step;
  step.kind = word->kind;
  const auto peer = [&](const char* key) {
    const std::int64_t found = number(block, key, -1, kMostRanks - 1);
    if (found < 0)
      complain(element, "type=\"" + type + "\" in the <tb> of line " + line(block.offset_debug()) +
                            ", which has " + key + "=\"-1\": expected a rank there");
    return static_cast<std::uint32_t>(found);
  };
  const bool receives = word->kind == StepKind::kReceive || word->kind == StepKind::kReceiveReduce;
  if (receives) step.from = peer("recv");
  if (word->kind == StepKind::kSend || word->forwards) step.to = peer("send");
  if (word->kind != StepKind::kNothing) {
    step.count = static_cast<std::uint32_t>(number(element, "cnt", 1, kMostChunks));
    if (const std::string fault = limits_.fault_of_step(step); !fault.empty())
      complain(element, "cnt=\"" + std::to_string(step.count) + "\": " + fault);
    if (word->kind != StepKind::kReceive) step.source = place(element, rank, "srcbuf", "srcoff");
    if (word->kind != StepKind::kSend && type != "rrs")
      step.destination = place(element, rank, "dstbuf", "dstoff");
  }
  const std::int64_t on = number_or(element, "depid", -1, kMostNumber, -1);
  if (on >= 0) {
    const auto lane = lanes.find(on);
    if (lane == lanes.end())
      complain(element, "depid=\"" + std::to_string(on) + "\": this <gpu> has no such <tb>");
    step.after.push_back({lane->second, static_cast<std::uint32_t>(number(element, "deps", 0))});
  }
  return step;
}

Place MscclReader::place(const Element& at, std::uint32_t rank, const char* memory,
                         const char* index) const {
  const std::string word = attribute(at, memory);
  const auto chunk = static_cast<std::uint32_t>(number(at, index, 0, kMostChunks - 1));
  if (word != "i" && word != "o" && word != "s")
    complain(at, std::string(memory) + "=\"" + word + "\": expected i, o or s");
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
  return MscclReader(text, file).read();
}

}  // namespace tvp::collectives
