#include "sw/collectives/schedule/checker.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sw/collectives/schedule/schedule_text.h"
#include "sw/collectives/schedule/step_access.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr std::size_t kListed = 20;

std::string number(std::size_t value) { return std::to_string(value); }

}  // namespace

std::string Verdict::text() const {
  std::string made;
  for (const Problem& each : problems) made += (made.empty() ? "" : "\n") + each.text;
  return made;
}

Checker::Checker(const Schedule& schedule, std::uint32_t slots)
    : schedule_(schedule), slots_(slots) {}

Verdict Checker::run() {
  if (slots_ == 0) runtime::bad_use("slots", "0: expected 1 or more chunks for each connection");
  check_shape();
  if (verdict_.right()) check_order();
  if (verdict_.right()) {
    const Wiring wiring(schedule_);
    check_switch(wiring);
    check_lane_sets(wiring);
    if (verdict_.right()) check_counts(wiring);
    if (verdict_.right()) check_races();
    if (verdict_.right()) check_run(wiring);
  }
  if (unlisted_)
    verdict_.problems.push_back({ProblemKind::kLeftOver, "and " + number(unlisted_) + " more"});
  return std::move(verdict_);
}

void Checker::report(ProblemKind kind, std::string text) {
  if (verdict_.problems.size() < kListed)
    verdict_.problems.push_back({kind, std::move(text)});
  else
    ++unlisted_;
}

void Checker::report(ProblemKind kind, const StepPlace& at, const std::string& text) {
  report(kind, place_text(at) + " (" + step_text(step_at(at)) + "): " + text);
}

std::uint32_t Checker::chunks_of(Memory memory) const {
  switch (memory) {
    case Memory::kInput:
      return schedule_.input_chunks();
    case Memory::kOutput:
      return schedule_.output_chunks();
    case Memory::kScratch:
      return schedule_.scratch;
    case Memory::kNone:
      break;
  }
  return 0;
}

void Checker::check_shape() {
  if (schedule_.size() < 1) report(ProblemKind::kShape, "no ranks: expected 1 or more");
  if (schedule_.share < 1) report(ProblemKind::kShape, "a share of 0 chunks: expected 1 or more");
  if (schedule_.lane_sets < 1) {
    report(ProblemKind::kShape, "0 sets of lanes: expected 1 or more");
    return;
  }
  if (schedule_.root >= schedule_.size())
    report(ProblemKind::kShape, "root " + number(schedule_.root) + ": expected a rank below " +
                                    number(schedule_.size()));
  if (schedule_.primitive == Primitive::kSendRecv &&
      (schedule_.peer >= schedule_.size() || schedule_.peer == schedule_.root))
    report(ProblemKind::kShape, "peer " + number(schedule_.peer) +
                                    ": expected another rank than the root, below " +
                                    number(schedule_.size()));
  if (schedule_.average && !reduces(schedule_.primitive))
    report(ProblemKind::kShape,
           name_of(schedule_.primitive) + " has no average: it reduces nothing");
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t lane = 0; lane < schedule_.ranks[rank].lanes.size(); ++lane) {
      const std::vector<Step>& steps = schedule_.ranks[rank].lanes[lane].steps;
      for (std::uint32_t step = 0; step < steps.size(); ++step)
        check_step({rank, lane, step}, steps[step]);
    }
}

void Checker::check_step(const StepPlace& at, const Step& step) {
  const bool needs_source = step.kind != StepKind::kReceive && step.kind != StepKind::kNothing;
  const bool needs_destination = step.kind == StepKind::kCopy || step.kind == StepKind::kReduce ||
                                 step.kind == StepKind::kScale ||
                                 (receives(step) && step.to == kNobody);
  if (step.count == 0) report(ProblemKind::kShape, at, "0 chunks: expected 1 or more");
  check_place(at, step, step.source, "source", needs_source);
  if (step.kind != StepKind::kSend)
    check_place(at, step, step.destination, "destination", needs_destination);
  if (receives(step)) check_rank(at, step.from, "from");
  if (sends(step)) check_rank(at, step.to, "to");
  if (sends(step) && step.to == kSwitch) check_members(at, step);
  for (const Dependency& each : step.after)
    if (each.lane >= schedule_.ranks[at.rank].lanes.size() ||
        each.step >= schedule_.ranks[at.rank].lanes[each.lane].steps.size())
      report(ProblemKind::kShape, at,
             "depends on lane " + number(each.lane) + " step " + number(each.step) +
                 ", which rank " + number(at.rank) + " does not have");
    else if (set_of(each.lane) != set_of(at.lane))
      report(ProblemKind::kShape, at,
             "depends on lane " + number(each.lane) + " of set " + number(set_of(each.lane)) +
                 ": expected a lane of its own set " + number(set_of(at.lane)));
}

void Checker::check_place(const StepPlace& at, const Step& step, const Place& place,
                          const char* which, bool needed) {
  if (place.memory == Memory::kNone) {
    if (needed) report(ProblemKind::kShape, at, std::string("has no ") + which);
    return;
  }
  const std::uint64_t end = std::uint64_t{place.index} + step.count;
  if (end > chunks_of(place.memory))
    report(ProblemKind::kShape, at,
           std::string(which) + " ends at chunk " + number(end) + " of a memory of " +
               number(chunks_of(place.memory)));
}

void Checker::check_rank(const StepPlace& at, std::uint32_t rank, const char* which) {
  if (rank == kSwitch) return;
  if (rank == kNobody)
    report(ProblemKind::kShape, at, std::string("has no rank `") + which + "`");
  else if (rank >= schedule_.size())
    report(
        ProblemKind::kShape, at,
        "rank " + number(rank) + " does not exist: expected one below " + number(schedule_.size()));
  else if (rank == at.rank)
    report(ProblemKind::kShape, at, "sends a message to itself: expected another rank");
}

void Checker::check_members(const StepPlace& at, const Step& step) {
  if (step.members.empty()) report(ProblemKind::kShape, at, "no rank receives the switch's result");
  if (std::max(step.members.end(), step.contributors.end()) > schedule_.size())
    report(ProblemKind::kShape, at,
           "names a rank at the switch that does not exist: expected ranks below " +
               number(schedule_.size()));
  if (!step.contributors.empty() && !step.contributors.contains(at.rank))
    report(ProblemKind::kShape, at, "is not among the contributors that it names");
}

void Checker::check_order() {
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank) {
    orders_.emplace_back(schedule_.ranks[rank]);
    if (const auto& stuck = orders_.back().circular())
      report(ProblemKind::kOrder, {rank, stuck->lane, stuck->step},
             "waits for itself through dependencies of its rank");
  }
}

void Checker::check_switch(const Wiring& wiring) {
  // Two streams of the switch that end in one connection would come in no certain order.
  std::map<std::uint32_t, std::uint32_t> feeder;
  for (std::uint32_t number_of = 0; number_of < wiring.groups().size(); ++number_of)
    for (const std::uint32_t each : wiring.groups()[number_of].outward) {
      const auto [entry, fresh] = feeder.try_emplace(each, number_of);
      if (fresh) continue;
      const Wiring::Connection& connection = wiring.connections()[each];
      report(ProblemKind::kCounts,
             "the switch sends to rank " + number(connection.to) + " on channel " +
                 number(connection.channel) +
                 " for two sets of contributors or members: expected a channel for each");
    }
}

void Checker::check_lane_sets(const Wiring& wiring) {
  for (const Wiring::Connection& connection : wiring.connections()) {
    std::vector<StepPlace> users = connection.senders;
    users.insert(users.end(), connection.receivers.begin(), connection.receivers.end());
    const auto other = std::ranges::find_if(
        users, [&](const StepPlace& at) { return set_of(at.lane) != set_of(users.front().lane); });
    if (other != users.end())
      report(ProblemKind::kCounts, *other,
             "uses a connection of " + place_text(users.front()) +
                 ", which is in another set of lanes: expected a connection of its own");
  }
}

bool Checker::in_order(const std::vector<StepPlace>& users, const char* what,
                       std::vector<StepPlace>& sorted) {
  sorted = users;
  if (users.empty()) return true;
  const LocalOrder& order = orders_[users.front().rank];
  const auto local = [](const StepPlace& at) { return Dependency{at.lane, at.step}; };
  std::ranges::sort(sorted, {}, [&](const StepPlace& at) { return order.index(local(at)); });
  for (std::size_t next = 1; next < sorted.size(); ++next)
    if (!order.before(local(sorted[next - 1]), local(sorted[next]))) {
      report(ProblemKind::kCounts, sorted[next - 1],
             std::string(what) + " the same connection as " + place_text(sorted[next]) +
                 ", in no defined order: expected a dependency");
      return false;
    }
  return true;
}

void Checker::check_counts(const Wiring& wiring) {
  for (const Wiring::Connection& connection : wiring.connections()) {
    if (connection.from == kSwitch || connection.to == kSwitch) continue;
    check_ends(connection);
  }
  for (const Wiring::Group& group : wiring.groups()) {
    // Every member receives what each contributor sends, message by message.
    for (const std::uint32_t inward : group.inward)
      for (const std::uint32_t outward : group.outward) {
        Wiring::Connection both = wiring.connections()[inward];
        both.to = wiring.connections()[outward].to;
        both.receivers = wiring.connections()[outward].receivers;
        check_ends(both);
      }
  }
  for (const Wiring::Connection& connection : wiring.connections()) {
    if (connection.from != kSwitch) continue;
    const bool fed = std::ranges::any_of(wiring.groups(), [&](const Wiring::Group& group) {
      return std::ranges::any_of(group.outward, [&](std::uint32_t each) {
        return &wiring.connections()[each] == &connection;
      });
    });
    if (!fed)
      report(ProblemKind::kCounts, connection.receivers.front(),
             "no rank sends to the switch for rank " + number(connection.to) + " on channel " +
                 number(connection.channel));
  }
}

void Checker::check_ends(const Wiring::Connection& connection) {
  std::vector<StepPlace> senders;
  std::vector<StepPlace> receivers;
  if (!in_order(connection.senders, "sends on", senders) ||
      !in_order(connection.receivers, "receives from", receivers))
    return;
  for (std::size_t message = 0; message < std::max(senders.size(), receivers.size()); ++message) {
    if (message >= receivers.size()) {
      report(ProblemKind::kCounts, senders[message],
             rank_text(connection.to) + " receives " + number(receivers.size()) + " of " +
                 number(senders.size()) + " messages of this connection");
      return;
    }
    if (message >= senders.size()) {
      report(ProblemKind::kCounts, receivers[message],
             rank_text(connection.from) + " sends " + number(senders.size()) + " of " +
                 number(receivers.size()) + " messages of this connection");
      return;
    }
    const std::uint32_t sent = step_at(senders[message]).count;
    const std::uint32_t received = step_at(receivers[message]).count;
    if (sent != received)
      report(ProblemKind::kCounts, receivers[message],
             "expects " + number(received) + " chunks, but " + place_text(senders[message]) +
                 " sends " + number(sent));
  }
}

void Checker::check_races() {
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank) check_races_of(rank);
}

void Checker::check_races_of(std::uint32_t rank) {
  const LocalOrder& order = orders_[rank];
  struct Users {
    std::vector<Dependency> writers;  ///< the last of each lane
    std::vector<Dependency> readers;
  };
  std::map<std::pair<Memory, std::uint32_t>, Users> chunks;
  const auto note = [](std::vector<Dependency>& list, const Dependency& who) {
    const auto same = std::ranges::find(list, who.lane, &Dependency::lane);
    if (same == list.end())
      list.push_back(who);
    else
      *same = who;
  };
  const auto against = [&](const std::vector<Dependency>& others, const Dependency& who,
                           const std::pair<Memory, std::uint32_t>& chunk) {
    for (const Dependency& other : others) {
      if (other == who || order.before(other, who)) continue;
      static constexpr const char* kNames[] = {"input", "output", "scratch", "nowhere"};
      report(ProblemKind::kRace, {rank, who.lane, who.step},
             "accesses " + std::string(kNames[static_cast<std::size_t>(chunk.first)]) + "[" +
                 number(chunk.second) + "] like " + place_text({rank, other.lane, other.step}) +
                 "; one of them writes: expected a dependency between them");
    }
  };
  for (const Dependency& who : order.sequence()) {
    const Step& step = schedule_.ranks[rank].lanes[who.lane].steps[who.step];
    const Accesses touched = accesses(step);
    for (std::uint32_t offset = 0; offset < step.count; ++offset) {
      for (const Place& place : touched.reads) {
        if (place.memory == Memory::kNone) continue;
        const std::pair chunk{place.memory, place.index + offset};
        Users& users = chunks[chunk];
        against(users.writers, who, chunk);
        note(users.readers, who);
      }
      if (touched.write.memory == Memory::kNone) continue;
      const std::pair chunk{touched.write.memory, touched.write.index + offset};
      Users& users = chunks[chunk];
      against(users.writers, who, chunk);
      against(users.readers, who, chunk);
      note(users.writers, who);
    }
  }
}

void Checker::check_run(const Wiring& wiring) {
  SymbolicRun run(schedule_, wiring, slots_);
  run.run();
  verdict_.peak_slots = run.peak_slots();
  if (!run.finished()) {
    for (std::string& line : run.waits())
      report(ProblemKind::kDeadlock, "deadlock: " + std::move(line));
    return;
  }
  if (schedule_.primitive == Primitive::kCustom)
    check_reads();
  else
    check_end_state(run);
}

/// No primitive defines the outputs of a custom schedule, so its steps must make sense by
/// themselves. They read what steps before them have written, and use what arrives in scratch
/// memory.
void Checker::check_reads() {
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank) check_reads_of(rank);
}

void Checker::check_reads_of(std::uint32_t rank) {
  static constexpr const char* kNames[] = {"input", "output", "scratch", "nowhere"};
  using Chunk = std::pair<Memory, std::uint32_t>;
  const auto named = [](const Chunk& chunk) {
    return std::string(kNames[static_cast<std::size_t>(chunk.first)]) + "[" + number(chunk.second) +
           "]";
  };
  std::map<Chunk, Dependency> unread;  // the last writer of each chunk
  std::set<Chunk> written;
  const LocalOrder& order = orders_[rank];
  for (const Dependency& who : order.sequence()) {
    const StepPlace at{rank, who.lane, who.step};
    const Accesses touched = accesses(step_at(at));
    for (std::uint32_t offset = 0; offset < step_at(at).count; ++offset) {
      for (const Place& place : touched.reads) {
        const Chunk chunk{place.memory, place.index + offset};
        if (place.memory == Memory::kNone) continue;
        if (place.memory != Memory::kInput && !written.contains(chunk))
          report(ProblemKind::kUnread, at,
                 "reads " + named(chunk) + ", which no step before it has written");
        unread.erase(chunk);
      }
      if (touched.write.memory == Memory::kNone) continue;
      const Chunk chunk{touched.write.memory, touched.write.index + offset};
      if (const auto before = unread.find(chunk); before != unread.end())
        report(ProblemKind::kUnread, at,
               "overwrites " + named(chunk) + " of " +
                   place_text({rank, before->second.lane, before->second.step}) +
                   ", which no step has read");
      written.insert(chunk);
      // A step has used what it also forwards.
      if (sends(step_at(at)))
        unread.erase(chunk);
      else
        unread[chunk] = who;
    }
  }
  for (const auto& [chunk, who] : unread)
    if (chunk.first == Memory::kScratch)
      report(ProblemKind::kUnread, {rank, who.lane, who.step},
             "writes " + named(chunk) + ", which no step reads");
}

void Checker::check_end_state(const SymbolicRun& run) {
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t index = 0; index < schedule_.output_chunks(); ++index) {
      const Symbol expected = expected_output(schedule_, rank, index);
      const Symbol& found = run.at(rank, Memory::kOutput, index);
      if (expected.is_nothing() || expected == found) continue;
      report(ProblemKind::kEndState, "rank " + number(rank) + " output[" + number(index) +
                                         "] ends with " + found.text() + ", expected " +
                                         expected.text());
    }
}

Symbol expected_output(const Schedule& schedule, std::uint32_t rank, std::uint32_t index) {
  const std::uint32_t k = schedule.share;
  const auto sum = [&](std::uint32_t chunk) {
    Symbol made = Symbol::contribution(0, chunk);
    for (std::uint32_t other = 1; other < schedule.size(); ++other) made.add_contributor(other);
    return schedule.average ? made.scaled(schedule.size()) : made;
  };
  switch (schedule.primitive) {
    case Primitive::kBroadcast:
      return Symbol::contribution(schedule.root, index);
    case Primitive::kReduce:
      return rank == schedule.root ? sum(index) : Symbol();
    case Primitive::kAllReduce:
      return sum(index);
    case Primitive::kReduceScatter:
      return sum(rank * k + index);
    case Primitive::kAllGather:
      return Symbol::contribution(index / k, index % k);
    case Primitive::kAllToAll:
      return Symbol::contribution(index / k, rank * k + index % k);
    case Primitive::kGather:
      return rank == schedule.root ? Symbol::contribution(index / k, index % k) : Symbol();
    case Primitive::kScatter:
      return Symbol::contribution(schedule.root, rank * k + index);
    case Primitive::kSendRecv:
      return rank == schedule.peer ? Symbol::contribution(schedule.root, index) : Symbol();
    case Primitive::kCustom:
      break;
  }
  return {};
}

void require_right(const Schedule& schedule, std::uint32_t slots) {
  const Verdict verdict = Checker(schedule, slots).run();
  if (!verdict.right()) runtime::bad_use("schedule " + schedule.name, verdict.text());
}

std::uint32_t slots_that_suffice(const Schedule& schedule, std::uint32_t most) {
  most *= schedule.longest_message();
  for (std::uint32_t slots = std::min(2U, most);; slots = std::min(2 * slots, most)) {
    const Verdict verdict = Checker(schedule, slots).run();
    if (verdict.right()) return slots;
    const bool waits = verdict.problems.front().kind == ProblemKind::kDeadlock;
    if (!waits || slots == most) runtime::bad_use("schedule " + schedule.name, verdict.text());
  }
}

}  // namespace tvp::collectives
