#include "models/tensix/tile/l1_banks.h"

#include <algorithm>

namespace tvp::tensix {

using support::Cycle;

namespace {

constexpr unsigned kPorts = 16;

/// Number of ports whose turn comes before this one.
unsigned turns_until(unsigned port, Cycle at) {
  return (port + kPorts - static_cast<unsigned>(at % kPorts)) % kPorts;
}

std::uint32_t words_at_once(const L1Banks::Stream& stream, std::uint32_t done) {
  return std::min(stream.lanes, stream.words - done);
}

}  // namespace

Cycle L1Banks::pass(const Stream& stream) {
  return stream.kind == Kind::kUnpacker ? pass_unpacker(stream) : pass_packer(stream);
}

void L1Banks::hold(const Stream& stream) {
  if (only_.end() <= stream.begin && others_ <= stream.begin) {
    only_ = stream;
    return;
  }
  write_down_only();
  write_down(stream);
}

// ---- Unpackers ----------------------------------------------------------------------------------

Cycle L1Banks::pass_unpacker(const Stream& asked) {
  const Cycle begin = std::min(unpacked_.front().asked.begin, asked.begin);
  if (only_.end() > begin) write_down_only();
  Unpacked oldest = unpacked_.front();
  std::shift_left(unpacked_.begin(), unpacked_.end(), 1);
  Unpacked& latest = unpacked_.back();
  latest = {};
  latest.asked = asked;
  latest.refused = refused_;
  if (others_ <= begin) {
    before_ = {};
    latest.ended.at = latest.announced_end = asked.end();
  } else {
    before_ = behind(oldest, before_);
    Ended ended = before_;
    for (std::size_t i = 0; i + 1 < unpacked_.size(); ++i) ended = behind(unpacked_[i], ended);
    refused_ = latest.refused;
    latest.ended.at = latest.announced_end = unpack(latest, ended, packed_ > asked.begin);
  }
  changed_ = support::kNever;
  return latest.announced_end;
}

/// End of a stream by the known accesses.
L1Banks::Ended L1Banks::behind(Unpacked& unpacked, const Ended& before) {
  const bool as_before = unpacked.ended.at <= changed_ && before.late == unpacked.before.late;
  if (as_before) return unpacked.ended;
  refused_ = unpacked.refused;
  const Cycle at = unpack(unpacked, before, unpacked.written_to != unpacked.written_from);
  unpacked.ended = {.at = at,
                    .late = at > unpacked.announced_end ? at - unpacked.announced_end : 0};
  return unpacked.ended;
}

L1Banks::Stream L1Banks::delayed(Stream stream, const Ended& before) {
  if (before.at > stream.begin) stream.begin += std::min(before.late, before.at - stream.begin);
  return stream;
}

/// Packers must know of it only if there are any.
Cycle L1Banks::unpack(Unpacked& unpacked, const Ended& before, bool write) {
  for (Cycle c = unpacked.written_from; c < unpacked.written_to; ++c)
    if (is_remembered(c)) in_use(c).unpackers = 0;
  unpacked.before = before;
  const Stream stream = delayed(unpacked.asked, before);
  Cycle at = stream.begin;
  Cycle last = at;
  for (std::uint32_t done = 0; done < stream.words; at += stream.step(done), done += stream.lanes) {
    const std::uint32_t words = words_at_once(stream, done);
    const Banks banks = stream.banks(done, words);
    const Taken now = taken(at);
    const bool meets_packers = (now.writers() & banks) != 0;
    const bool meets_nius = (now.nius & banks) != 0;
    if (!write && !meets_packers && !meets_nius) continue;
    const Cycle begin = at;
    for (std::uint32_t lane = 0; lane < words; ++lane) {
      const unsigned bank = stream.bank(done + lane);
      Cycle got = begin;
      if (meets_packers) {
        while (unpacker_waits(bank, stream.ports[lane], got)) ++got;
      }
      if (write) take(stream, bank, stream.ports[lane], got);
      at = std::max(at, got);
    }
    last = at;
    if (meets_nius && loses(static_cast<Banks>(now.nius & banks))) at = std::max(at, begin + 1);
  }
  if (write && stream.words != 0) took(stream, stream.begin, last + stream.turn);
  unpacked.written_from = stream.begin;
  unpacked.written_to = write ? at : stream.begin;
  return at;
}

bool L1Banks::unpacker_waits(unsigned bank, std::uint8_t port, Cycle at) const {
  return (taken(at).writers() >> bank & 1) != 0 &&
         turns_until(packer_ports_[at % kCycles].of(bank), at) < turns_until(port, at);
}

void L1Banks::write_down_unpackers(Cycle from) {
  const Banks refused = refused_;
  for (Unpacked& unpacked : unpacked_) {
    if (unpacked.written_to != unpacked.written_from || unpacked.ended.at <= from) continue;
    refused_ = unpacked.refused;
    unpack(unpacked, unpacked.before, true);
  }
  refused_ = refused;
}

// ---- Packers ------------------------------------------------------------------------------------

Cycle L1Banks::pass_packer(const Stream& stream) {
  const bool beside_unpackers = unpacked_.back().ended.at > stream.begin;
  if (!beside_unpackers && only_.end() <= stream.begin && written_ <= stream.begin) {
    only_ = stream;
    return stream.end();
  }
  write_down_only();
  if (beside_unpackers) write_down_unpackers(stream.begin);
  Cycle at = stream.begin;
  Cycle first = 0;
  Cycle last = 0;
  for (std::uint32_t done = 0; done < stream.words; at += stream.step(done), done += stream.lanes) {
    const unsigned bank = (stream.word + done) % kBanks;
    const auto of_bank = static_cast<Banks>(1U << bank);
    Taken now = taken(at);
    if (((now.packers | now.unpackers | now.nius) & of_bank) != 0) {
      for (; packer_waits(stream, bank, at, now); now = taken(at)) ++at;
      if (loses(static_cast<Banks>(now.nius & of_bank))) ++at;
    }
    take(stream, bank, stream.ports[0], at);
    if (done == 0) first = at;
    last = at;
  }
  if (stream.words != 0) took(stream, first, last + stream.turn);
  return at;
}

bool L1Banks::packer_waits(const Stream& stream, unsigned bank, Cycle at, Taken now) const {
  if ((now.packers >> bank & 1) != 0) return true;
  if ((now.unpackers >> bank & 1) == 0) return false;
  return stream.adds() ||
         turns_until(unpacker_ports_[at % kCycles].of(bank), at) < turns_until(stream.ports[0], at);
}

// ---- Records ------------------------------------------------------------------------------------

/// Records the stream of a packer or a NIU.
void L1Banks::write_down(const Stream& stream) {
  if (stream.words == 0) return;
  Cycle at = stream.begin;
  Cycle last = at;
  for (std::uint32_t done = 0; done < stream.words; at += stream.step(done), done += stream.lanes) {
    last = at;
    if (stream.kind == Kind::kPacker) {
      take(stream, (stream.word + done) % kBanks, stream.ports[0], at);
      continue;
    }
    const Banks banks = banks_of(stream.word + done, words_at_once(stream, done));
    for (Cycle c = at; c < at + stream.turn; ++c)
      if (is_remembered(c)) in_use(c).nius |= banks;
  }
  took(stream, stream.begin, last + stream.turn);
}

inline void L1Banks::take(const Stream& stream, unsigned bank, std::uint8_t port, Cycle at) {
  const bool packer = stream.kind == Kind::kPacker;
  for (Cycle c = at; c < at + stream.turn; ++c) {
    if (!is_remembered(c)) continue;
    Taken& now = in_use(c);
    Banks& banks = packer ? now.packers : now.unpackers;
    banks = static_cast<Banks>(banks | 1U << bank);
    if (stream.adds()) now.adders = static_cast<Banks>(now.adders | 1U << bank);
    (packer ? packer_ports_ : unpacker_ports_)[c % kCycles].set(bank, port);
  }
}

void L1Banks::took(const Stream& stream, Cycle from, Cycle to) {
  written_ = std::max(written_, to);
  if (stream.kind == Kind::kUnpacker) return;
  others_ = std::max(others_, to);
  changed_ = std::min(changed_, from);
  if (stream.kind == Kind::kPacker) packed_ = std::max(packed_, to);
}

bool L1Banks::loses(Banks contended) {
  const auto refused = static_cast<Banks>(contended & ~refused_);
  refused_ = static_cast<Banks>((refused_ & ~contended) | refused);
  return refused != 0;
}

void L1Banks::clear_up_to(Cycle at) {
  if (at >= cleared_ + kCycles) {
    in_use_.fill({});
    cleared_ = at + 1;
  }
  for (; cleared_ <= at; ++cleared_) in_use_[cleared_ % kCycles] = {};
}

}  // namespace tvp::tensix
