#pragma once

#include <algorithm>
#include <random>

#include "models/support/tile_scheduler.h"
#include "tests/unit/noc/noc_bench.h"

namespace tvp::noc {

/// A core with random NoC accesses that depend on the data it reads. Any change of order or time
/// changes all later accesses.
class TrafficCore : public support::Agent {
 public:
  TrafficCore(NocBench& bench, TestTile& tile, std::uint64_t seed)
      : bench_(bench), tile_(tile), random_(seed) {
    tile.scheduler.add(*this);
    set_next(bench.calendar.now() + seed % 7);
    bench.calendar.tile_woken(tile.index);
  }

  void run() override {
    while (may_act(next())) {
      step(next());
      set_next(next() + 1 + (hash_ ^ random_()) % 40);
    }
  }
  /// Broadcasts need whole trees; without them, traffic is unicast only.
  void stop() { stopped_ = true; }
  std::uint64_t hash() const { return hash_; }
  std::uint64_t issued() const { return issued_; }

 private:
  void mix(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x9E3779B97F4A7C15ULL + 1; }

  void step(support::Cycle now) {
    using namespace regs::noc;
    const unsigned noc = random_() & 1;
    mix(tile_.load(noc, counter_offset(static_cast<std::uint32_t>(random_() % kCounters)), now));
    mix(tile_.word(static_cast<std::uint32_t>(random_() % TestTile::kMemoryBytes) & ~3U));
    mix(now);
    if (stopped_) return;
    const auto initiator = static_cast<unsigned>(random_() & 3);
    // A request that is being split excludes all others.
    if (tile_.load(noc, kInitiatorStatus, now) != 0) return;
    issue(noc, initiator, now);
  }

  void issue(unsigned noc, unsigned initiator, support::Cycle now) {
    using namespace regs::noc;
    const auto& others = bench_.tiles;
    TestTile& other = *others[(hash_ >> 8 ^ random_()) % others.size()];
    const bool memory_only = !has_l1(other.niu[0]->place().type);
    const std::uint32_t there = bench_.mid(noc, other);
    const std::uint32_t here = bench_.mid(noc, tile_);
    const auto from = static_cast<std::uint32_t>(random_() % 0x7000) & ~31U;
    const auto to = static_cast<std::uint32_t>(0x8000 + random_() % 0x3000) & ~31U;
    const std::uint32_t sizes[] = {4, 32, 64, 500, 1024, 8192, 10016};
    const std::uint32_t bytes = sizes[random_() % 7];
    const std::uint32_t vc =
        random_() % 3 == 0 ? 0 : static_vc(static_cast<unsigned>(random_() & 3));
    const std::uint32_t marked = random_() & 1 ? kCmdRespMarked : 0;
    Command c;
    c.tag = static_cast<std::uint32_t>(random_() & 15) << kTagTransactionIdShift;
    c.targ_mid = here;
    c.ret_mid = there;
    c.targ_lo = from;
    c.ret_lo = to;
    c.at_len_be = bytes;
    c.at_data = static_cast<std::uint32_t>(random_());
    switch (random_() % (memory_only ? 2 : 5)) {
      case 0:
        c.ctrl = kCmdWr | vc | marked;
        break;
      case 1:
        c.ctrl = kCmdRd | kCmdRespMarked | vc;
        std::swap(c.targ_mid, c.ret_mid);
        break;
      case 2:
        c.ctrl = kCmdWr | kCmdWrInline | vc | marked;
        c.targ_mid = there;
        c.at_len_be = static_cast<std::uint32_t>(random_());
        break;
      case 3:
        c.ctrl = kCmdAt | vc | marked;
        c.targ_mid = there;
        c.ret_mid = here;
        c.at_len_be = at_increment(static_cast<std::uint32_t>(random_() & 3));
        break;
      default:
        // Trees without reservation may block each other forever.
        c.ctrl = kCmdWr | kCmdBrcstPacket | kCmdPathReserve | marked |
                 (random_() & 1 ? kCmdBrcstXy : 0) | (random_() & 1 ? kCmdBrcstSrcInclude : 0);
        c.at_len_be = std::min(bytes, 1024U);
        c.ret_mid = rectangle(noc, other);
        break;
    }
    write(noc, initiator, c, now);
    ++issued_;
  }

  /// A rectangle with the own and the other tile as corners; it may wrap.
  std::uint32_t rectangle(unsigned noc, const TestTile& other) const {
    const Node from = tile_.niu[noc]->place().node();
    const Node to = other.niu[noc]->place().node();
    return regs::noc::mid_broadcast(from.x, from.y, to.x, to.y);
  }

  void write(unsigned noc, unsigned initiator, const Command& c, support::Cycle now) {
    using namespace regs::noc;
    const std::uint32_t base = initiator * kCmdBufOffset;
    tile_.store(noc, base + kCtrl, c.ctrl, now);
    tile_.store(noc, base + kTargAddrLo, c.targ_lo, now);
    tile_.store(noc, base + kTargAddrMid, c.targ_mid, now);
    tile_.store(noc, base + kRetAddrLo, c.ret_lo, now);
    tile_.store(noc, base + kRetAddrMid, c.ret_mid, now);
    tile_.store(noc, base + kAtLenBe, c.at_len_be, now);
    tile_.store(noc, base + kAtData, c.at_data, now);
    tile_.store(noc, base + kPacketTag, c.tag, now);
    tile_.store(noc, base + kCmdCtrl, 1, now);
  }

  NocBench& bench_;
  TestTile& tile_;
  std::mt19937_64 random_;
  std::uint64_t hash_ = 0;
  std::uint64_t issued_ = 0;
  bool stopped_ = false;
};

}  // namespace tvp::noc
