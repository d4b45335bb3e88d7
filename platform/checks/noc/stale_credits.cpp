#include "platform/checks/noc/stale_credits.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds StaleCredits::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kRequest) | Probe::bit(Kind::kRead) | Probe::bit(Kind::kWritten) |
         Probe::bit(Kind::kProgramEnds);
}

void StaleCredits::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kRequest:
      if (!event.is_local) return;
      return event.request == ProbeEvent::Request::kAtomic ? atomic(event) : written(event);
    case Kind::kProgramEnds:
      return program_ends();
    default:
      if (words_.empty()) return;
      if (event.agent == BusMaster::kDebug || event.agent <= BusMaster::kT2) accessed(event);
  }
}

StaleCredits::Word* StaleCredits::known(std::uint64_t address, std::uint32_t bytes) {
  for (Word& word : words_)
    if (address < word.address + 4 && word.address < address + bytes) return &word;
  return nullptr;
}

void StaleCredits::atomic(const ProbeEvent& event) {
  const auto address = static_cast<std::uint32_t>(event.address) & ~3U;
  Word* word = known(address, 4);
  if (word == nullptr) {
    if (words_.size() == kMost) words_.erase(words_.begin());
    word = &words_.emplace_back(Word{.address = address});
  }
  if (!word->is_changed) word->before = value_of(*word);
  word->is_changed = true;
  if (word->is_incremented) return;
  word->is_incremented = true;
  word->increment = event;
  if (word->has_ended) report(*word);
}

/// A store is a reset.
void StaleCredits::accessed(const ProbeEvent& access) {
  if (access.kind == Kind::kWritten) return written(access);
  Word* const word = known(access.address, access.bytes);
  if (word == nullptr || !word->is_stale || access.agent == BusMaster::kDebug) return;
  if (word->is_incremented) word->is_stale = false;  // the core looks again
  word->load = access;
}

void StaleCredits::written(const ProbeEvent& write) {
  for (Word& word : words_)
    if (write.address < word.address + 4 && word.address < write.address + write.bytes)
      word.is_stale = word.is_changed = false;
}

/// The tile's program may end before other tiles of it increment the word. The next program ends
/// what is left of this one.
void StaleCredits::program_ends() {
  std::erase_if(words_, [](const Word& word) { return !word.is_changed; });
  for (Word& word : words_) {
    if (word.is_stale && word.is_incremented && word.load.bytes != 0) report(word);
    const bool has_ended =
        !word.has_ended && word.is_stale && !word.is_incremented && word.load.bytes != 0;
    word = {.address = word.address,
            .before = word.before,
            .is_changed = true,
            .is_stale = value_of(word) != word.before,
            .has_ended = has_ended,
            .load = has_ended ? word.load : ProbeEvent{}};
  }
  ask();
}

std::uint32_t StaleCredits::value_of(const Word& word) const {
  std::uint32_t value = 0;
  if (word.address + sizeof value <= tile_.l1.size())
    std::memcpy(&value, tile_.l1.data() + word.address, sizeof value);
  return value;
}

/// Requests the loads of cores around stale words.
void StaleCredits::ask() {
  range_.clear();
  for (const Word& word : words_)
    if (word.is_stale) range_.add(word.address, word.address + 4);
  range_.ask();
}

void StaleCredits::report(const Word& word) {
  const ProbeEvent& load = word.load;
  if (std::find(reported_.begin(), reported_.end(), load.pc) != reported_.end()) return;
  reported_.push_back(load.pc);
  const ProbeEvent& increment = word.increment;
  const WriterText text(tile_.chip, tile_.names, false);
  warn(load.agent,
       "went on in cycle " + std::to_string(load.cycle) + " because the word at " +
           foundation::hex(word.address) +
           " of L1 still held an increment of an earlier program. In this program, tile (" +
           std::to_string(increment.x0) + "," + std::to_string(increment.y0) +
           ") of NoC 0 increments it only in cycle " + std::to_string(increment.cycle) +
           ", and no core looks again. Expected a reset of the word between the programs. Reset "
           "it, or wait for a value that grows with each program." +
           at(load.agent, load.pc) + "\n  The increment:" +
           text.at(increment.x0, increment.y0, increment.core, increment.pc, increment.cycle));
}

}  // namespace tvp::checks
