// The reports of WormholeMachine: faults with source lines, the JSON report, the digest.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "foundation/regs/tensix_opcode.h"
#include "platform/machine/report/core_counts.h"
#include "platform/machine/report/core_view.h"
#include "platform/machine/report/core_waits.h"
#include "platform/machine/report/noc_load.h"
#include "platform/machine/report/state_digest.h"
#include "platform/machine/wormhole_machine.h"

namespace tvp::platform {

using Json = nlohmann::ordered_json;

namespace {

/// True if an instruction that the core pushed raised the fault ("...; thread T1, SFPLOAD ...").
bool is_of_coprocessor(const foundation::Fault& fault, const CoreView& view) {
  if (view.kind < TENSIX_VP_CORE_TRISC0 || view.kind > TENSIX_VP_CORE_TRISC2) return false;
  const std::string& core = view.core->where();
  const std::string tile = core.substr(0, core.rfind('.') + 1);
  const std::string thread = "; thread T" + std::to_string(view.kind - TENSIX_VP_CORE_TRISC0) + ",";
  return fault.where().starts_with(tile) && fault.message().find(thread) != std::string::npos;
}

/// The number after the last `text` in the message; 0 if there is none.
std::uint32_t pc_behind(const foundation::Fault& fault, const std::string& text) {
  const std::size_t at = fault.message().rfind(text);
  if (at == std::string::npos) return 0;
  return static_cast<std::uint32_t>(
      std::strtoul(fault.message().c_str() + at + text.size(), nullptr, 16));
}

/// The pc in "a read that NCRISC started at pc 0x5120", for a core of the tile that raised the
/// fault. 0 if the fault is not about a command of this core.
std::uint32_t pc_of_command(const foundation::Fault& fault, const CoreView& view) {
  const std::string& core = view.core->where();
  const std::string tile = core.substr(0, core.rfind('.') + 1);
  if (!fault.where().starts_with(tile)) return 0;
  // The unfinished command comes last in the message; the other one is at the core's pc.
  return pc_behind(fault, "that " + core.substr(tile.size()) + " started at pc ");
}

/// True if the message has "that (2, 3) of NoC 1 sent" with the core's tile, and the core drives
/// NIUs.
bool is_of_requester(const foundation::Fault& fault, const CoreView& view,
                     const foundation::ChipSpec& spec) {
  const std::string chip = "chip" + std::to_string(view.chip) + ".";
  const std::size_t at = fault.message().rfind(" that (");
  unsigned x = 0, y = 0, noc = 0;
  if (at == std::string::npos || !fault.where().starts_with(chip) ||
      std::sscanf(fault.message().c_str() + at, " that (%u, %u) of NoC %u sent", &x, &y, &noc) != 3)
    return false;
  if (noc == 1) {
    x = spec.columns - 1 - x;
    y = spec.rows - 1 - y;
  }
  const bool moves_data = view.kind == TENSIX_VP_CORE_BRISC || view.kind == TENSIX_VP_CORE_NCRISC ||
                          view.kind == TENSIX_VP_CORE_ERISC;
  return view.x == x && view.y == y && moves_data &&
         view.core->state() != riscv::CoreState::kInReset;
}

/// How often the coprocessors issued each instruction, by name.
Json issued_opcodes(const std::vector<std::unique_ptr<Chip>>& chips) {
  std::map<std::string, std::uint64_t> opcodes;
  for (const auto& chip : chips) {
    for (const auto& tile : chip->tensix_tiles()) {
      for (unsigned opcode = 0; opcode < 256; ++opcode) {
        for (unsigned thread = 0; thread < 3; ++thread) {
          const auto code = static_cast<std::uint8_t>(opcode);
          const std::uint64_t n = tile->coprocessor().issue().counters().issued(thread, code);
          if (n != 0)
            opcodes[regs::tensix::opcode_name(static_cast<regs::tensix::Opcode>(code))] += n;
        }
      }
    }
  }
  return opcodes;
}

/// The counts of each end of a link; ends in other ranks have sent nothing.
Json sent_by_ends(const std::vector<std::unique_ptr<ethernet::Link>>& links) {
  Json json = Json::array();
  for (const auto& link : links) {
    for (unsigned from = 0; from < 2; ++from) {
      const auto& s = link->end(from).statistics();
      json.push_back({s.payload_bytes, s.packets, s.busy_ps, s.lost});
    }
  }
  return json;
}

/// `sent`: the sums of sent_by_ends() over all ranks.
Json describe_links(const std::vector<std::unique_ptr<ethernet::Link>>& links, const Json& sent,
                    double line_bytes_per_ns) {
  Json json = Json::array();
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (unsigned from = 0; from < 2; ++from) {
      const Json& s = sent[2 * i + from];
      json.push_back({{"name", links[i]->name() + (from == 0 ? " forth" : " back")},
                      {"bytes", s[0]},
                      {"packets", s[1]},
                      {"busy_ns", s[2].get<double>() / 1000.0},
                      {"peak", line_bytes_per_ns}});
      if (!links[i]->outages().empty()) json.back()["lost_packets"] = s[3];
    }
  }
  return json;
}

/// Adds the numbers of `more`, which has the same shape or more members.
void add_up(Json& sum, const Json& more) {
  if (more.is_object()) {
    for (const auto& [name, value] : more.items())
      sum.contains(name) ? add_up(sum[name], value) : void(sum[name] = value);
  } else if (more.is_array()) {
    for (std::size_t i = 0; i < more.size(); ++i) add_up(sum[i], more[i]);
  } else {
    sum = sum.get<std::uint64_t>() + more.get<std::uint64_t>();
  }
}

/// Links that `ethernet.faults` has broken by now, with their ends.
Json describe_broken(const SystemDescription& system,
                     const std::vector<std::unique_ptr<ethernet::Link>>& links,
                     std::uint64_t now_ps) {
  Json json = Json::array();
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (const ethernet::Outage& outage : links[i]->outages()) {
      if (outage.from_ps > now_ps) continue;
      const auto end = [](const LinkEnd& at) {
        return Json{{"chip", at.chip}, {"channel", at.channel}};
      };
      json.push_back({{"name", links[i]->name()},
                      {"a", end(system.links[i].a)},
                      {"b", end(system.links[i].b)},
                      {"from_ns", outage.from_ps / 1000}});
      if (outage.until_ps != ethernet::Outage::kForEver)
        json.back()["until_ns"] = outage.until_ps / 1000;
    }
  }
  return json;
}

/// Source lines for the program counters of one core in a fault's message.
class CoreLines {
 public:
  CoreLines(const foundation::Fault& fault, const CoreView& view, const SymbolTable& symbols)
      : fault_(fault), view_(view), symbols_(symbols) {}

  std::string of_command() const { return line_of(pc_of_command(fault_, view_)); }

  /// The line of the core whose request caused the fault: at the request if the message has its pc,
  /// otherwise now.
  std::string of_requester() const {
    const std::string& core = view_.core->where();
    std::string text =
        line_of(pc_behind(fault_, kSentBy + core.substr(core.rfind('.') + 1) + " at pc "));
    if (names_sender()) return text;
    const std::string at = place_of(view_.core->pc());
    return text + "\n  " + core + " is" +
           (at.empty() ? " at pc " + foundation::hex(view_.core->pc()) : " in " + at);
  }
  bool names_sender() const { return fault_.message().find(kSentBy) != std::string::npos; }

  std::string of_core(bool pushed) const {
    const std::uint32_t origin = pushed ? pc_behind(fault_, ", which its core pushed at pc ") : 0;
    const std::uint32_t pc = origin != 0 ? origin : view_.core->pc();
    std::string text;
    if (pushed && origin == 0)
      text += "\n  pushed before the core of this thread reached pc " + foundation::hex(pc) + "";
    if (const std::string at = place_of(pc); !at.empty()) text += "\n  in " + at;
    return text + line_of(pc_behind(fault_, ", reached by the jump at pc "));
  }

 private:
  static inline const std::string kSentBy = " sent, by ";

  std::string place_of(std::uint32_t pc) const {
    return symbols_.describe(view_.chip, view_.x, view_.y, view_.kind, pc);
  }
  std::string line_of(std::uint32_t pc) const {
    const std::string at = pc == 0 ? "" : place_of(pc);
    return at.empty() ? "" : "\n  pc " + foundation::hex(pc) + " is in " + at;
  }

  const foundation::Fault& fault_;
  const CoreView& view_;
  const SymbolTable& symbols_;
};

}  // namespace

std::vector<WormholeMachine::Finding> WormholeMachine::findings(bool is_idle) const {
  std::vector<Finding> all;
  for (std::size_t i = 0; i < chips_.size(); ++i)
    for (const auto& tile : chips_[i]->tensix_tiles())
      for (const foundation::Fault& fault :
           checks_[i]->at(tile->x(), tile->y())->found_so_far(is_idle))
        all.push_back({places_[i], fault});
  return all;
}

std::vector<std::string> WormholeMachine::lines_of(std::vector<Finding> faults) {
  struct Found {
    std::string core;  ///< ".BRISC" of the place
    std::string message, line;
    std::vector<std::string> others;
  };
  std::ranges::stable_sort(faults, {}, &Finding::place);
  std::vector<Found> all;
  for (const auto& [place, fault] : faults) {
    const std::string core = fault.where().substr(fault.where().rfind('.') + 1);
    const auto same = std::ranges::find_if(all, [&](const Found& each) {
      return each.core == core && each.message == fault.message();
    });
    if (same == all.end())
      all.push_back({core, fault.message(), fault.what(), {}});
    else
      same->others.push_back(fault.where());
  }
  std::vector<std::string> lines;
  constexpr std::size_t kMost = 8;
  for (Found& found : all) {
    const std::size_t count = found.others.size();
    for (std::size_t i = 0; i < std::min(count, kMost); ++i)
      found.line += (i == 0 ? "\n  The same holds for " : ", ") + found.others[i];
    if (count > kMost) found.line += " and " + std::to_string(count - kMost) + " others";
    lines.push_back(std::move(found.line));
  }
  return lines;
}

std::string WormholeMachine::explain(const foundation::Fault& fault) const {
  const bool notes = fault.kind() == foundation::FaultKind::kFirmware;
  std::string changes;
  std::string lines = lines_of(fault);
  std::vector<Finding> found = findings(false);
  if (is_host_of_ranks() && chip_ranks_->is_whole()) {
    Message arguments;
    put_fault(arguments, fault);
    for (Message& answer : chip_ranks_->ask_all(RankCall::kLines, arguments)) {
      lines += answer.get_text();
      for (auto left = answer.get<std::uint32_t>(); left != 0; --left) {
        const auto place = answer.get<std::size_t>();
        found.push_back({place, fault_in(answer)});
      }
    }
  }
  for (const std::string& line : lines_of(std::move(found))) changes += "\n  " + line;
  return fault.what() + lines + changes +
         (notes ? "\n  To report this as a warning and continue as the hardware does: --set "
                  "faults=warn"
                : "");
}

std::string WormholeMachine::lines_of(const foundation::Fault& fault) const {
  std::string text;
  for (const CoreView& view : all_cores(chips_)) {
    const CoreLines lines(fault, view, symbols_);
    text += lines.of_command();
    if (is_of_requester(fault, view, chips_[view.place]->spec())) {
      text += lines.of_requester();
      if (lines.names_sender()) continue;
    }
    const bool pushed = is_of_coprocessor(fault, view);
    if (pushed || view.core->where() == fault.where()) text += lines.of_core(pushed);
  }
  return text;
}

void WormholeMachine::add_to_digest(StateDigest& digest, unsigned half, std::size_t place) const {
  const auto at = static_cast<std::size_t>(std::ranges::find(places_, place) - places_.begin());
  const Chip& chip = *chips_[at];
  if (half == 0) {
    std::uint64_t tag = std::uint64_t{chip.id()} << 32;
    for (const auto& tile : chip.tensix_tiles()) {
      digest.add_memory(++tag, tile->l1().bytes(), tile->l1().size_bytes());
    }
    for (const auto& tile : chip.ethernet_tiles()) {
      digest.add_memory(++tag, tile->l1_bytes(), tile->l1_size_bytes());
    }
    for (const auto& group : chip.dram_tiles()) {
      for (unsigned channel = 0; channel < group->channels(); ++channel) {
        ++tag;
        group->channel(channel).storage().for_each_page(
            [&](std::uint64_t address, const std::uint8_t* bytes, std::size_t size) {
              digest.add_memory(tag << 40 ^ address, bytes, size);
            });
      }
    }
    return;
  }
  std::vector<std::uint8_t> local;
  for (const CoreView& view : all_cores(chips_)) {
    if (view.place != at || view.core->state() == riscv::CoreState::kInReset) continue;
    local.resize(view.local_bytes);
    const bool read =
        view.core->debug_read(riscv::Core::kLocalBase, local.data(), view.local_bytes);
    if (read) digest.add_memory(view.kind, local.data(), view.local_bytes);
  }
}

std::uint64_t WormholeMachine::state_digest() const {
  StateDigest digest;
  digest.add_value(now());
  for (const unsigned half : {0U, 1U}) {
    for (std::size_t place = 0; place < system_.chips.size(); ++place) {
      const unsigned rank = chip_ranks_ ? chip_ranks_->placement().rank_of(place) : 0;
      if (rank == 0) {
        add_to_digest(digest, half, place);
      } else if (chip_ranks_->is_whole()) {
        digest = StateDigest(
            chip_ranks_
                ->ask(rank, RankCall::kDigest, Message().put(half).put(place).put(digest.value()))
                .get<std::uint64_t>());
      }
    }
  }
  return digest.value();
}

Json WormholeMachine::own_report(bool is_idle) const {
  Json own;
  for (std::size_t i = 0; i < chips_.size(); ++i)
    for (const auto& tile : chips_[i]->tensix_tiles())
      count_answers(*tile, *checks_[i]->at(tile->x(), tile->y()));
  std::vector<const riscv::Core*> described;
  std::vector<std::size_t> of_chip(chips_.size(), 0);  // entries of each chip
  Json cores = Json::array();
  for (const CoreView& view : all_cores(chips_)) {
    riscv::Core& core = *view.core;
    if (core.state() == riscv::CoreState::kInReset && core.executed_instructions() == 0) continue;
    cores.push_back(
        {{"name", core.where()},
         {"state", riscv::to_string(core.state_at(now()))},
         {"pc", foundation::hex(core.pc())},
         {"source", symbols_.describe(view.chip, view.x, view.y, view.kind, core.pc())}});
    described.push_back(&core);
    ++of_chip[view.place];
  }
  const CoreWaits waits(chips_, checks_, symbols_, now());
  own["found"] = Json::array();
  for (const auto& [place, fault] : findings(is_idle))
    own["found"].push_back(
        {place, static_cast<unsigned>(fault.kind()), fault.where(), fault.message()});
  own["waits"] = waits.graph().to_json();
  // The waits are reported. The counts need all cores settled up to now.
  settle();
  tell_counts(cores, described, now());
  std::uint64_t executed = 0;
  std::uint64_t slept = 0;
  for (const CoreView& view : all_cores(chips_)) {
    executed += view.core->executed_instructions();
    slept += view.core->slept_instructions(now());
  }
  own["sums"] = {{"executed", executed},
                 {"slept", slept},
                 {"opcodes", issued_opcodes(chips_)},
                 {"sent", sent_by_ends(links_)}};
  if (chip_ranks_) own["ranks"].push_back(chip_ranks_->to_json());
  own["chips"] = Json::array();
  auto next_core = cores.begin();
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    std::vector<std::string> packets;
    chips_[i]->describe_packets(packets);
    Json heatmaps = Json::array();
    if (now() > 0) add_noc_load(heatmaps, *chips_[i], now());
    const auto end = next_core + static_cast<std::ptrdiff_t>(of_chip[i]);
    Json of_this = Json::array();
    for (; next_core != end; ++next_core) of_this.push_back(std::move(*next_core));
    own["chips"].push_back({{"place", places_[i]},
                            {"cores", std::move(of_this)},
                            {"packets", packets},
                            {"firmware", waits.of_firmware()[i]},
                            {"heatmaps", std::move(heatmaps)}});
  }
  return own;
}

void WormholeMachine::describe(Json& json) const {
  const bool is_idle = idle();
  json["cores"] = Json::array();
  json["waiting"] = Json::array();
  json["broken_links"] = describe_broken(system_, links_, now_ps());
  Json& waiting = json["waiting"];
  Json all = own_report(is_idle);
  std::vector<Json> waits{std::move(all["waits"])};
  if (is_host_of_ranks() && chip_ranks_->is_whole()) {
    for (Message& answer : chip_ranks_->ask_all(RankCall::kReport, Message().put(is_idle))) {
      Json more = Json::parse(answer.get_text());
      waits.push_back(std::move(more["waits"]));
      add_up(all["sums"], more["sums"]);
      for (Json& found : more["found"]) all["found"].push_back(std::move(found));
      all["ranks"].push_back(std::move(more["ranks"][0]));
      for (Json& chip : more["chips"]) all["chips"].push_back(std::move(chip));
    }
    std::stable_sort(all["chips"].begin(), all["chips"].end(),
                     [](const Json& a, const Json& b) { return a["place"] < b["place"]; });
  }
  const Json& sent = all["sums"]["sent"];
  for (std::size_t i = 0; i < links_.size(); ++i) {
    for (const ethernet::Outage& outage : links_[i]->outages()) {
      if (outage.until_ps != ethernet::Outage::kForEver || outage.from_ps > now_ps()) continue;
      const auto lost = [&](unsigned end) {
        return std::to_string(sent[2 * i + end][3].get<std::uint64_t>());
      };
      waiting.push_back(links_[i]->name() + " is broken since " +
                        std::to_string(outage.from_ps / 1000) + " ns: " + lost(0) +
                        " packets lost forth, " + lost(1) + " back");
    }
  }
  std::vector<Finding> found;
  for (const Json& each : all["found"])
    found.push_back({each[0],
                     {static_cast<foundation::FaultKind>(each[1].get<unsigned>()),
                      each[2].get<std::string>(), each[3].get<std::string>()}});
  for (const std::string& line : lines_of(std::move(found))) waiting.push_back(line);
  for (const std::string& line : WaitGraph::merged(waits).lines()) waiting.push_back(line);
  std::size_t packets = 0;
  Json heatmaps = Json::array();
  for (Json& chip : all["chips"]) {
    for (Json& core : chip["cores"]) json["cores"].push_back(std::move(core));
    packets += chip["packets"].size();
    for (Json& map : chip["heatmaps"]) heatmaps.push_back(std::move(map));
  }
  // Cores that wait for a launch matter only if nothing else explains a hang.
  const bool is_explained = !waiting.empty() || packets != 0;
  for (const Json& chip : all["chips"])
    for (const Json& line : chip["packets"]) waiting.push_back(line);
  if (!is_explained)
    for (const Json& chip : all["chips"])
      for (const Json& line : chip["firmware"]) waiting.push_back(line);
  json["executed_instructions"] = all["sums"]["executed"];
  json["slept_instructions"] = all["sums"]["slept"];
  std::map<std::string, std::uint64_t> opcodes = all["sums"]["opcodes"];
  json["opcodes"] = Json::object();
  for (const auto& [name, count] : opcodes) json["opcodes"][name] = count;
  json["links"] = describe_links(links_, sent, config_.ethernet.line_bytes_per_ns.value());
  if (!heatmaps.empty()) json["heatmaps"] = heatmaps;
  if (all.contains("ranks")) json["ranks"] = std::move(all["ranks"]);
}

}  // namespace tvp::platform
