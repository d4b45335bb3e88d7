// Reverse execution: the run is repeated from a checkpoint up to a place before the current one.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>

#include "foundation/host_error.h"
#include "platform/debug/debugger.h"

namespace tvp::debug {

std::string Debugger::obstacle() const {
  const platform::PlatformConfig& config = machine_.config();
  if (!why_no_history_.empty()) return why_no_history_;
  if (checkpoints_ == 0) return "gdb.checkpoints is 0";
  if (config.wave.wanted()) return "the run writes waves or a trace";
  if (!config.record.file.value().empty()) return "the run writes record.file";
  if (!config.record.events.value().empty()) return "the run writes record.events";
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  if (threads > 1 && config.run.threads > 1)
    return "threads is " + config.run.threads.text() + ", and copies of the run have one thread";
  if (threads > 1)
    return "the host program has " + std::to_string(threads) +
           " threads, and only the one that simulates can be copied";
  return {};
}

void Debugger::start_history() {
  if (!obstacle().empty()) return;
  // A process has one supervisor, also if its host starts the platform again.
  static std::unique_ptr<History> history;
  try {
    if (!history)
      history = std::make_unique<History>(checkpoints_, [this] { connection_.release(); });
    history_ = history.get();
  } catch (const foundation::HostError& error) {
    why_no_history_ = error.what();
  }
}

bool Debugger::take_checkpoint(const Position& where, bool after_write) {
  if (!history_) return false;
  if (!obstacle().empty()) {
    history_->drop();
    return false;
  }
  const std::optional<Replay> replay = history_->checkpoint(where, after_write);
  if (replay) begin_replay(*replay, where);
  return replay.has_value();
}

Position Debugger::place_of(unsigned core) {
  if (!in_slice_ || core == 0) return {.cycle = machine_.now()};
  return {.cycle = slice_begin_, .core = core, .time = at(core).site.core->time()};
}

std::uint64_t Debugger::slice(std::uint64_t cycles) const {
  std::uint64_t n = std::min(cycles, kLookCycles);
  const auto cut_at = [&](std::uint64_t cycle) {
    if (cycle > machine_.now()) n = std::min(n, cycle - machine_.now());
  };
  if (going_to_) cut_at(*going_to_);
  if (replay_ && replay_->goal == Replay::Goal::kGoTo) cut_at(replay_->cycle);
  if (const Position* place = awaited(); place != nullptr && place->core == 0) cut_at(place->cycle);
  return n;
}

void Debugger::keep_history() {
  const std::uint64_t now = machine_.now();
  const bool steps_back = replay_ && replay_->goal == Replay::Goal::kStep;
  const bool near = steps_back && replay_->stop != 0 && !near_ &&
                    now + kNearCycles >= replay_->end.cycle && now < replay_->end.cycle;
  if (near) near_ = true;
  if (history_ && connection_.open() && (near || (!replay_ && history_->is_due())))
    take_checkpoint({.cycle = now}, false);
  if (going_to_ && now >= *going_to_) stop({.core = server_.last_stop().core}, place_of(0));
  if (replay_ && replay_->goal == Replay::Goal::kGoTo && now >= replay_->cycle)
    arrive({.core = replay_->core}, place_of(0));
  if (const Position* place = awaited();
      place != nullptr && place->core == 0 && now >= place->cycle) {
    reached();
  }
  observe_cores();
}

void Debugger::observe_cores() {
  await_place();
  if (!replay_ || replay_->goal != Replay::Goal::kStep || steps_back_) return;
  if (machine_.now() < replay_->cycle) return;
  steps_back_ = true;
  probe(replay_->core).step(0, 0);
}

/// The copy takes over the conversation of its predecessor with the debugger.
void Debugger::begin_replay(const Replay& replay, const Position& where) {
  for (Core& core : cores_) {
    if (core.probe) core.probe->clear();
  }
  replay_ = replay;
  past_ = true;
  frontier_ = replay.frontier;
  met_.clear();
  steps_back_ = false;
  near_ = false;
  awaiting_ = false;
  hidden_.reset();
  written_ = false;
  serving_ = false;
  plan_.reset();
  going_to_.reset();
  pretended_pc_.reset();
  decoder_ = {};
  server_.take_over(replay.conversation.at("server"));
  traps_.clear();
  for (const auto& each : replay.conversation.at("traps"))
    insert(each.at(0), each.at(1).get<Trap>(), each.at(2), each.at(3));
  for (const unsigned core : replay.conversation.at("seen")) at(core).seen = true;
  for (Core& core : cores_) core.dismissed = false;
  for (const unsigned core : replay.conversation.at("dismissed")) at(core).dismissed = true;
  if (replay.goal == Replay::Goal::kStart)
    arrive({.core = replay.core, .reason = Stop::Reason::kBeginning}, where);
  else if (replay.goal == Replay::Goal::kHere)
    arrive({.core = replay.core}, where);
  else
    observe_cores();
}

nlohmann::json Debugger::conversation() {
  nlohmann::json traps = nlohmann::json::array();
  for (const Inserted& each : traps_)
    traps.push_back({each.core, each.trap, each.address, each.bytes});
  std::vector<unsigned> seen;
  std::vector<unsigned> dismissed;
  std::vector<std::size_t> files;
  for (unsigned number = 1; number <= cores_.size(); ++number) {
    if (at(number).seen) seen.push_back(number);
    if (at(number).dismissed) dismissed.push_back(number);
    files.push_back(files_of(number).size());
  }
  return {{"server", server_.conversation()},
          {"traps", traps},
          {"seen", seen},
          {"dismissed", dismissed},
          {"files", files}};
}

const Position* Debugger::awaited() const {
  if (replay_) return replay_->goal == Replay::Goal::kGoTo ? nullptr : &replay_->end;
  return past_ ? &frontier_ : nullptr;
}

/// Instructions of a core are observed only shortly before the place, since that is slow.
void Debugger::await_place() {
  const Position* place = awaited();
  if (place == nullptr || place->core == 0 || awaiting_) return;
  if (machine_.now() + kLookCycles < place->cycle) return;
  awaiting_ = true;
  if (!place->by_other) {
    probe(place->core).follow(true);
    return;
  }
  hidden_ = Inserted{place->core, place->trap, place->address, place->bytes};
  if (!traps_.contains(*hidden_))
    probe(place->core).insert(place->trap, place->address, place->bytes);
}

void Debugger::forget_place() {
  if (!awaiting_) return;
  awaiting_ = false;
  const Position& place = replay_ ? replay_->end : frontier_;
  probe(place.core).follow(false);
  if (!hidden_) return;
  const Inserted hidden = *hidden_;
  hidden_.reset();
  if (!traps_.contains(hidden))
    probe(hidden.core).remove(hidden.trap, hidden.address, hidden.bytes);
}

void Debugger::followed(CoreProbe& probe) {
  const Position* place = awaited();
  if (serving_ || !awaiting_ || place->by_other || place->core != probe.number()) return;
  if (probe.core().time() >= place->time) reached();
}

void Debugger::reached() {
  if (replay_) {
    end_of_part();
  } else {
    be_present();
  }
}

void Debugger::be_present() {
  if (!past_) return;
  forget_place();
  past_ = false;
  history_->unmute();
}

void Debugger::end_of_part() {
  if (replay_->stop != 0) history_->failed("the run has not repeated itself");
  std::uint64_t stops = met_.size();
  if (replay_->goal == Replay::Goal::kStep) {
    // The core may have tried its current instruction already.
    const std::uint64_t executed = at(replay_->core).site.core->executed_instructions();
    while (stops > 0 && met_[stops - 1] == executed) --stops;
  }
  history_->counted(stops);
}

void Debugger::meet(const Stop& stop, const Position& where, const WatchHit* hit) {
  const bool is_step = stop.reason == Stop::Reason::kSignal;
  const bool steps_back = replay_->goal == Replay::Goal::kStep;
  if (replay_->goal == Replay::Goal::kGoTo || is_step != steps_back) return;
  met_.push_back(at(stop.core).site.core->executed_instructions());
  if (met_.size() == replay_->stop) arrive(stop, where, hit);
}

void Debugger::arrive(const Stop& stop, const Position& where, const WatchHit* hit) {
  history_->arrived();
  forget_place();
  const Replay done = *std::exchange(replay_, std::nullopt);
  cancel_steps();
  await_place();
  reloaded_.clear();
  const auto files = done.conversation.at("files").get<std::vector<std::size_t>>();
  for (unsigned number = 1; number <= cores_.size(); ++number) {
    if (files_of(number).size() != files[number - 1]) reloaded_.insert(number);
  }
  if (done.undoes_writes) say("The debugger's later writes are undone.\n");
  if (hit != nullptr) tell_writer(probe(stop.core), *hit);
  arrives_ = true;
  this->stop(stop, where);
}

std::string Debugger::go_back(Replay replay) {
  if (!history_ || !obstacle().empty()) {
    const std::string why = obstacle();
    return why.empty() ? "the debugger has not been here from the beginning" : why;
  }
  replay.end = position_;
  replay.frontier = past_ ? frontier_ : position_;
  replay.undoes_writes = written_;
  replay.conversation = conversation();
  return history_->travel(replay, [this] {
    check_interrupted();
    return connection_.wants_attention();
  });
}

bool Debugger::stay(const std::string& why) {
  say("The run cannot go back: " + why + "\n");
  send(server_.stopped({.core = server_.last_stop().core, .reason = Stop::Reason::kBeginning}));
  return false;
}

bool Debugger::resume(bool steps) {
  // gdb may step over a breakpoint first.
  if (plan_ && !steps) {
    const std::uint64_t cycle = *std::exchange(plan_, std::nullopt);
    const std::uint64_t here =
        position_.core == 0 ? position_.cycle : std::max(position_.cycle, position_.time);
    // In the past, a checkpoint on the way saves time.
    if (cycle < here || (past_ && cycle <= frontier_.cycle)) {
      const std::string why =
          go_back({.goal = Replay::Goal::kGoTo, .core = server_.last_stop().core, .cycle = cycle});
      if (cycle < here) return stay(why);
    }
    going_to_ = cycle;
  }
  if (!std::exchange(written_, false) || ending_) return true;
  be_present();
  take_checkpoint(position_, true);
  return true;
}

std::string Debugger::plan_to_go(const std::string& time) {
  std::uint64_t number = 0;
  const char* const end = time.data() + time.size();
  const auto [unit, error] = std::from_chars(time.data(), end, number);
  const std::string_view name(unit, static_cast<std::size_t>(end - unit));
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  if (error != std::errc() || number > kMost || (name != "ns" && name != "us" && name != "cycles"))
    return "goto " + time +
           ": expected a time like 12000ns, 12us or 12000cycles, and 10^12 at the most\n";
  std::uint64_t cycle = number;
  if (name != "cycles")
    cycle = (number * (name == "us" ? 1000 : 1) * machine_.clock_mhz() + 999) / 1000;
  if (cycle < machine_.now() && !obstacle().empty())
    return "The run cannot go back: " + obstacle() + "\n";
  plan_ = cycle;
  return "`continue` goes to cycle " + std::to_string(cycle) + "\n";
}

}  // namespace tvp::debug
