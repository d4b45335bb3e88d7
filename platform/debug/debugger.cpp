#include "platform/debug/debugger.h"

#include <fnmatch.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "foundation/hex.h"
#include "foundation/source_root.h"

namespace tvp::debug {

using foundation::Fault;
using foundation::FaultKind;

namespace {

// GDB's numbers (include/gdb/signals.def).
constexpr int kSigInt = 2;
constexpr int kSigIll = 4;
constexpr int kSigTrap = 5;
constexpr int kSigAbort = 6;
constexpr int kSigBus = 10;
constexpr int kSigSegv = 11;

volatile std::sig_atomic_t interrupted = 0;

int signal_of(const Fault& fault) {
  const std::string& text = fault.message();
  if (fault.kind() != FaultKind::kFirmware) return kSigAbort;
  if (text.starts_with("invalid instruction")) return kSigIll;
  if (text.starts_with("misaligned")) return kSigBus;
  if (text.starts_with("ebreak") || text.starts_with("ecall")) return kSigTrap;
  return kSigSegv;
}

}  // namespace

Debugger::Debugger(platform::Machine& machine, const platform::GdbConfig& config)
    : machine_(machine),
      access_(machine.debug()),
      port_(config.port),
      checkpoints_(config.checkpoints),
      connection_(port_),
      server_(*this) {
  const std::string& scope = config.cores.value();
  std::vector<platform::CoreSite> sites;
  if (access_ != nullptr) sites = access_->core_sites();
  for (platform::CoreSite& site : sites) {
    if (!scope.empty() && fnmatch(scope.c_str(), site.core->where().c_str(), 0) != 0) continue;
    cores_.emplace_back();
    cores_.back().site = std::move(site);
  }
  if (!cores_.empty()) return;
  throw Fault(FaultKind::kDescription, "",
              scope.empty() ? "gdb.port: this system has no cores to debug"
                            : "gdb.cores: no core is called " + scope +
                                  "; names are like chip0.tensix(1,1).BRISC or unit5");
}

Debugger::~Debugger() {
  if (history_ == nullptr) return;
  be_present();
  history_->drop();
}

CoreProbe& Debugger::probe(unsigned number) {
  Core& core = at(number);
  StopListener& stops = *this;
  if (!core.probe) core.probe = std::make_unique<CoreProbe>(*core.site.core, number, stops);
  return *core.probe;
}

void Debugger::loaded(unsigned chip, unsigned x, unsigned y, unsigned kind,
                      const std::string& elf_path) {
  files_.add({chip, x, y}, kind, std::filesystem::absolute(elf_path).string());
  for (unsigned number = 1; number <= cores_.size(); ++number) {
    if (tile_of(number) == LoadedFiles::Tile{chip, x, y} && at(number).site.kind == kind)
      reloaded_.insert(number);
  }
}

LoadedFiles::Tile Debugger::tile_of(unsigned core) {
  const platform::CoreSite& site = at(core).site;
  return {site.chip, site.x, site.y};
}

std::vector<std::string> Debugger::files_of(unsigned core) {
  return files_.of(tile_of(core), at(core).site.kind);
}

void Debugger::clock(std::uint64_t cycles) {
  if (!begun_) begin();
  // Nothing can happen any more, so a host that still clocks the machine waits without end.
  if (begun_ && machine_.idle()) stop_at_hang();
  while (cycles > 0) {
    if (begun_) between_steps();
    const std::uint64_t n = begun_ ? slice(cycles) : cycles;
    advance(n);
    cycles -= n;
  }
  if (!machine_.idle()) {
    told_of_hang_ = false;
  } else if (access_->has_unfinished_programs()) {
    stop_at_hang();
  }
}

void Debugger::advance(std::uint64_t cycles) {
  slice_begin_ = machine_.now();
  in_slice_ = true;
  try {
    machine_.clock(cycles);
  } catch (const Fault& fault) {
    stop_at_fault(fault);
    throw;
  }
  in_slice_ = false;
}

void Debugger::begin() {
  if (cores().empty()) return;
  begun_ = true;
  connection_.listen();
  // The host program's output belongs to that program.
  std::fprintf(stderr,
               "%s: waiting for gdb-multiarch on port %u; type there:\n"
               "set schedule-multiple on\ntarget extended-remote :%u\n",
               foundation::program_name().c_str(), port_, port_);
  while (!connection_.look_for_caller(kLookAround_ms)) check_interrupted();
  start_history();
  attach();
}

void Debugger::attach() {
  server_.reset();
  decoder_ = {};
  told_of_others_ = false;
  for (Core& core : cores_) core.dismissed = false;
  position_ = {.cycle = machine_.now()};
  if (take_checkpoint(position_, false)) return;
  const std::vector<unsigned> shown = cores();
  if (!shown.empty()) server_.stopped({.core = shown.front(), .signal = kSigTrap});
  serve();
}

/// The run continues as if no debugger had connected.
void Debugger::leave() {
  connection_.close();
  for (Core& core : cores_) {
    if (core.probe) core.probe->clear();
  }
  traps_.clear();
  awaiting_ = false;
  hidden_.reset();
  plan_.reset();
  going_to_.reset();
  if (history_) history_->drop();
}

void Debugger::between_steps() {
  keep_history();
  if (!replay_) {
    look_at_connection();
    if (server_.limited_to() == 0) tell_news();
  }
  wake_sleepers();
}

/// Announces new files and new cores one by one. gdb reads the files of an announced core and
/// continues automatically. It fails on a core that it first meets in a stop for its user.
void Debugger::tell_news() {
  std::set<unsigned> news = std::move(reloaded_);
  reloaded_.clear();
  for (const unsigned core : cores()) {
    if (!server_.knows(core) || !server_.has_description(core)) news.insert(core);
  }
  for (const unsigned core : news) {
    if (!connection_.open() || !has(core)) continue;
    const std::size_t files = files_of(core).size();
    if (files != 0 && !server_.has_description(core)) announce(core, Stop::Reason::kStarted);
    if (files > 1 || !server_.knows(core)) announce(core, Stop::Reason::kLibraries);
  }
}

void Debugger::announce(unsigned core, Stop::Reason reason) {
  if (replay_ || !connection_.open() || !has(core)) return;
  send(server_.stopped({.core = core, .reason = reason, .signal = kSigTrap}));
  serve();
}

void Debugger::look_at_connection() {
  if (!connection_.open()) {
    if (connection_.look_for_caller(0)) attach();
    return;
  }
  while (const auto item = replay_ ? std::nullopt : next_item(0)) {
    if (item->kind == PacketDecoder::Kind::kInterrupt) {
      const unsigned limited = server_.limited_to();
      stop({.core = limited != 0 ? limited : server_.last_stop().core, .signal = kSigInt},
           place_of(0));
    }
  }
  if (!connection_.open()) leave();
}

/// All tiles are at the same cycle, so sleeping cores can execute their polls.
void Debugger::wake_sleepers() {
  for (Core& core : cores_) {
    if (!core.probe || !core.probe->take_wake()) continue;
    core.site.core->execute_poll(machine_.now());
    core.site.calendar->tile_woken(core.site.tile);
  }
  for (const unsigned number : to_wake_) {
    at(number).site.core->execute_poll(machine_.now());
    at(number).site.calendar->tile_woken(at(number).site.tile);
  }
  to_wake_.clear();
}

void Debugger::event(const Stop& stop, const Position& where, const WatchHit* hit) {
  if (serving_ || !connection_.open() || going_to_) return;
  if (replay_) {
    meet(stop, where, hit);
    return;
  }
  if (hit != nullptr) tell_writer(probe(stop.core), *hit);
  this->stop(stop, where);
}

void Debugger::stop(const Stop& stop, const Position& where) {
  if (serving_ || !connection_.open() || stop.core == 0) return;
  position_ = where;
  going_to_.reset();
  cancel_steps();
  if (server_.went_alone() && !told_of_others_) {
    told_of_others_ = true;
    say("All cores run together, so the other cores ran as well. Use: set schedule-multiple on\n");
  }
  probe(stop.core).stop_was_told();
  const auto another_is_stepped = [&] {
    return server_.limited_to() != 0 && server_.limited_to() != stop.core;
  };
  // A second time only if the user steps the same core again before it has moved.
  for (unsigned i = 0; i < kMaxPretended && another_is_stepped(); ++i) {
    pretend_step(server_.limited_to());
    if (replay_ || !connection_.open()) return;
  }
  // gdb would go on backward after news.
  if (server_.limited_to() == 0 && !std::exchange(arrives_, false)) tell_news();
  // A copy continues from here if the debugger has written something meanwhile.
  if (replay_ || !connection_.open()) return;
  cancel_steps();
  send(server_.stopped(stop));
  serve();
}

/// GDB steps a core over its breakpoint and assumes that all others stand still. The access of that
/// instruction may have to wait for another core, which then stops first. In that case GDB gets the
/// stop that it expects, with the later pc, and the other core's stop afterwards.
void Debugger::pretend_step(unsigned core) {
  cancel_steps();
  if (!pretended_pc_) {
    pretended_pc_ = probe(core).next_pc();
    probe(core).stop_was_told(1);
  }
  send(server_.stopped({.core = core, .signal = kSigTrap}));
  serve();
  if (server_.limited_to() != core) pretended_pc_.reset();
}

void Debugger::cancel_steps() {
  for (Core& core : cores_) {
    if (core.probe) core.probe->cancel_step();
  }
}

void Debugger::stop_at_fault(const Fault& fault) {
  unsigned where = server_.last_stop().core;
  for (unsigned number = 1; number <= cores_.size(); ++number) {
    if (at(number).site.core->where() == fault.where()) where = number;
  }
  if (replay_) end_of_part();
  be_present();
  if (!connection_.open() || !has(where)) return;
  say(machine_.explain(fault) + "\n");
  const bool by_core = has(where) && at(where).site.core->where() == fault.where();
  stop({.core = where, .signal = signal_of(fault)},
       by_core ? place_of(where) : Position{.cycle = machine_.now()});
}

void Debugger::stop_at_hang() {
  if (const Position* place = awaited();
      place != nullptr && place->core == 0 && machine_.now() >= place->cycle) {
    reached();
  }
  if (replay_ || told_of_hang_ || !connection_.open()) return;
  told_of_hang_ = true;
  const std::string waiting = list_waiting();
  say("Hang: no core can continue.\n" + waiting);
  stop({.core = first_of(waiting), .signal = kSigTrap}, place_of(0));
  // The user may have stepped a core or written a word that a core polls.
  wake_sleepers();
  told_of_hang_ = machine_.idle();
}

/// The core that the report of a hang names first; else the one that stopped last.
unsigned Debugger::first_of(const std::string& waiting) {
  std::string name = waiting.substr(0, waiting.find_first_of(" :"));
  // A thread of the coprocessor belongs to a core: "chip0.tensix(1,1).coprocessor.T2".
  constexpr std::string_view kThread = ".coprocessor.T";
  if (const std::size_t at = name.find(kThread); at != std::string::npos)
    name.replace(at, kThread.size(), ".TRISC");
  for (const unsigned core : cores())
    if (at(core).site.core->where() == name) return core;
  return server_.last_stop().core;
}

void Debugger::finish(int exit_code) {
  if (replay_) end_of_part();
  be_present();
  if (!connection_.open() || serving_) return;
  ending_ = true;
  unsigned core = server_.last_stop().core;
  // GDB continues with another process, which gets the same report of the end.
  while (core != 0) {
    at(core).dismissed = true;
    send(server_.stopped({.core = core, .reason = Stop::Reason::kEnd, .signal = exit_code}));
    if (!serve(kLastWords_ms) || !connection_.open()) break;
    core = 0;
    for (const unsigned other : cores()) {
      if (server_.knows(other)) core = other;
    }
  }
  leave();
}

bool Debugger::serve(int wait_ms) {
  serving_ = true;
  machine_.settle();
  bool silent = false;
  while (connection_.open()) {
    const auto item = next_item(wait_ms);
    if (!item) {
      silent = connection_.open();
      break;
    }
    if (item->kind == PacketDecoder::Kind::kNack) {
      transmit(last_sent_);
    } else if (item->kind == PacketDecoder::Kind::kBadChecksum) {
      if (server_.acknowledges()) transmit("-");
    } else if (item->kind == PacketDecoder::Kind::kPacket) {
      if (server_.acknowledges()) transmit("+");
      if (obey(server_.handle(item->payload))) break;
    }
  }
  serving_ = false;
  if (!connection_.open()) leave();
  return !silent;
}

bool Debugger::obey(const GdbServer::Answer& answer) {
  switch (answer.next) {
    case GdbServer::Next::kAnswer:
      send(answer.text);
      return false;
    case GdbServer::Next::kGo:
      return resume(answer.steps);
    case GdbServer::Next::kGoBack: {
      const auto goal = answer.steps ? Replay::Goal::kStep : Replay::Goal::kContinue;
      return stay(go_back({.goal = goal, .core = server_.selected()}));
    }
    case GdbServer::Next::kLeave:
      send(answer.text);
      leave();
      return true;
    case GdbServer::Next::kEndOfRun:
      if (!answer.text.empty()) send(answer.text);
      serving_ = false;
      leave();
      throw Ended("killed by gdb");
  }
  return true;
}

std::optional<PacketDecoder::Item> Debugger::next_item(int wait_ms) {
  while (true) {
    if (auto item = decoder_.next()) return item;
    std::string bytes;
    const Connection::Received received =
        connection_.receive(bytes, wait_ms < 0 ? kLookAround_ms : wait_ms);
    if (received == Connection::Received::kBytes) {
      decoder_.feed(bytes);
    } else if (received == Connection::Received::kClosed || wait_ms >= 0) {
      return std::nullopt;
    } else {
      check_interrupted();
    }
  }
}

void Debugger::interrupt_wait() { interrupted = 1; }

void Debugger::forget_interrupt() { interrupted = 0; }

void Debugger::check_interrupt_wait() {
  if (interrupted != 0) throw Ended("interrupted");
}

void Debugger::check_interrupted() {
  if (interrupted == 0) return;
  serving_ = false;
  throw Ended("interrupted while waiting for gdb");
}

void Debugger::send(const std::string& packet) {
  last_sent_ = encode_packet(packet);
  transmit(last_sent_);
}

/// A debugger that sends but does not read cannot block the run after an interrupt.
void Debugger::transmit(std::string_view bytes) {
  while (!connection_.send(bytes, ending_ ? kLastWords_ms : kLookAround_ms)) {
    if (interrupted == 0 && !ending_) continue;
    leave();
    check_interrupted();
  }
}

void Debugger::say(const std::string& text) { send(GdbServer::console(text)); }

/// Cores that share a tile with this one.
std::vector<unsigned> Debugger::neighbors(unsigned number) const {
  const platform::CoreSite& own = cores_[number - 1].site;
  std::vector<unsigned> found;
  for (unsigned other = 1; other <= cores_.size(); ++other) {
    const platform::CoreSite& site = cores_[other - 1].site;
    if (other != number && site.calendar == own.calendar && site.tile == own.tile) {
      found.push_back(other);
    }
  }
  return found;
}

void Debugger::at_breakpoint(CoreProbe& probe, Trap trap) {
  event({.core = probe.number(), .reason = Stop::Reason::kBreakpoint, .trap = trap},
        place_of(probe.number()));
}

void Debugger::stepped(CoreProbe& probe) {
  event({.core = probe.number(), .signal = kSigTrap}, place_of(probe.number()));
}

void Debugger::at_watchpoint(CoreProbe& probe, const WatchHit& hit) {
  if (serving_ || !connection_.open()) return;
  const auto [trap, address, bytes, when, writer] = hit;
  Position where = place_of(probe.number());
  if (writer != probe.core().order()) {
    where.by_other = true;
    where.trap = trap;
    where.address = address;
    where.bytes = bytes;
    where.when = when;
    where.writer = writer;
    if (const Position* place = awaited();
        awaiting_ && place->by_other && place->core == where.core && place->address == address &&
        place->bytes == bytes && place->when == when && place->writer == writer) {
      reached();
    }
    // The watchpoint of a place that is awaited is not the user's.
    if (!traps_.contains({where.core, trap, address, bytes})) return;
  }
  event({.core = probe.number(),
         .reason = Stop::Reason::kWatchpoint,
         .trap = trap,
         .address = address},
        where, &hit);
}

void Debugger::tell_writer(CoreProbe& probe, const WatchHit& hit) {
  const unsigned writer = hit.writer;
  if (writer != probe.core().order()) {
    const auto& agents = at(probe.number()).site.agents;
    std::string who = writer < agents.size() ? agents[writer] : "";
    for (const unsigned other : neighbors(probe.number())) {
      const platform::CoreSite& site = at(other).site;
      if (site.core->order() != writer) continue;
      const std::string source = access_->source_of(site, site.core->pc());
      who = site.name + (source.empty() ? "" : " in " + source);
    }
    // A NIU writes for a core here or elsewhere.
    if (writer < agents.size()) {
      const std::string sender =
          access_->monitor(at(probe.number()).site, "writer " + foundation::hex(hit.address));
      if (!sender.empty()) who += ": " + sender.substr(0, sender.find_last_not_of('\n') + 1);
    }
    say("written by " + who + "\n");
  }
}

}  // namespace tvp::debug
