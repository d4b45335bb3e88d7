#include "platform/checks/noc/lost_updates.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

LostUpdates::LostUpdates(const TileContext& tile) : Check(tile) {
  if (tile.is_tensix() && tile.probe != nullptr) range_ = tile.probe->add_range();
}

Probe::Kinds LostUpdates::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kRequest) | Probe::bit(Kind::kRead) | Probe::bit(Kind::kWritten) |
         Probe::bit(Kind::kProgramEnds);
}

void LostUpdates::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kRequest:
      if (!event.is_local) return;
      return event.request == ProbeEvent::Request::kAtomic ? changed(event) : accessed(event);
    case Kind::kProgramEnds:
      words_.clear();
      return ask();
    default:
      if (event.address < end_ && begin_ < event.address + event.bytes) accessed(event);
  }
}

void LostUpdates::changed(const ProbeEvent& atomic) {
  const auto address = static_cast<std::uint32_t>(atomic.address) & ~3U;
  for (Word& word : words_) {
    if (word.address != address) continue;
    if (!word.is_unseen) word.atomic = atomic;
    word.is_unseen = true;
    return;
  }
  if (words_.size() == kMost) words_.erase(words_.begin());
  words_.push_back({.address = address, .is_unseen = true, .atomic = atomic});
  ask();
}

/// Requests the accesses of cores around the words.
void LostUpdates::ask() {
  begin_ = ~0U;
  end_ = 0;
  for (const Word& word : words_) {
    begin_ = std::min(begin_, word.address);
    end_ = std::max(end_, word.address + 4);
  }
  if (tile_.probe != nullptr) tile_.probe->want_core_accesses(range_, begin_, end_);
}

/// A write of the host or of another tile counts as an agreed reset. Its NIU also reports what it
/// does in L1.
void LostUpdates::accessed(const ProbeEvent& access) {
  const bool is_of_niu = access.agent == BusMaster::kNoc0 || access.agent == BusMaster::kNoc1;
  if (is_of_niu && access.kind != Kind::kRequest) return;
  const bool is_store = access.kind == Kind::kWritten && access.agent <= BusMaster::kT2;
  for (Word& word : words_) {
    if (!word.is_unseen || access.address >= word.address + 4 ||
        access.address + access.bytes <= word.address)
      continue;
    if (is_store) report(word, access);
    word.is_unseen = false;
  }
}

void LostUpdates::report(const Word& word, const ProbeEvent& store) {
  if (std::find(reported_.begin(), reported_.end(), store.pc) != reported_.end()) return;
  reported_.push_back(store.pc);
  const ProbeEvent& atomic = word.atomic;
  const WriterText text(tile_.chip, tile_.names, false);
  warn(store.agent,
       "a store in cycle " + std::to_string(store.cycle) + " to the word at " +
           foundation::hex(word.address) + " of L1 overwrites the increment by tile (" +
           std::to_string(atomic.x0) + "," + std::to_string(atomic.y0) +
           ") of NoC 0, which came in cycle " + std::to_string(atomic.cycle) +
           " and which no core has seen. Expected a load of the word between the increment and the "
           "store, or no store. Subtract by an atomic, or reset the word before its senders may "
           "increment it." +
           at(store.agent, store.pc) + "\n  The increment:" +
           text.at(atomic.x0, atomic.y0, atomic.core, atomic.pc, atomic.cycle));
}

}  // namespace tvp::checks
