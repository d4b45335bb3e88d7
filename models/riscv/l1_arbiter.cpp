#include "models/riscv/l1_arbiter.h"

#include <algorithm>
#include <bit>

namespace tvp::riscv {

using support::BusMaster;
using support::Cycle;
using support::kNever;

void L1Arbiter::Queue::pop() {
  std::copy(stores.begin() + 1, stores.begin() + count, stores.begin());
  --count;
}

/// Of the cores that are there when the port is free, the next one in turn.
L1Arbiter::Turn L1Arbiter::Traffic::next_of(unsigned port) const {
  Cycle first = kNever;
  for (unsigned core = 0; core < kCores; ++core) {
    if (port_of(core) != port || queues[core].count == 0) continue;
    first = std::min(first, std::max(queues[core].stores[0].ready, ports[port].free));
  }
  if (first == kNever) return {};
  for (unsigned i = 1; i <= kCores; ++i) {
    const unsigned core = (ports[port].last + i) % kCores;
    const Queue& queue = queues[core];
    if (port_of(core) != port || queue.count == 0 || queue.stores[0].ready > first) continue;
    return {std::max(first, banks[queue.stores[0].bank].free), core};
  }
  return {};
}

L1Arbiter::Turn L1Arbiter::Traffic::next() const {
  const Turn a = next_of(0), b = next_of(1);
  if (a.at != b.at || a.at == kNever) return a.at <= b.at ? a : b;
  return banks[queues[a.core].stores[0].bank].last == 0 ? b : a;
}

L1Arbiter::Hold L1Arbiter::Traffic::hold(const Turn& turn) const {
  return {.from = turn.at, .bank = queues[turn.core].stores[0].bank};
}

void L1Arbiter::Traffic::pass(const Turn& turn) {
  const unsigned port = port_of(turn.core);
  const unsigned bank = queues[turn.core].stores[0].bank;
  ports[port] = {turn.at + kStoreCycles, turn.core};
  banks[bank] = {turn.at + kStoreCycles, port};
  Queue& queue = queues[turn.core];
  queue.pop();
  // A core emits its next one no sooner than this one has passed.
  if (queue.count > 0) {
    queue.stores[0].ready = std::max(queue.stores[0].ready, turn.at + kStoreCycles);
  }
}

/// What passes before cycle `now` has passed for good.
void L1Arbiter::settle(Cycle now) {
  for (Turn turn = traffic_.next(); turn.at < now; turn = traffic_.next()) {
    passes(traffic_.hold(turn));
    traffic_.pass(turn);
  }
}

void L1Arbiter::passes(const Hold& hold) {
  if (passed_.size() == most_passed_) {
    const Cycle from = asked_from();
    const auto last = passed_.end() - static_cast<std::ptrdiff_t>(kMostHolds);
    const auto over = std::remove_if(passed_.begin(), last, [&](const Hold& old) {
      return old.until() <= from ||
             !heard_.meets(old.from - std::min(old.from, kMostLate), old.until());
    });
    passed_.erase(over, last);
    most_passed_ = std::max(2 * kMostHolds, 2 * passed_.size());
  }
  passed_.push_back(hold);
  held_until_ = std::max(held_until_, hold.until());
}

void L1Arbiter::note(std::uint32_t address, Cycle emitted) {
  passes({.from = emitted, .bank = bank_of(address)});
}

void L1Arbiter::note_read(BusMaster core, std::uint32_t address, Cycle at) {
  const auto index = static_cast<unsigned>(core);
  if (reads_.is_full(index)) reads_.forget(index, heard_, asked_from());
  reads_.note(index, bank_of(address), at);
  held_until_ = std::max(held_until_, at + 1);
}

void L1Arbiter::polls(BusMaster core, Cycle since, Cycle period, const std::vector<Polled>& reads) {
  polls_no_more(core, since);
  auto& told = reads_.polls(static_cast<unsigned>(core), since, period, heard_, asked_from());
  for (const Polled& read : reads) told.push_back({read.offset, bank_of(read.address)});
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
  Queue& queue = traffic_.queues[index];
  if (queue.count == kMostPending) traffic_.queues[index].pop();  // no store queue is as long
  queue.push({earliest, bank_of(address)});
  Passing passing;
  Traffic ahead = traffic_;
  while (ahead.queues[index].count > 0) {
    const Turn turn = ahead.next();
    if (turn.core == index) passing.at[passing.count++] = turn.at;
    ahead.pass(turn);
    held_until_ = std::max(held_until_, turn.at + kStoreCycles);
  }
  return passing;
}

// It waits for what has begun, not for stores to come.
Cycle L1Arbiter::load(BusMaster core, std::uint32_t address, Cycle t) {
  settle(t);
  const unsigned port = port_of(static_cast<unsigned>(core));
  const unsigned bank = bank_of(address);
  const bool own = traffic_.ports[port].last == static_cast<unsigned>(core);
  const Cycle at = std::max({t, port_read_[port], own ? 0 : traffic_.ports[port].free,
                             traffic_.banks[bank].last == port ? 0 : traffic_.banks[bank].free});
  port_read_[port] = at + 1;
  return at - t;
}

void L1Arbiter::find_holds(Cycle begin) {
  found_.clear();
  for (std::size_t i = passed_.size(); i-- > 0;) {
    const Hold& hold = passed_[i];
    if (hold.until() + kDisorder <= begin) break;
    if (hold.until() > begin) found_.push_back(hold);
  }
  if (traffic_.waits()) {
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

// A word waits for the store that has its bank; then it is its turn, whatever else waits there.
// Reads to come are not foreseen: what a core will do when it wakes is not known to all alike.
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
