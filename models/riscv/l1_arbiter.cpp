#include "models/riscv/l1_arbiter.h"

#include <algorithm>

namespace tvp::riscv {

using support::BusMaster;
using support::Cycle;
using support::kNever;

/// Of the cores that are there when the port is free, the next one in turn.
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

void L1Arbiter::note(std::uint32_t address, Cycle emitted) {
  passes({.from = emitted, .bank = bank_of(address)});
}

L1Arbiter::Passing L1Arbiter::store(BusMaster core, std::uint32_t address, Cycle now,
                                    Cycle earliest) {
  const auto index = static_cast<unsigned>(core);
  settle(now);
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

// It waits for what has begun, not for stores to come.
Cycle L1Arbiter::free_for_load(unsigned core, std::uint32_t address, Cycle t) const {
  const unsigned port = port_of(core);
  const Place& bank = traffic_.banks[bank_of(address)];
  const bool own = traffic_.ports[port].last == core;
  return std::max({t, port_read_[port], own ? 0 : traffic_.ports[port].free,
                   bank.last == port ? 0 : bank.free});
}

Cycle L1Arbiter::load(BusMaster core, std::uint32_t address, Cycle t) {
  const auto index = static_cast<unsigned>(core);
  settle(t);
  const Cycle at = free_for_load(index, address, t);
  port_read_[port_of(index)] = at + 1;
  return at - t;
}

// What has passed has passed whoever asks.
bool L1Arbiter::store_alone(BusMaster core, std::uint32_t address, Cycle now, Cycle at) {
  const auto index = static_cast<unsigned>(core);
  const unsigned bank = bank_of(address);
  settle(now);
  const Queue& queue = traffic_.queues[index];
  if ((traffic_.waiting & ~(1U << index)) != 0 || queue.count == kMostPending) return false;
  Cycle free = traffic_.ports[port_of(index)].free;
  for (unsigned i = 0; i < queue.count; ++i) {
    const Pending& store = queue.at(i);
    if (std::max(free, traffic_.banks[store.bank].free) > store.ready) return false;
    free = store.ready + kStoreCycles;
  }
  if (std::max(free, traffic_.banks[bank].free) > at) return false;
  traffic_.push(index, {at, bank});
  held_until_ = std::max(held_until_, at + kStoreCycles);
  return true;
}

bool L1Arbiter::load_alone(BusMaster core, std::uint32_t address, Cycle t) {
  const auto index = static_cast<unsigned>(core);
  settle(t);
  if (free_for_load(index, address, t) != t) return false;
  port_read_[port_of(index)] = t + 1;
  return true;
}

std::size_t L1Arbiter::find_holds(Cycle begin) {
  std::size_t count = 0;
  const std::size_t kept = std::min<std::size_t>(passed_count_, kMostHolds);
  for (std::size_t i = 1; i <= kept; ++i) {
    const Hold& hold = passed_[(passed_count_ - i) % kMostHolds];
    if (hold.from + kStoreCycles + kDisorder <= begin) break;
    if (hold.from + kStoreCycles > begin) found_[count++] = hold;
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
  const std::size_t count = held_until_ <= stream.begin ? 0 : find_holds(stream.begin);
  for (std::size_t first = 0; first < count && stream.words != 0 && stream.begin < until;) {
    const std::uint32_t words = std::min(stream.lanes, stream.words);
    Cycle at = stream.begin;
    for (std::size_t i = first; i < count && found_[i].from <= stream.begin; ++i) {
      for (std::uint32_t word = 0; word < words; ++word) {
        if (found_[i].keeps((stream.word + word) % kBanks, stream.begin))
          at = std::max(at, found_[i].from + kStoreCycles);
      }
    }
    stream.pass(1, at + 1);
    while (first < count && found_[first].from + kStoreCycles <= stream.begin) ++first;
  }
  if (stream.begin >= until) return;
  const Cycle turns = std::min(stream.turns(), until - stream.begin);
  stream.pass(static_cast<std::uint32_t>(turns), stream.begin + turns);
}

}  // namespace tvp::riscv
