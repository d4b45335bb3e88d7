#include "platform/checks/noc/lost_updates.h"

#include <algorithm>
#include <string>
#include <utility>

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds LostUpdates::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kRequest) | Probe::bit(Kind::kRead) | Probe::bit(Kind::kWritten) |
         Probe::bit(Kind::kCommand) | Probe::bit(Kind::kGiven) | Probe::bit(Kind::kProgramEnds);
}

void LostUpdates::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      return signals(event);
    case Kind::kRequest:
      if (!event.is_local) return;
      return event.request == ProbeEvent::Request::kAtomic ? changed(event) : accessed(event);
    case Kind::kGiven:
      if (TileContext::Given::use_of(event) != TileContext::Given::Use::kShared) return;
      word_at(static_cast<std::uint32_t>(event.address)).is_semaphore = true;
      return ask();
    case Kind::kProgramEnds:
      words_.clear();
      return ask();
    default:
      if (range_.touches(event.address, event.bytes)) accessed(event);
  }
}

LostUpdates::Word& LostUpdates::word_at(std::uint32_t address) {
  for (Word& word : words_)
    if (word.address == address) return word;
  const auto others = std::count_if(words_.begin(), words_.end(),
                                    [](const Word& word) { return !word.is_semaphore; });
  if (static_cast<std::size_t>(others) >= kMost)
    words_.erase(std::find_if(words_.begin(), words_.end(),
                              [](const Word& word) { return !word.is_semaphore; }));
  words_.push_back({.address = address});
  ask();
  return words_.back();
}

void LostUpdates::changed(const ProbeEvent& atomic) {
  Word& word = word_at(static_cast<std::uint32_t>(atomic.address) & ~3U);
  const Place sender(atomic.x0, atomic.y0);
  if (std::erase(word.may_race, sender) != 0) report_race(word, atomic);
  if (!word.is_unseen) word.atomic = atomic;
  word.is_unseen = true;
}

/// A write, or an atomic, of this tile may let the other one go on.
void LostUpdates::signals(const ProbeEvent& command) {
  if (command.request == ProbeEvent::Request::kRead || words_.empty()) return;
  const Place place(command.x0, command.y0);
  for (Word& word : words_) {
    if (command.is_broadcast) {
      word.may_race.clear();
      continue;
    }
    std::erase(word.may_race, place);
    if (std::find(word.signalled.begin(), word.signalled.end(), place) == word.signalled.end())
      word.signalled.push_back(place);
  }
}

/// Requests the accesses of cores around the words.
void LostUpdates::ask() {
  range_.clear();
  for (const Word& word : words_) range_.add(word.address, word.address + 4);
  range_.ask();
}

/// A write of the host or of another tile counts as an agreed reset. Its NIU also reports what it
/// does in L1.
void LostUpdates::accessed(const ProbeEvent& access) {
  const bool is_of_niu = access.agent == BusMaster::kNoc0 || access.agent == BusMaster::kNoc1;
  if (is_of_niu && access.kind != Kind::kRequest) return;
  for (Word& word : words_)
    if (access.address < word.address + 4 && word.address < access.address + access.bytes)
      accessed(word, access);
}

void LostUpdates::accessed(Word& word, const ProbeEvent& access) {
  const bool is_of_core = access.agent <= BusMaster::kT2 && access.kind != Kind::kRequest;
  const bool is_store = is_of_core && access.kind == Kind::kWritten;
  if (word.is_unseen && is_store) report_atomic(word, access);
  word.is_unseen = false;
  if (!is_of_core) {
    word.may_race.clear();
    word.cores = {};
    return;
  }
  if (is_store) {
    word.store = access;
    word.may_race = std::exchange(word.signalled, {});
  } else {
    word.signalled.clear();
  }
  Known& own = word.cores.at(static_cast<unsigned>(access.agent));
  if (!is_store) {
    own = {.state = Known::State::kLoaded, .loaded = access.cycle};
    return;
  }
  if (own.state == Known::State::kChanged) report_store(word, access);
  own = {};
  for (Known& other : word.cores)
    if (other.state == Known::State::kLoaded)
      other = {.state = Known::State::kChanged, .loaded = other.loaded, .store = access};
}

void LostUpdates::report(const Word& word, const ProbeEvent& store, const std::string& lost,
                         const std::string& advice, const std::string& line) {
  if (std::find(reported_.begin(), reported_.end(), store.pc) != reported_.end()) return;
  reported_.push_back(store.pc);
  warn(store.agent, "a store in cycle " + std::to_string(store.cycle) + " to the word at " +
                        foundation::hex(word.address) + " of L1 overwrites " + lost + advice +
                        at(store.agent, store.pc) + line);
}

void LostUpdates::report_atomic(const Word& word, const ProbeEvent& store) {
  const ProbeEvent& atomic = word.atomic;
  const WriterText text(tile_.chip, tile_.names, false);
  report(
      word, store,
      "the increment by tile (" + std::to_string(atomic.x0) + "," + std::to_string(atomic.y0) +
          ") of NoC 0, which came in cycle " + std::to_string(atomic.cycle) +
          " and which no core has seen. ",
      "Expected a load of the word between the increment and the store, or no store. Subtract "
      "by an atomic, or reset the word before its senders may increment it.",
      "\n  The increment:" + text.at(atomic.x0, atomic.y0, atomic.core, atomic.pc, atomic.cycle));
}

void LostUpdates::report_race(const Word& word, const ProbeEvent& atomic) {
  const WriterText text(tile_.chip, tile_.names, false);
  const std::string tile =
      "tile (" + std::to_string(atomic.x0) + "," + std::to_string(atomic.y0) + ") of NoC 0";
  report(
      word, word.store,
      "the next increment by " + tile + " if that comes earlier. It came in cycle " +
          std::to_string(atomic.cycle) +
          ", in time only by luck: this tile has signalled it before the store and not since. ",
      "Expected the store before the signal, right behind the noc_semaphore_wait.",
      "\n  The increment:" + text.at(atomic.x0, atomic.y0, atomic.core, atomic.pc, atomic.cycle));
}

void LostUpdates::report_store(const Word& word, const ProbeEvent& store) {
  const Known& own = word.cores.at(static_cast<unsigned>(store.agent));
  report(word, store,
         "the store of " + std::string(WriterText::core_name(own.store.agent)) + " in cycle " +
             std::to_string(own.store.cycle) + ", which " + WriterText::core_name(store.agent) +
             " has not seen: it loaded the word in cycle " + std::to_string(own.loaded) + ". ",
         "Expected that one core changes the word, or that others wait meanwhile. Give each core a "
         "word of its own, or use atomics.",
         "\n  The other store:" + at(own.store.agent, own.store.pc));
}

}  // namespace tvp::checks
