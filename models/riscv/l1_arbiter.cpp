#include "models/riscv/l1_arbiter.h"

#include <algorithm>

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
  for (Turn turn = traffic_.next(); turn.at < now; turn = traffic_.next()) traffic_.pass(turn);
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

}  // namespace tvp::riscv
