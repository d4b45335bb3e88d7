#include "models/tensix/tile/l1_banks.h"

#include <algorithm>
#include <bit>

namespace tvp::tensix {

using support::Cycle;

namespace {

constexpr unsigned kPorts = 16;

/// Banks of `words` words from `word` on.
std::uint16_t banks_of(std::uint32_t word, std::uint32_t words) {
  const auto from_first = static_cast<std::uint16_t>((1U << words) - 1);
  return std::rotl(from_first, static_cast<int>(word % L1Banks::kBanks));
}

/// How many ports have their turn before this one.
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
    latest.ended.at = latest.told = asked.end();
  } else {
    before_ = behind(oldest, before_);
    Ended ended = before_;
    for (std::size_t i = 0; i + 1 < unpacked_.size(); ++i) ended = behind(unpacked_[i], ended);
    refused_ = latest.refused;
    latest.ended.at = latest.told = unpack(latest, ended, packed_ > asked.begin);
  }
  changed_ = support::kNever;
  return latest.told;
}

/// Where a stream ended by what is known now.
L1Banks::Ended L1Banks::behind(Unpacked& unpacked, const Ended& before) {
  const bool as_before = unpacked.ended.at <= changed_ && before.late == unpacked.before.late;
  if (as_before) return unpacked.ended;
  refused_ = unpacked.refused;
  const Cycle at = unpack(unpacked, before, unpacked.written_to != unpacked.written_from);
  unpacked.ended = {.at = at, .late = at > unpacked.told ? at - unpacked.told : 0};
  return unpacked.ended;
}

L1Banks::Stream L1Banks::delayed(Stream stream, const Ended& before) {
  if (before.at > stream.begin) stream.begin += std::min(before.late, before.at - stream.begin);
  return stream;
}

/// Packers have to know of it only if there are any.
Cycle L1Banks::unpack(Unpacked& unpacked, const Ended& before, bool write) {
  for (Cycle c = unpacked.written_from; c < unpacked.written_to; ++c)
    if (is_remembered(c)) in_use(c).unpackers = 0;
  unpacked.before = before;
  const Stream stream = delayed(unpacked.asked, before);
  Cycle at = stream.begin;
  for (std::uint32_t done = 0; done < stream.words; at += stream.step(done), done += stream.lanes) {
    const std::uint32_t words = words_at_once(stream, done);
    const Cycle begin = at;
    const Taken& now = taken(begin);
    if (!write && ((now.packers | now.nius) & banks_of(stream.word + done, words)) == 0) continue;
    for (std::uint32_t lane = 0; lane < words; ++lane) {
      Cycle got = begin;
      while (unpacker_waits(stream, done, lane, got)) ++got;
      if (write) take(stream, done + lane, 1, stream.ports[lane], got);
      at = std::max(at, got);
    }
    if (loses(static_cast<Banks>(now.nius & banks_of(stream.word + done, words))))
      at = std::max(at, begin + 1);
  }
  unpacked.written_from = stream.begin;
  unpacked.written_to = write ? at : stream.begin;
  return at;
}

bool L1Banks::unpacker_waits(const Stream& stream, std::uint32_t done, std::uint32_t lane,
                             Cycle at) const {
  const unsigned bank = (stream.word + done + lane) % kBanks;
  const Taken& now = taken(at);
  return (now.packers >> bank & 1) != 0 &&
         turns_until(now.packer_port[bank], at) < turns_until(stream.ports[lane], at);
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
  for (std::uint32_t done = 0; done < stream.words; at += stream.step(done), done += stream.lanes) {
    while (packer_waits(stream, done, at)) ++at;
    if (loses(static_cast<Banks>(taken(at).nius & banks_of(stream.word + done, 1)))) ++at;
    take(stream, done, words_at_once(stream, done), stream.ports[0], at);
  }
  return at;
}

bool L1Banks::packer_waits(const Stream& stream, std::uint32_t done, Cycle at) const {
  const unsigned bank = (stream.word + done) % kBanks;
  const Taken& now = taken(at);
  if ((now.packers >> bank & 1) != 0) return true;
  return (now.unpackers >> bank & 1) != 0 &&
         turns_until(now.unpacker_port[bank], at) < turns_until(stream.ports[0], at);
}

// ---- What is remembered -------------------------------------------------------------------------

void L1Banks::write_down(const Stream& stream) {
  Cycle at = stream.begin;
  for (std::uint32_t done = 0; done < stream.words; at += stream.step(done), done += stream.lanes)
    take(stream, done, words_at_once(stream, done), stream.ports.empty() ? 0 : stream.ports[0], at);
}

void L1Banks::take(const Stream& stream, std::uint32_t done, std::uint32_t words, std::uint8_t port,
                   Cycle at) {
  const Banks banks = banks_of(stream.word + done, words);
  for (Cycle c = at; c < at + stream.turn; ++c) {
    if (!is_remembered(c)) continue;
    Taken& now = in_use(c);
    if (stream.kind == Kind::kNiu) {
      now.nius |= banks;
      continue;
    }
    const bool packer = stream.kind == Kind::kPacker;
    (packer ? now.packers : now.unpackers) |= banks;
    (packer ? now.packer_port : now.unpacker_port)[(stream.word + done) % kBanks] = port;
  }
  written_ = std::max(written_, at + stream.turn);
  if (stream.kind == Kind::kUnpacker) return;
  others_ = std::max(others_, at + stream.turn);
  changed_ = std::min(changed_, at);
  if (stream.kind == Kind::kPacker) packed_ = std::max(packed_, at + stream.turn);
}

bool L1Banks::loses(Banks contended) {
  const auto refused = static_cast<Banks>(contended & ~refused_);
  refused_ = static_cast<Banks>((refused_ & ~contended) | refused);
  return refused != 0;
}

const L1Banks::Taken& L1Banks::taken(Cycle at) const {
  static constexpr Taken kNothing{};
  return at < written_ && is_remembered(at) ? in_use_[at % kCycles] : kNothing;
}

L1Banks::Taken& L1Banks::in_use(Cycle at) {
  if (at >= cleared_ + kCycles) {
    in_use_.fill({});
    cleared_ = at + 1;
  }
  for (; cleared_ <= at; ++cleared_) in_use_[cleared_ % kCycles] = {};
  return in_use_[at % kCycles];
}

}  // namespace tvp::tensix
