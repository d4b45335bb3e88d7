#include "platform/machine/machine.h"

#include <algorithm>
#include <utility>

#include "platform/machine/waves/noc_events.h"

namespace tvp::platform {

using support::Cycle;

namespace {

support::WaveRecorder::Options wave_options(const WaveConfig& config, std::uint64_t clock_mhz) {
  support::WaveRecorder::Options options;
  options.file = config.file.value();
  if (!NocEvents::is_name(config.trace.value())) options.trace = config.trace.value();
  options.scope = config.scope.value();
  options.from = config.from_ns * clock_mhz / 1000;
  if (config.to_ns != 0) options.to = config.to_ns * clock_mhz / 1000;
  return options;
}

/// Minimum number of steps (events, runs of tiles) for which a window is shared among threads. It
/// corresponds to some 10 us; waking the threads takes 1 to 2 us.
constexpr std::uint64_t kWorthThreads = 100;

}  // namespace

Machine::Machine(const sc_core::sc_module_name& name, const SystemDescription& system,
                 PlatformConfig& config, std::uint64_t clock_mhz)
    : sc_module(name), system_(system), config_(config), clock_mhz_(clock_mhz) {
  faults_.set_warn(config.run.faults == "warn");
  if (!config.record.events.value().empty())
    event_file_ = std::make_unique<checks::EventFile>(config.record.events.value());
  SC_METHOD(run_window);
  sensitive << go_;
  dont_initialize();
}

Machine::~Machine() = default;

void Machine::start() {
  const std::string& trace = config_.wave.trace.value();
  if (NocEvents::is_name(trace) && devices() == nullptr)
    throw foundation::Fault(foundation::FaultKind::kDescription, "wave.trace",
                            trace +
                                " holds NoC events, and this system has no chips: expected "
                                "another name");
  if (!config_.wave.file.value().empty() || (!trace.empty() && !NocEvents::is_name(trace))) {
    if (waves() == nullptr) {
      throw foundation::Fault(foundation::FaultKind::kDescription, "",
                              "systems of this kind have no waves and no trace");
    }
    if (config_.wave.to_ns != 0 && config_.wave.from_ns >= config_.wave.to_ns) {
      throw foundation::Fault(foundation::FaultKind::kDescription, "wave.from_ns",
                              config_.wave.from_ns.text() + " ns: expected a time before " +
                                  config_.wave.to_ns.text() + ", wave.to_ns");
    }
    recorder_ = std::make_unique<support::WaveRecorder>(wave_options(config_.wave, clock_mhz_));
    waves()->watch(*recorder_);
  }
  if (const std::string& file = config_.profile.file.value(); !file.empty()) {
    if (debug() == nullptr)
      throw foundation::Fault(foundation::FaultKind::kDescription, "profile.file",
                              "systems of this kind have no cores to profile");
    profile_file_ = std::make_unique<ProfileFile>(file);
    if (profile_file_->shows_zones() && programs() == nullptr)
      throw foundation::Fault(foundation::FaultKind::kDescription, "profile.file",
                              "profile_log_device.csv has kernels of chips, and this system has "
                              "no chips: expected another name that ends in .csv");
    profile_ = std::make_unique<CycleProfile>(*debug(), profile_file_->shows_zones());
  }
  for (support::Calendar* calendar : calendars_) calendar->set_lockstep(config_.run.lockstep);
  const std::size_t threads = std::min<std::size_t>(config_.run.threads, calendars_.size());
  if (threads > 1) team_ = std::make_unique<ThreadTeam>(static_cast<unsigned>(threads));
  if (!config_.foreign.shared_kernel) sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

Cycle Machine::next_cycle() const {
  return ranks_ == nullptr ? own_next_cycle() : std::min(own_next_cycle(), ranks_->others_next());
}

bool Machine::idle() const {
  if (ranks_ != nullptr && ranks_->is_host() && ranks_->is_whole()) ranks_->sync();
  return next_cycle() == support::kNever;
}

void Machine::serve(Message&) {
  throw foundation::Fault(foundation::FaultKind::kInternal, system_.name,
                          "systems of this kind are not shared among ranks");
}

Cycle Machine::own_next_cycle() const {
  Cycle next = support::kNever;
  for (const support::Calendar* calendar : calendars_) next = std::min(next, calendar->next());
  return next;
}

std::string Machine::time_of(Cycle cycle) const {
  const std::string ps = std::to_string(to_ps(cycle) % 1000);
  return std::to_string(to_ps(cycle) / 1000) + "." + std::string(3 - ps.size(), '0') + ps + " ns";
}

void Machine::follow_kernel() {
  cycle_now_ =
      foundation::Period::of_mhz(clock_mhz_).edge_at_or_after(sc_core::sc_time_stamp().value());
  // An idle calendar stands where it has stopped.
  for (support::Calendar* calendar : calendars_) {
    if (cycle_now_ > calendar->now() && calendar->next() >= cycle_now_)
      calendar->run_until(cycle_now_);
  }
}

void Machine::settle() const {
  for (support::Calendar* calendar : calendars_) calendar->settle();
}

void Machine::run_until(Cycle end) {
  stops_.assign(calendars_.size(), nullptr);
  const auto run_one = [&](unsigned i) {
    try {
      calendars_[i]->run_until(end);
    } catch (...) {
      stops_[i] = std::current_exception();
    }
  };
  const auto count = static_cast<unsigned>(calendars_.size());
  const bool in_threads = is_worth_threads(end);
  if (in_threads || ranks_ != nullptr) begin_apart();
  if (in_threads) {
    team_->run(count, run_one);
  } else {
    for (unsigned i = 0; i < count; ++i) run_one(i);
  }
  if (in_threads || ranks_ != nullptr) end_apart();
  if (ranks_ != nullptr) exchange();
  for (unsigned i = 0; i < count; ++i) {
    if (!stops_[i]) continue;
    // Nothing runs after this, so the time is that of the stopped step.
    cycle_now_ = std::max(cycle_now_, std::min(calendars_[i]->now(), limit_));
    std::rethrow_exception(stops_[i]);
  }
}

/// Throws the fault of another rank if it comes first.
void Machine::exchange() {
  std::optional<ChipRanks::Stop> mine;
  for (std::size_t i = 0; i < stops_.size() && !mine; ++i) {
    if (!stops_[i]) continue;
    const Cycle now = std::min(calendars_[i]->now(), limit_);
    try {
      std::rethrow_exception(stops_[i]);
    } catch (const foundation::Fault& fault) {
      mine.emplace(places_[i], now, fault);
    } catch (const std::exception& error) {
      mine.emplace(places_[i], now,
                   foundation::Fault(foundation::FaultKind::kInternal, "mpi", error.what()));
    }
  }
  const auto first = ranks_->exchange(mine, own_next_cycle());
  if (!first || (mine && first->place == mine->place)) return;
  cycle_now_ = std::max(cycle_now_, first->now);
  throw foundation::Fault(first->fault);
}

/// The steps of the last window predict those of the next.
bool Machine::is_worth_threads(Cycle end) {
  if (!team_ || !runs_apart()) return false;
  const std::uint64_t before = std::exchange(steps_, steps());
  if (steps_ - before < kWorthThreads) return false;
  return std::count_if(calendars_.begin(), calendars_.end(),
                       [&](const support::Calendar* each) { return each->next() < end; }) > 1;
}

std::uint64_t Machine::steps() const {
  std::uint64_t steps = 0;
  for (const support::Calendar* each : calendars_)
    steps += each->events_fired() + each->tile_activations();
  return steps;
}

void Machine::clock(std::uint64_t cycles) {
  limit_ = cycle_now_ + cycles;
  if (ranks_ != nullptr && ranks_->is_host()) {
    ranks_->sync();
    const Message window = Message().put(cycles).put(next_cycle());
    for (unsigned rank = 1; rank < ranks_->size(); ++rank)
      ranks_->post(rank, RankCall::kClock, window);
    ranks_->send_posted();
  }
  const auto time_of = [&](Cycle c) { return sc_core::sc_time::from_value(to_ps(c)); };
  const Cycle next = next_cycle();
  if (next < limit_) go_.notify(time_of(std::max(next, cycle_now_)) - time_of(cycle_now_));
  sc_core::sc_start(time_of(limit_) - time_of(cycle_now_));
  if (stopped_) std::rethrow_exception(std::exchange(stopped_, nullptr));
  run_until(limit_);
  cycle_now_ = limit_;
}

/// Keeps an exception and throws it again from clock(). SystemC would turn an exception that leaves
/// a process into a report of its own.
void Machine::run_window() {
  try {
    advance_window();
  } catch (...) {
    stopped_ = std::current_exception();
  }
}

/// All calendars are at the same cycle between windows. The method runs at the first cycle with an
/// event.
void Machine::advance_window() {
  const Cycle start = next_cycle();
  const Cycle length = window_cycles();
  const Cycle end = length == support::kNever || length >= limit_ - start ? limit_ : start + length;
  cycle_now_ = start;
  run_until(end);
  cycle_now_ = end;
  const Cycle next = next_cycle();
  if (next < limit_) {
    go_.notify(sc_core::sc_time::from_value(to_ps(next) - sc_core::sc_time_stamp().value()));
  }
}

void Machine::phase(const std::string& name, bool end) {
  if (!end) {
    phases_.push_back({name, now_ps(), now_ps(), true});
    return;
  }
  for (auto it = phases_.rbegin(); it != phases_.rend(); ++it) {
    if (it->name == name && it->open) {
      it->end_ps = now_ps();
      it->open = false;
      return;
    }
  }
}

void Machine::span(const std::string& path, const std::string& name, Cycle begin, Cycle end) {
  if (recorder_) recorder_->span(path, name, begin, end);
}

Profile Machine::profile() const {
  Profile profile = profile_->until(now());
  profile.system = system_.name;
  profile.clock_mhz = clock_mhz_;
  if (!system_.chips.empty()) {
    const ChipDescription& chip = system_.chips.front();
    profile.chip_kind = chip.kind;
    profile.compute_cores = chip.spec->workers();
  }
  return profile;
}

void Machine::finish() {
  if (event_file_) event_file_->close();
  if (profile_ && profile_file_) {
    settle();
    std::exchange(profile_file_, nullptr)->write(profile());
  }
  if (!recorder_) return;
  const auto recorder = std::move(recorder_);
  recorder->finish([this](Cycle c) { return to_ps(c); }, now());
}

std::string Machine::explain(const foundation::Fault& fault) const { return fault.what(); }

}  // namespace tvp::platform
