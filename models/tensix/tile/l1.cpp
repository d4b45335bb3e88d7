#include "models/tensix/tile/l1.h"

#include <algorithm>
#include <new>
#include <span>

namespace tvp::tensix {

namespace {

/// An unpacker moves words on all its lanes at once, so two unpackers delay each other by more than
/// their turns on one lane (ISA UNPACR_Regular.md, performance). Here the later one waits for the
/// earlier one. Both together then take as long as the documented rates say.
bool is_lane_of_unpackers(std::uint8_t port) { return port >= 9 && port <= 11; }

/// Cycles that unpacker 1 loses while unpacker 0 does not use the lanes of both: every fifth. Its
/// own port has a third client, the ECC scrubber, whose atomics take five cycles (ISA L1.md).
/// Measurements show one atomic in 25 cycles. With a tile of SrcA for three to six of SrcB, each
/// SrcB tile takes 40 cycles (TF32: 80) alone, where a SrcA tile takes 32 and 64. The source is
/// tt-metal tt_metal/tt-llk/docs/
/// perf_evaluation/results/wormhole-nonsol/data/serial_replay_movers.csv, by depth. Unpacker 0
/// moves its words meanwhile. Rates below four words a cycle were not measured, and lose nothing.
support::Cycle lost_to_scrubber(L1Client client, std::size_t lanes, support::Cycle turns) {
  constexpr support::Cycle kTurnsBetween = 20, kAtomic = 5;
  const bool loses = client == L1Client::kUnpacker1 && lanes == 4;
  return loses ? turns * kAtomic / kTurnsBetween : 0;
}

/// Kind of a client at the banks. kCount: cores, whose loads do not compete for ports either, and
/// units that move few bytes (both assumed).
L1Banks::Kind kind_at_banks(L1Client client) {
  switch (client) {
    case L1Client::kUnpacker0:
    case L1Client::kUnpacker1:
      return L1Banks::Kind::kUnpacker;
    case L1Client::kPacker0:
    case L1Client::kPacker1:
    case L1Client::kPacker2:
    case L1Client::kPacker3:
      return L1Banks::Kind::kPacker;
    case L1Client::kNoc0Write:
    case L1Client::kNoc0Read:
    case L1Client::kNoc1Write:
    case L1Client::kNoc1Read:
      return L1Banks::Kind::kNiu;
    default:
      return L1Banks::Kind::kCount;
  }
}

/// Number of 16-byte words that the bytes touch.
std::uint32_t words_of(std::uint32_t address, std::uint32_t bytes) {
  return (address + std::max(bytes, 1U) - 1) / L1::kWordBytes - address / L1::kWordBytes + 1;
}

}  // namespace

L1::L1(std::uint32_t size_bytes, support::WatchHub& watch_hub, Generation generation)
    : size_bytes_(size_bytes),
      ports_of_(L1Ports::of(generation)),
      bytes_(static_cast<std::uint8_t*>(std::calloc(size_bytes, 1))),
      watch_hub_(watch_hub) {
  if (!bytes_) throw std::bad_alloc();
}

support::Cycle L1::reserve(L1Client client, std::uint32_t address, std::uint32_t bytes, bool write,
                           unsigned beats_per_cycle, support::Cycle now) {
  if (write && bytes < kWordBytes) {
    return occupy(client,
                  {.first = address / kWordBytes, .count = 1, .turn = kReadModifyWriteCycles}, now);
  }
  return occupy(client,
                {.first = address / kWordBytes,
                 .count = words_of(address, bytes),
                 .most_lanes = beats_per_cycle},
                now);
}

support::Cycle L1::reserve_rows(L1Client client, const L1Rows& rows, unsigned lanes,
                                support::Cycle now) {
  const std::uint32_t words = rows.words(), together = rows.at_once(lanes);
  if (together == 1) {
    support::Cycle end = now;
    for (std::uint32_t row = 0; row < rows.count; ++row)
      end = reserve(client, rows.address + row * rows.stride, rows.bytes, false, lanes, end);
    return end;
  }
  return occupy(client,
                {.first = rows.address / kWordBytes,
                 .count = rows.count * words,
                 .most_lanes = together * words,
                 .turn = rows.turn(lanes),
                 .of_row = words,
                 .between_rows = rows.stride / kWordBytes - words},
                now);
}

support::Cycle L1::accumulate(L1Client client, std::uint32_t address, std::uint32_t bytes,
                              unsigned cycles, support::Cycle now) {
  return occupy(client,
                {.first = address / kWordBytes, .count = words_of(address, bytes), .turn = cycles},
                now);
}

support::Cycle L1::occupy(L1Client client, const Words& moved, support::Cycle now) {
  const std::uint32_t words = moved.count;
  const support::Cycle turn = moved.turn;
  const std::span<const std::uint8_t> ports = ports_of_.of(client);
  const std::size_t lanes = std::clamp<std::size_t>(moved.most_lanes, 1, ports.size());
  support::Cycle& own = client_free_[static_cast<std::size_t>(client)];
  const support::Cycle start = std::max(now, own);
  const support::Cycle turns = (words + lanes - 1) / lanes;
  support::Cycle waiting = 0, sharing = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Port& port = ports_[ports[lane]];
    const support::Cycle of_others = port.free > start ? port.free - start : 0;
    if (is_lane_of_unpackers(ports[lane])) {
      waiting = std::max(waiting, of_others);
    } else {
      sharing = std::max(sharing, std::min(of_others, turns * port.turn));
    }
  }
  sharing = sharing > waiting ? sharing - waiting : 0;
  const support::Cycle at_banks = wait_at_banks(client, {.kind = kind_at_banks(client),
                                                         .ports = ports,
                                                         .word = moved.first,
                                                         .words = words,
                                                         .lanes = static_cast<std::uint32_t>(lanes),
                                                         .of_row = moved.of_row,
                                                         .between_rows = moved.between_rows,
                                                         .turn = turn,
                                                         .begin = start + waiting,
                                                         .shared = sharing});
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Port& port = ports_[ports[lane]];
    port.free = std::max(port.free, start) + turns * turn + at_banks;
    port.turn = turn;
    port.words += (words + lanes - 1 - lane) / lanes;
  }
  own = start + waiting + sharing + turns * turn + at_banks +
        lost_to_scrubber(client, lanes, turns > waiting ? turns - waiting : 0);
  if (!meets_holders_ || !is_niu_write(client)) return own;
  // A packet is committed when its last word has come; its earlier words were written turn by turn
  // as they came. Narrow writes do not wait.
  const support::Cycle late = wait_for_holders(client,
                                               {.word = moved.first,
                                                .words = turn == 1 ? words : 0,
                                                .lanes = static_cast<std::uint32_t>(lanes),
                                                .begin = start > turns ? start - turns : 0},
                                               now);
  return own + late - std::min(late, start - now);
}

/// A NIU's data is buffered, so it has priority (assumed) and waits only for its own transfers.
support::Cycle L1::wait_at_banks(L1Client client, const L1Banks::Stream& stream) {
  if (stream.kind == L1Banks::Kind::kCount) return 0;
  if (stream.kind != L1Banks::Kind::kNiu) return banks_.pass(stream) - stream.end();
  banks_.hold(stream);
  if (!is_niu_read(client)) return 0;
  const support::L1Intake::Return back = intakes_[niu_of(client)].take_return();
  if (back.after == 0) return 0;
  const support::Cycle end = returning_[niu_of(client)].pass(stream, back.word, back.after);
  return end > stream.end() ? end - stream.end() : 0;
}

void L1::meet(support::L1Holders& holders) {
  meets_holders_ = true;
  const auto lanes = static_cast<std::uint32_t>(ports_of_.of(L1Client::kNoc0Write).size());
  for (support::L1Intake& intake : intakes_) intake.meet(holders, lanes);
}

/// Cycles from now until L1 has taken all arrived data.
support::Cycle L1::wait_for_holders(L1Client client, const support::L1Holders::Stream& written,
                                    support::Cycle now) {
  support::L1Intake& intake = intakes_[niu_of(client)];
  HeldUp& held_up = held_up_[niu_of(client)];
  held_up.is_last = false;
  if (written.words == 0) return 0;
  if (!intake.network_announces()) intake.comes(written.word, written.words, written.begin);
  const std::uint32_t arrived = intake.arrived(now);
  const support::Cycle late = intake.late(arrived, now);
  if (late == 0) return 0;
  held_up.is_last = true;
  held_up.latest[held_up.count++ % HeldUp::kMost] = {written.word * kWordBytes, arrived};
  return late;
}

bool L1::is_held_up(L1Client client) const {
  return is_niu_write(client) && held_up_[niu_of(client)].is_last;
}

support::Cycle L1::overdue(L1Client client, std::uint32_t address, support::Cycle now) {
  if (!is_niu_write(client)) return 0;
  const HeldUp& held_up = held_up_[niu_of(client)];
  const unsigned kept = std::min(held_up.count, unsigned{HeldUp::kMost});
  for (unsigned i = 1; i <= kept; ++i) {
    const HeldUp::Transfer& transfer = held_up.latest[(held_up.count - i) % HeldUp::kMost];
    if (transfer.address == address / kWordBytes * kWordBytes)
      return intakes_[niu_of(client)].late(transfer.arrived, now);
  }
  return 0;
}

}  // namespace tvp::tensix
