#include "models/riscv/execute/l1_arbiter.h"

#include <algorithm>
#include <bit>

namespace tvp::riscv {

using support::BusMaster;
using support::Cycle;
using support::kNever;

/// The next core in turn among those that wait when the port is free.
L1Arbiter::Turn L1Arbiter::Traffic::next_of(unsigned port) const {
  Cycle first = kNever;
  for (unsigned core = 0; core < kCores; ++core) {
    if (port_of(core) != port || queues[core].count == 0) continue;
    first = std::min(first, std::max(queues[core].at(0).ready, ports[port].free));
  }
  if (first == kNever) return {};
  for (unsigned i = 1; i <= kCores; ++i) {
    const unsigned core = (ports[port].last + i) % kCores;
    const Queue& queue = queues[core];
    if (port_of(core) != port || queue.count == 0 || queue.at(0).ready > first) continue;
    return {std::max(first, banks[queue.at(0).bank].free), core};
  }
  return {};
}

L1Arbiter::Turn L1Arbiter::Traffic::next_of_all() const {
  const Turn a = next_of(0), b = next_of(1);
  if (a.at != b.at || a.at == kNever) return a.at <= b.at ? a : b;
  return banks[queues[a.core].at(0).bank].last == 0 ? b : a;
}

void L1Arbiter::put_last_in_order() {
  const Hold hold = passed_.back();
  std::size_t at = passed_.size() - 1;
  for (; at > 0 && passed_[at - 1].from > hold.from; --at) passed_[at] = passed_[at - 1];
  passed_[at] = hold;
}

void L1Arbiter::drop_passed() {
  const Cycle from = asked_from();
  const auto last = passed_.end() - static_cast<std::ptrdiff_t>(kMostHolds);
  const auto over = std::remove_if(passed_.begin(), last, [&](const Hold& old) {
    return old.until() <= from ||
           !heard_.meets(old.from - std::min(old.from, kMostLate), old.until());
  });
  passed_.erase(over, last);
  most_passed_ = std::max(2 * kMostHolds, 2 * passed_.size());
}

void L1Arbiter::drop_reads(unsigned core) { reads_.forget(core, heard_, asked_from()); }

void L1Arbiter::note(std::uint32_t address, Cycle emitted) {
  read_log();
  passes({.from = emitted, .bank = bank_of(address)});
}

void L1Arbiter::polls(BusMaster core, Cycle since, Cycle period, const std::vector<Polled>& reads) {
  polls_no_more(core, since);
  auto& polls = reads_.polls(static_cast<unsigned>(core), since, period, heard_, asked_from());
  for (const Polled& read : reads) polls.push_back({read.offset, bank_of(read.address)});
  ++pollers_;
}

void L1Arbiter::polls_no_more(BusMaster core, Cycle until) {
  if (!reads_.polls_no_more(static_cast<unsigned>(core), until)) return;
  --pollers_;
  held_until_ = std::max(held_until_, until);
}

void L1Arbiter::reset(BusMaster core, Cycle now) {
  reads_.forget_from(static_cast<unsigned>(core), now);
}

L1Arbiter::Passing L1Arbiter::store(BusMaster core, std::uint32_t address, Cycle now,
                                    Cycle earliest) {
  const auto index = static_cast<unsigned>(core);
  settle(now);
  lone_ = kCores;
  Queue& queue = traffic_.queues[index];
  if (queue.count == kMostPending) queue.pop();  // no store queue is as long
  traffic_.push(index, {earliest, bank_of(address)});
  Passing passing;
  if (traffic_.waiting == 1U << index) {
    Cycle free = traffic_.ports[port_of(index)].free;
    for (unsigned i = 0; i < queue.count; ++i) {
      const Pending& store = queue.at(i);
      const Cycle at = std::max({store.ready, free, traffic_.banks[store.bank].free});
      passing.at[passing.count++] = at;
      free = at + kStoreCycles;
    }
    held_until_ = std::max(held_until_, free);
    return passing;
  }
  Traffic ahead = traffic_;
  while (ahead.queues[index].count > 0) {
    const Turn turn = ahead.next();
    if (turn.core == index) passing.at[passing.count++] = turn.at;
    ahead.pass(turn);
    held_until_ = std::max(held_until_, turn.at + kStoreCycles);
  }
  return passing;
}

Cycle L1Arbiter::load(BusMaster core, std::uint32_t address, Cycle t) {
  const auto index = static_cast<unsigned>(core);
  settle(t);
  const Cycle at = free_for_load(index, address, t);
  port_read_[port_of(index)] = at + 1;
  return at - t;
}

// Passed accesses stay passed, for all cores.
bool L1Arbiter::becomes_lone(unsigned core, Cycle now) {
  settle(now);
  if ((traffic_.waiting & ~(1U << core)) != 0) return false;
  Queue& queue = traffic_.queues[core];
  Cycle free = traffic_.ports[port_of(core)].free;
  for (unsigned i = 0; i < queue.count; ++i) {
    const Pending& store = queue.at(i);
    if (std::max(free, traffic_.banks[store.bank].free) > store.ready) return false;
    free = store.ready + kStoreCycles;
  }
  lone_ = core;
  lone_free_ = free;
  for (; queue.count != 0; queue.pop()) log_[kMostPending + logged_++] = queue.at(0);
  traffic_.waiting = 0;
  logged_at_ = now;
  return true;
}

/// Logged accesses pass at the times that their core has computed. Those that had not passed when
/// the last one was made still wait.
void L1Arbiter::play_log() {
  const auto begin = log_.begin() + kMostPending, end = begin + logged_;
  logged_ = 0;
  const unsigned port = port_of(lone_);
  for (auto store = begin; store != end; ++store) {
    if (store->ready >= logged_at_) {
      traffic_.push(lone_, *store);
      continue;
    }
    const Cycle over = store->ready + kStoreCycles;
    passes({.from = store->ready, .bank = store->bank});
    traffic_.ports[port] = {over, lone_};
    traffic_.banks[store->bank] = {over, port};
  }
  lone_ = kCores;
}

void L1Arbiter::find_holds(Cycle begin) {
  read_log();
  found_.clear();
  for (std::size_t i = passed_.size(); i-- > 0;) {
    const Hold& hold = passed_[i];
    if (hold.until() <= begin) break;
    found_.push_back(hold);
  }
  if (traffic_.waiting != 0) {
    Traffic ahead = traffic_;
    for (Turn turn = ahead.next(); turn.at != kNever; turn = ahead.next()) {
      found_.push_back(ahead.hold(turn));
      ahead.pass(turn);
    }
  }
  std::sort(found_.begin(), found_.end(), [](const Hold& a, const Hold& b) {
    return a.from != b.from ? a.from < b.from : a.bank < b.bank;
  });
}

L1Arbiter::Banks L1Arbiter::banks_of(const Stream& stream) {
  const std::uint32_t words = std::min(stream.lanes, stream.words);
  return std::rotl(static_cast<Banks>((1U << words) - 1), static_cast<int>(stream.word % kBanks));
}

bool L1Arbiter::loses(Stream& stream, Banks read) {
  const bool lost = (read & ~stream.refused) != 0;
  stream.refused = static_cast<Banks>(stream.refused ^ read);
  return lost;
}

// A word waits for the store that holds its bank; then it has priority over other waiting accesses.
// Future reads are not considered, since the actions of a core that wakes up are not known in time.
void L1Arbiter::pass(Stream& stream, Cycle until) {
  if (held_until_ > stream.begin) {
    find_holds(stream.begin);
  } else {
    found_.clear();
  }
  auto hold = found_.begin();
  L1Reads::Found read;
  Cycle base = 0, known_until = 0;
  bool any_read = false;
  while (stream.words != 0 && stream.begin < until) {
    const Cycle at = stream.begin;
    if (at >= known_until) {
      base = at;
      known_until = until == kNever ? kNever : std::min(until, at + L1Reads::kCycles);
      any_read = until != kNever && reads_.find(base, known_until, heard_, read);
    }
    if (!any_read && hold == found_.end()) {
      const Cycle turns = std::min(stream.turns(), known_until - at);
      stream.pass(static_cast<std::uint32_t>(turns), at + turns);
      continue;
    }
    const Banks banks = banks_of(stream);
    Cycle free = at;
    for (auto other = hold; other != found_.end() && other->from <= at; ++other) {
      if (other->keeps(banks, at)) free = std::max(free, other->until());
    }
    if (free == at && any_read) {
      const auto met = static_cast<Banks>(read[at - base] & banks);
      if (met != 0 && loses(stream, met)) ++free;
    }
    stream.pass(1, free + 1);
    while (hold != found_.end() && hold->until() <= stream.begin) ++hold;
  }
}

}  // namespace tvp::riscv
