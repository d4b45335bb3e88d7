#include "models/tensix/tile/core_mailboxes.h"

namespace tvp::tensix {

using support::BusMaster;
using support::MmioAccess;
using support::Watch;

namespace {
/// 0..3 for B, T0, T1, T2; other masters have no mailboxes.
unsigned index_of(BusMaster master) {
  switch (master) {
    case BusMaster::kB:
      return 0;
    case BusMaster::kT0:
      return 1;
    case BusMaster::kT1:
      return 2;
    case BusMaster::kT2:
      return 3;
    default:
      return CoreMailboxes::kCores;
  }
}
constexpr BusMaster kMasters[CoreMailboxes::kCores] = {BusMaster::kB, BusMaster::kT0,
                                                       BusMaster::kT1, BusMaster::kT2};
}  // namespace

void CoreMailboxes::access(MmioAccess& access) {
  const unsigned self = index_of(access.master);
  const unsigned partner = access.offset >> 12;
  if (self == kCores || partner >= kCores) {
    access.unmapped = true;
  } else if (access.write) {
    push(access, self, partner);
  } else if (access.offset & 4U) {
    access.data = box_[partner][self].empty() ? 0 : 1;
    access.watch = Watch::kMailbox;
  } else {
    pop(access, partner, self);
  }
}

void CoreMailboxes::push(MmioAccess& access, unsigned from, unsigned to) {
  unsigned written = 0;
  for (const Fifo& fifo : box_[from]) written += fifo.size();
  if (written >= kDepth) {
    access.blocked = true;
    access.watch = Watch::kMailbox;
    return;
  }
  box_[from][to].push(access.data);
  report(access, from, to);
  watch_hub_.changed(Watch::kMailbox, access.now, access.order);
}

void CoreMailboxes::pop(MmioAccess& access, unsigned from, unsigned to) {
  Fifo& fifo = box_[from][to];
  if (fifo.empty()) {
    access.blocked = true;
    access.watch = Watch::kMailbox;
    return;
  }
  access.data = fifo.front();
  fifo.pop();
  report(access, from, to);
  watch_hub_.changed(Watch::kMailbox, access.now, access.order);
}

void CoreMailboxes::report(const MmioAccess& access, unsigned from, unsigned to) const {
  using Kind = support::ProbeEvent::Kind;
  if (probe_ == nullptr || !probe_->wants(Kind::kMailbox)) return;
  probe_->report({.kind = Kind::kMailbox,
                  .agent = kMasters[to],
                  .core = kMasters[from],
                  .pc = probe_->pc_of(access.master),
                  .packets = size(from, to),
                  .is_written = access.write,
                  .cycle = access.now});
}

void CoreMailboxes::reset_writer(unsigned core, support::Cycle now, unsigned order) {
  for (Fifo& fifo : box_[core]) fifo.clear();
  watch_hub_.changed(Watch::kMailbox, now, order);
}

}  // namespace tvp::tensix
