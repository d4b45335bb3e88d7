#include "platform/debug/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace tvp::debug {

namespace {

constexpr int kDefect = 70;  ///< exit code
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
/// A step is looked for in these last cycles before a whole part of the history is searched. The
/// checkpoint that the last step back has made is a bit earlier.
constexpr std::uint64_t kSearchedFirst = kNearCycles / 2;

}  // namespace

Supervisor::Supervisor(std::vector<ProcessLine> lines, std::size_t most_checkpoints,
                       unsigned active_line, pid_t active)
    : lines_(std::move(lines)),
      most_checkpoints_(most_checkpoints),
      active_{active_line, active},
      used_(lines_.size()) {
  used_[active_line] = true;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (const int signal : kForwarded) sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void Supervisor::run() {
  try {
    while (true) {
      if (const auto message = message_of(active_)) handle(*message);
    }
  } catch (const std::exception& error) {
    // The host program must not continue in this process.
    std::fprintf(stderr, "libtensix_vp: the supervisor of the run: %s\n", error.what());
    ::_exit(kDefect);
  }
}

void Supervisor::handle(const nlohmann::json& message) {
  const std::string what = message.value("what", "");
  if (what == "checkpoint") {
    add_checkpoint(message);
  } else if (what == "drop") {
    drop_all();
    send_message(lines_[active_.line].supervisor, {{"dropped", true}});
  } else if (what == "travel") {
    failure_.clear();
    const std::string text = travel(message.at("replay").get<Replay>());
    if (!text.empty()) send_message(lines_[active_.line].supervisor, {{"failed", text}});
  }
}

void Supervisor::add_checkpoint(const nlohmann::json& message) {
  Checkpoint added{.position = message.at("position").get<Position>(),
                   .after_write = message.at("after_write").get<bool>()};
  // The debugger's write has changed what comes later.
  if (added.after_write) {
    const auto later = std::find_if(
        checkpoints_.begin(), checkpoints_.end(),
        [&](const Checkpoint& each) { return each.position.cycle > added.position.cycle; });
    drop_from(static_cast<std::size_t>(later - checkpoints_.begin()));
  }
  if (checkpoints_.size() >= most_checkpoints_) thin_out();
  const auto line = free_line();
  const bool known =
      std::any_of(checkpoints_.begin(), checkpoints_.end(), [&](const Checkpoint& each) {
        return !added.after_write && each.position.cycle == added.position.cycle;
      });
  const bool wanted = line && !known;
  send_message(lines_[active_.line].supervisor, {{"line", wanted ? static_cast<int>(*line) : -1}});
  if (!wanted) return;
  const auto answer = message_of(active_);
  added.process = answer ? answer->value("process", -1) : -1;
  if (added.process <= 0) return;
  added.line = *line;
  used_[added.line] = true;
  const auto behind = std::find_if(
      checkpoints_.begin(), checkpoints_.end(),
      [&](const Checkpoint& each) { return each.position.cycle > added.position.cycle; });
  checkpoints_.insert(behind, added);
}

void Supervisor::thin_out() {
  std::size_t least = 0;
  double least_missed = 0;
  const auto cycle = [&](std::size_t i) {
    return static_cast<double>(checkpoints_[i].position.cycle);
  };
  const double now = cycle(checkpoints_.size() - 1) + 1;
  for (std::size_t i = 1; i + 1 < checkpoints_.size(); ++i) {
    if (checkpoints_[i].after_write) continue;
    const double missed = (cycle(i + 1) - cycle(i - 1)) / (now - cycle(i));
    if (least != 0 && missed >= least_missed) continue;
    least = i;
    least_missed = missed;
  }
  // If all others come after writes, the oldest part of the history is forgotten.
  end(checkpoints_[least].process);
  used_[checkpoints_[least].line] = false;
  checkpoints_.erase(checkpoints_.begin() + static_cast<std::ptrdiff_t>(least));
}

void Supervisor::drop_from(std::size_t index) {
  for (std::size_t i = index; i < checkpoints_.size(); ++i) {
    end(checkpoints_[i].process);
    used_[checkpoints_[i].line] = false;
  }
  checkpoints_.resize(std::min(index, checkpoints_.size()));
}

void Supervisor::drop_all() { drop_from(0); }

std::string Supervisor::travel(Replay replay) {
  using Goal = Replay::Goal;
  const bool goes_to = replay.goal == Goal::kGoTo;
  const std::uint64_t limit = goes_to ? replay.cycle : replay.end.cycle;
  const auto behind =
      std::find_if(checkpoints_.begin(), checkpoints_.end(), [&](const Checkpoint& each) {
        const std::uint64_t cycle = each.position.cycle;
        // A write can be later than the beginning of its slice.
        return cycle > limit || (goes_to && each.after_write && cycle == limit);
      });
  auto index = static_cast<std::size_t>(behind - checkpoints_.begin());
  if (index == 0)
    return checkpoints_.empty()
               ? "no checkpoint exists"
               : "the history begins at cycle " +
                     std::to_string(checkpoints_.front().position.cycle) + ", after that time";
  if (goes_to && limit >= replay.end.cycle &&
      checkpoints_[index - 1].position.cycle <= replay.end.cycle) {
    return "no checkpoint is on the way";
  }
  if (goes_to) return arrive(index - 1, replay);
  while (index-- > 0) {
    // The checkpoint may have died.
    if (index >= checkpoints_.size()) continue;
    const Checkpoint from = checkpoints_[index];
    std::uint64_t near = replay.end.cycle > kSearchedFirst ? replay.end.cycle - kSearchedFirst : 0;
    if (replay.goal != Goal::kStep || near < from.position.cycle) near = 0;
    for (const std::uint64_t cycle : {near, std::uint64_t{0}}) {
      replay.cycle = cycle;
      const auto stops = count_stops(from, replay);
      if (!stops) return failure_;
      if (*stops != 0) {
        replay.stop = *stops;
        return arrive(index, replay);
      }
      if (near == 0) break;
    }
    // A core that has stepped since the debugger wrote something goes back to that place.
    if (from.after_write && replay.goal == Goal::kStep && from.position.core == replay.core &&
        replay.end.core == replay.core && replay.end.time > from.position.time) {
      replay.goal = Goal::kHere;
      return arrive(index, replay);
    }
    replay.end = from.position;
  }
  replay.goal = Goal::kStart;
  return arrive(0, replay);
}

std::optional<std::uint64_t> Supervisor::count_stops(const Checkpoint& from, const Replay& replay) {
  const auto scout = start(from, replay);
  if (!scout) return std::nullopt;
  const auto answer = message_of(*scout);
  end(scout->process);
  used_[scout->line] = false;
  if (!answer) return std::nullopt;
  if (answer->contains("stops")) return answer->at("stops").get<std::uint64_t>();
  failure_ = "the run has not repeated itself";
  return std::nullopt;
}

std::string Supervisor::arrive(std::size_t index, Replay replay) {
  for (std::size_t i = checkpoints_.size(); i-- > index + 1;) {
    if (!checkpoints_[i].after_write) continue;
    replay.undoes_writes = true;
    replay.frontier = checkpoints_[i].position;
  }
  const Checkpoint from = checkpoints_[index];
  const auto copy = start(from, replay);
  if (!copy) return failure_;
  while (true) {
    const auto message = message_of(*copy);
    if (message && message->value("what", "") == "checkpoint") {
      // A checkpoint shortly before the place, for the next step back.
      const Copy before = std::exchange(active_, *copy);
      add_checkpoint(*message);
      active_ = before;
      continue;
    }
    if (message && message->contains("arrived")) break;
    end(copy->process);
    used_[copy->line] = false;
    return message ? message->value("failed", "the run has not repeated itself") : failure_;
  }
  const Copy before = std::exchange(active_, *copy);
  end(before.process);
  used_[before.line] = false;
  // The process that has ended got the signal and had not yet acted on it.
  if (ends_by_ != 0) ::kill(active_.process, ends_by_);
  if (replay.undoes_writes) {
    const auto written =
        std::find_if(checkpoints_.begin(), checkpoints_.end(), [&](const Checkpoint& each) {
          return each.after_write && each.position.cycle >= from.position.cycle &&
                 each.process != from.process;
        });
    drop_from(static_cast<std::size_t>(written - checkpoints_.begin()));
  }
  send_message(lines_[active_.line].supervisor, {{"go", true}});
  return {};
}

std::optional<Supervisor::Copy> Supervisor::start(const Checkpoint& from, const Replay& replay) {
  const auto line = free_line();
  if (!line || !send_message(lines_[from.line].supervisor, {{"line", *line}, {"replay", replay}})) {
    failure_ = "the host refuses another process";
    return std::nullopt;
  }
  // An interrupt waits until the copy is known, which would otherwise go on as a second one.
  const auto answer = message_of({from.line, from.process}, false);
  const int process = answer ? answer->value("process", -1) : -1;
  if (process <= 0) {
    if (failure_.empty()) failure_ = "the host refuses another process";
    return std::nullopt;
  }
  used_[*line] = true;
  return Copy{*line, process};
}

std::optional<nlohmann::json> Supervisor::message_of(const Copy& copy, bool interruptible) {
  while (true) {
    std::array<pollfd, 3> entries{
        pollfd{.fd = lines_[copy.line].supervisor, .events = POLLIN, .revents = 0},
        pollfd{.fd = signals_, .events = POLLIN, .revents = 0},
        pollfd{.fd = interruptible ? lines_[active_.line].supervisor : -1,
               .events = POLLIN,
               .revents = 0}};
    ::poll(entries.data(), entries.size(), -1);
    if ((entries[0].revents & POLLIN) != 0) return receive_message(entries[0].fd, 0);
    if ((entries[1].revents & POLLIN) != 0 && !look_at_signals(copy.process)) {
      failure_ = "a copy of the run has ended";
      return std::nullopt;
    }
    if (copy.process != active_.process && (entries[2].revents & POLLIN) != 0) {
      receive_message(entries[2].fd, 0);
      failure_ = "interrupted";
      return std::nullopt;
    }
  }
}

std::optional<unsigned> Supervisor::free_line() {
  for (unsigned i = 0; i < lines_.size(); ++i) {
    if (used_[i]) continue;
    // Its last process may have left messages.
    while (receive_message(lines_[i].supervisor, 0)) {
    }
    while (receive_message(lines_[i].process, 0)) {
    }
    return i;
  }
  return std::nullopt;
}

void Supervisor::end(pid_t process) {
  if (process <= 0) return;
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
}

bool Supervisor::look_at_signals(pid_t watched) {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == sizeof info) {
    const int signal = static_cast<int>(info.ssi_signo);
    // Signals of the terminal reach all processes anyway.
    if (signal == SIGCHLD || info.ssi_code > 0) continue;
    ::kill(active_.process, signal);
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) ends_by_ = signal;
  }
  bool lives = true;
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    if (ended <= 0) return lives;
    if (ended == active_.process) end_as(status);
    if (ended == watched) lives = false;
    for (auto it = checkpoints_.begin(); it != checkpoints_.end(); ++it) {
      if (it->process != ended) continue;
      used_[it->line] = false;
      checkpoints_.erase(it);
      break;
    }
  }
}

void Supervisor::end_as(int status) {
  drop_all();
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    ::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    ::kill(::getpid(), signal);
    ::_exit(128 + signal);
  }
  ::_exit(WEXITSTATUS(status));
}

}  // namespace tvp::debug
