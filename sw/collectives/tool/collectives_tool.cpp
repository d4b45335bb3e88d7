#include "sw/collectives/tool/collectives_tool.h"

#include <cstdio>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/files/schedule_file.h"
#include "sw/collectives/findings/findings.h"
#include "sw/collectives/ideal/figures.h"
#include "sw/collectives/ideal/protocol.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/collectives/schedule/schedule_limits.h"
#include "sw/collectives/schedule/schedule_text.h"
#include "sw/collectives/tool/request_words.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

using Words = std::vector<std::string>;

constexpr const char* kUse =
    "list | show op=OP algo=ALGO N=RANKS [variant= root= peer= segments=P|best channels=\n"
    "  both_ways= average= buffer= order= tiers=4x8 inner=ring,ring topology= slots=\n  "
    "proto=simple|ll|ll128|all bw= size= out=FILE]\n"
    "  | check FILE [slots= topology=] | convert FROM TO | findings [about=TEXT "
    "out=FILE|against=FILE]\n"
    "  | tune [op=OP bytes=SIZES type=TYPE]";

constexpr double kUsualRate = 12.5;  ///< bytes per ns
constexpr double kUsualBytes = 1 << 20;

std::string joined(const Words& words) {
  std::string made;
  for (const std::string& each : words) made += (made.empty() ? "" : ", ") + each;
  return made;
}

std::string list_algorithms() {
  std::string made;
  for (const auto& algorithm : all_algorithms()) {
    Words primitives;
    for (const Primitive each : algorithm->primitives()) primitives.push_back(name_of(each));
    std::string name = algorithm->name();
    name.resize(20, ' ');
    made += name + algorithm->summary() + "\n" + std::string(20, ' ') +
            "op: " + joined(primitives) + "\n";
    if (const Words variants = algorithm->variants(); !variants.empty())
      made += std::string(20, ' ') + "variant: " + joined(variants) + "\n";
  }
  return made;
}

std::shared_ptr<const IdealTopology> topology_of(ToolArguments& arguments, std::uint32_t ranks) {
  const std::optional<std::string> name = arguments.text("topology");
  return name ? topology_named(*name, ranks) : nullptr;
}

/// `proto=NAME`, or all of them; empty for none.
std::string protocols_of(ToolArguments& arguments) {
  std::string name = arguments.text("proto").value_or("");
  if (!name.empty() && name != "all") protocol_named(name);
  if (!name.empty() && arguments.real("bw", kUsualRate) <= 0)
    runtime::bad_use("argument bw", "0: expected bytes per ns");
  return name;
}

std::string show(const Words& words) {
  ToolArguments arguments(words);
  const NamedRequest asked = named_request(arguments);
  const std::shared_ptr<const IdealTopology> topology = topology_of(arguments, asked.request.ranks);
  const std::uint32_t slots = arguments.number("slots", 8);
  const std::optional<std::string> out = arguments.text("out");
  const std::string protocols = protocols_of(arguments);
  arguments.require_used();
  const Schedule schedule = algorithm_named(asked.algorithm).schedule(asked.request);
  require_right(schedule);
  if (out) write_schedule(schedule, *out);
  std::string made = schedule.name + "\n" + text(figures_of(schedule, topology, slots));
  for (const Protocol& each : kProtocols)
    if (protocols == "all" || protocols == each.name)
      made += text(each, schedule, arguments.real("size", kUsualBytes),
                   arguments.real("bw", kUsualRate));
  return made + (out ? "  written to          " + *out + "\n" : schedule_text(schedule));
}

/// Throws as require_right() does; for a deadlock the error names the number of slots that
/// suffices. A slot holds the longest message.
void require_right_with(const Schedule& schedule, std::uint32_t slots) {
  const std::uint32_t chunks = schedule.longest_message();
  const Verdict verdict = Checker(schedule, slots * chunks).run();
  if (verdict.right()) return;
  std::string reason = verdict.text();
  constexpr std::uint32_t kMost = 1024;
  if (verdict.problems.front().kind == ProblemKind::kDeadlock)
    for (std::uint32_t more = 2 * slots; more <= kMost; more *= 2) {
      if (!Checker(schedule, more * chunks).run().right()) continue;
      reason +=
          "\nWith " + std::to_string(more) + " slots for each connection the schedule is right";
      break;
    }
  runtime::bad_use("schedule " + schedule.name, reason);
}

std::string check(const Words& words) {
  if (words.empty()) runtime::bad_use("collectives check", "expected a file");
  ToolArguments arguments({words.begin() + 1, words.end()});
  const Schedule schedule = read_schedule(words[0]);
  const std::uint32_t slots = arguments.number("slots", kSlotsOfFiles);
  const std::shared_ptr<const IdealTopology> topology = topology_of(arguments, schedule.size());
  arguments.require_used();
  require_right_with(schedule, slots);
  return schedule.name + ": right, " + name_of(schedule.primitive) + " of " +
         std::to_string(schedule.size()) + " ranks with " + std::to_string(slots) +
         " slots for each connection\n" + text(figures_of(schedule, topology));
}

std::string convert(const Words& words) {
  if (words.size() != 2)
    runtime::bad_use("collectives convert",
                     std::to_string(words.size()) + " words: expected FROM TO");
  const Schedule schedule = read_schedule(words[0]);
  write_schedule(schedule, words[1]);
  return schedule.name + ": written to " + words[1] + "\n";
}

}  // namespace

NamedRequest named_request(ToolArguments& arguments) {
  NamedRequest made;
  ScheduleRequest& request = made.request;
  request.primitive = primitive_named(arguments.need("op"));
  made.algorithm = arguments.need("algo");
  arguments.need("N");
  request.ranks = arguments.number("N", 0);
  if (request.ranks > kMostRanks)
    runtime::bad_use("argument N", std::to_string(request.ranks) + " ranks: expected at most " +
                                       std::to_string(kMostRanks));
  request.root = arguments.number("root", 0);
  request.peer = arguments.number("peer", 1);
  request.variant = arguments.text("variant").value_or("");
  request.channels = arguments.number("channels", 1);
  request.both_ways = arguments.flag("both_ways");
  request.average = arguments.flag("average");
  request.buffer = arguments.number("buffer", 0);
  if (const std::optional<std::string> order = arguments.text("order"))
    request.order = order_of("argument order", *order, request.ranks);
  if (const std::optional<std::string> tiers = arguments.text("tiers"))
    request.tiers =
        tiers_of("argument tiers", *tiers, "argument inner", arguments.text("inner").value_or(""));
  // alpha in ns, bandwidth in bytes/ns, size in bytes: the best number of segments depends on them.
  const double alpha = arguments.real("alpha", 500);
  const double bandwidth = arguments.real("bw", kUsualRate);
  const double size = arguments.real("size", kUsualBytes);
  if (arguments.text("segments") == "best") {
    if (bandwidth <= 0) runtime::bad_use("argument bw", "0: expected bytes per ns");
    constexpr std::uint32_t kMost = 4096;
    request.segments = best_segments(algorithm_named(made.algorithm).depth(request), alpha,
                                     size / bandwidth, kMost);
  } else {
    request.segments = arguments.number("segments", 1);
  }
  return made;
}

std::string collectives_tool(const Words& words, const RunCommand& run) {
  if (words.empty()) runtime::bad_use("collectives", std::string("expected ") + kUse);
  const Words rest(words.begin() + 1, words.end());
  if (words[0] == "list" && rest.empty()) return list_algorithms();
  if (words[0] == "show") return show(rest);
  if (words[0] == "check") return check(rest);
  if (words[0] == "convert") return convert(rest);
  if (words[0] == "findings") return findings_command(rest, run);
  runtime::bad_use("collectives " + words[0], std::string("expected ") + kUse);
}

}  // namespace tvp::collectives
