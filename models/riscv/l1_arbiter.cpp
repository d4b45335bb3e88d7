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
  return {
      .from = turn.at, .until = turn.at + kStoreCycles, .bank = queues[turn.core].stores[0].bank};
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
  passed_[passed_count_++ % kMostHolds] = hold;
  held_until_ = std::max(held_until_, hold.until);
}

void L1Arbiter::note(std::uint32_t address, Cycle emitted) {
  passes({.from = emitted, .until = emitted + kStoreCycles, .bank = bank_of(address)});
}

void L1Arbiter::note_read(std::uint32_t address, Cycle at) {
  passes({.from = at, .until = at + 1, .bank = bank_of(address)});
}

// ---- Polls --------------------------------------------------------------------------------------

Cycle L1Arbiter::Poll::next(const Read& read, Cycle begin, Cycle turns, Cycle phase) const {
  const Cycle first = since + read.offset;
  Cycle at = first >= begin ? first : first + (begin - first + period - 1) / period * period;
  for (Cycle turn = 0; turn < turns && at < until; ++turn, at += period) {
    if (at % turns == phase) return at;
  }
  return kNever;
}

void L1Arbiter::polls(BusMaster core, Cycle since, Cycle period, const std::vector<Polled>& loads) {
  polls_no_more(core, since);
  auto& [present, before] = polls_[static_cast<unsigned>(core)];
  std::swap(present, before);
  present.since = since;
  present.until = kNever;
  present.period = period;
  present.reads.clear();
  for (const Polled& load : loads) present.reads.push_back({load.offset, bank_of(load.address)});
  ++pollers_;
}

void L1Arbiter::polls_no_more(BusMaster core, Cycle until) {
  Poll& present = polls_[static_cast<unsigned>(core)][0];
  if (present.until != kNever) return;
  present.until = until;
  --pollers_;
  held_until_ = std::max(held_until_, until);
}

// Without a gap a bank comes again after as many cycles as all of them take.
Cycle L1Arbiter::meets_poll(const Stream& stream) const {
  const Cycle turns = kBanks / stream.lanes;
  Cycle first = kNever;
  for (const auto& of_core : polls_) {
    for (const Poll& poll : of_core) {
      if (poll.until <= stream.begin) continue;
      for (const Poll::Read& read : poll.reads) {
        const Cycle in = (read.bank + kBanks - stream.word % kBanks) % kBanks / stream.lanes;
        first = std::min(first, poll.next(read, stream.begin, turns, (stream.begin + in) % turns));
      }
    }
  }
  return first;
}

L1Arbiter::Banks L1Arbiter::polled(Cycle at) const {
  unsigned banks = 0;
  for (const auto& of_core : polls_) {
    for (const Poll& poll : of_core) {
      if (at >= poll.until) continue;
      for (const Poll::Read& read : poll.reads) {
        const Cycle first = poll.since + read.offset;
        if (at >= first && (at - first) % poll.period == 0) banks |= 1U << read.bank;
      }
    }
  }
  return static_cast<Banks>(banks);
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

std::size_t L1Arbiter::find_holds(Cycle begin) {
  std::size_t count = 0;
  const std::size_t kept = std::min<std::size_t>(passed_count_, kMostHolds);
  for (std::size_t i = 1; i <= kept; ++i) {
    const Hold& hold = passed_[(passed_count_ - i) % kMostHolds];
    if (hold.from + kStoreCycles + kDisorder <= begin) break;
    if (hold.until > begin) found_[count++] = hold;
  }
  Traffic ahead = traffic_;
  for (Turn turn = ahead.next(); turn.at != kNever; turn = ahead.next()) {
    found_[count++] = ahead.hold(turn);
    ahead.pass(turn);
  }
  std::sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Hold& a, const Hold& b) {
              return a.from != b.from ? a.from < b.from : a.bank < b.bank;
            });
  return count;
}

// A word waits for the store that has its bank; then it is its turn, whatever else waits there.
void L1Arbiter::pass(Stream& stream, Cycle until) {
  Banks refused = refused_;
  const auto loses = [&](Banks to) {
    const bool lost = (to & ~refused) != 0;
    refused = static_cast<Banks>(refused ^ to);
    return lost;
  };
  const auto banks_of_turn = [&] {
    const std::uint32_t words = std::min(stream.lanes, stream.words);
    return std::rotl(static_cast<Banks>((1U << words) - 1), static_cast<int>(stream.word % kBanks));
  };
  const std::size_t count = held_until_ <= stream.begin ? 0 : find_holds(stream.begin);
  for (std::size_t first = 0; first < count && stream.words != 0 && stream.begin < until;) {
    const Banks banks = banks_of_turn();
    Cycle at = stream.begin;
    auto read = static_cast<Banks>(polled(at) & banks);
    for (std::size_t i = first; i < count && found_[i].from <= stream.begin; ++i) {
      const Banks kept = found_[i].keeps(banks, stream.begin);
      if (kept == 0) continue;
      if (found_[i].is_read()) {
        read |= kept;
      } else {
        at = std::max(at, found_[i].until);
      }
    }
    if (at == stream.begin && read != 0 && loses(read)) ++at;
    stream.pass(1, at + 1);
    while (first < count && found_[first].until <= stream.begin) ++first;
  }
  while (stream.words != 0 && stream.begin < until) {
    const Cycle meets = meets_poll(stream);
    const Cycle turns = std::min(stream.turns(), std::min(meets, until) - stream.begin);
    stream.pass(static_cast<std::uint32_t>(turns), stream.begin + turns);
    if (meets >= until || stream.words == 0) break;
    const auto read = static_cast<Banks>(polled(meets) & banks_of_turn());
    stream.pass(1, meets + (loses(read) ? 2 : 1));
  }
  if (until != kNever) refused_ = refused;
}

}  // namespace tvp::riscv
