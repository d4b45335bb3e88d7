#include "models/tensix/tile/l1_banks.h"

#include <algorithm>
#include <bit>

namespace tvp::tensix {

using support::Cycle;

namespace {

/// Banks of `words` words from `word` on.
std::uint16_t banks_of(std::uint32_t word, std::uint32_t words) {
  const auto from_first = static_cast<std::uint16_t>((1U << words) - 1);
  return std::rotl(from_first, static_cast<int>(word % L1Banks::kBanks));
}

}  // namespace

Cycle L1Banks::pass(const Stream& stream) {
  if (is_alone(stream.begin)) {
    only_ = stream;
    return stream.end();
  }
  write_down(only_);
  only_ = {};
  Cycle at = stream.begin;
  for (std::uint32_t done = 0; done < stream.words; done += stream.lanes, at += stream.turn) {
    const Banks banks = banks_of(stream.word + done, std::min(stream.lanes, stream.words - done));
    const Banks contended = others_at(stream, banks, at);
    const Banks refused = contended & static_cast<Banks>(~refused_);
    refused_ = static_cast<Banks>((refused_ & ~contended) | refused);
    if (refused != 0) ++at;
    take(stream, banks, at);
  }
  return at;
}

void L1Banks::hold(const Stream& stream) {
  if (is_alone(stream.begin)) {
    only_ = stream;
    return;
  }
  write_down(only_);
  only_ = {};
  write_down(stream);
}

void L1Banks::write_down(const Stream& stream) {
  Cycle at = stream.begin;
  for (std::uint32_t done = 0; done < stream.words; done += stream.lanes, at += stream.turn) {
    take(stream, banks_of(stream.word + done, std::min(stream.lanes, stream.words - done)), at);
  }
}

void L1Banks::take(const Stream& stream, Banks banks, Cycle at) {
  for (Cycle c = at; c < at + stream.turn; ++c) {
    if (is_remembered(c)) in_use(c)[static_cast<std::size_t>(stream.kind)] |= banks;
  }
  written_ = std::max(written_, at + stream.turn);
}

/// Of these banks the ones that streams of other kinds use.
L1Banks::Banks L1Banks::others_at(const Stream& stream, Banks banks, Cycle at) const {
  ByKind all{};
  for (Cycle c = at; c < std::min(at + stream.turn, written_); ++c) {
    if (!is_remembered(c)) continue;
    for (std::size_t kind = 0; kind < all.size(); ++kind) all[kind] |= in_use_[c % kCycles][kind];
  }
  all[static_cast<std::size_t>(stream.kind)] = 0;
  return static_cast<Banks>((all[0] | all[1] | all[2]) & banks);
}

L1Banks::ByKind& L1Banks::in_use(Cycle at) {
  if (at >= cleared_ + kCycles) {
    in_use_.fill({});
    cleared_ = at + 1;
  }
  for (; cleared_ <= at; ++cleared_) in_use_[cleared_ % kCycles] = {};
  return in_use_[at % kCycles];
}

}  // namespace tvp::tensix
