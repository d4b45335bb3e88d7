#include "sw/replay/reply_ledger.h"

#include <algorithm>
#include <string_view>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::replay {

namespace {

using foundation::HostMessage;

constexpr unsigned kNoBar = ~0U;
constexpr std::size_t kMostTexts = 20;
constexpr std::uint64_t kMostPlaces = 1U << 22;  // limits the memory that a file can take
// Registers of a tile's cores and NIUs: a read does not return the written value.
constexpr std::uint64_t kRegisters = 0xFF000000;
constexpr std::uint64_t kRegistersEnd = 1ULL << 32;

std::uint64_t hash_of(const HostMessage::Bytes& bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string hex_of(const HostMessage::Bytes& bytes, std::size_t from) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = from; i < std::min(bytes.size(), from + kShown); ++i) {
    text += foundation::hex_digits(bytes[i], 2);
  }
  return bytes.size() > from + kShown ? text + "…" : text;
}

bool is_memory(const HostMessage& message) {
  return !message.bar && (message.address < kRegisters || message.address >= kRegistersEnd);
}

}  // namespace

ReplyLedger::Unit ReplyLedger::unit_of(const Message& message) {
  return {message.chip, message.bar.value_or(kNoBar), message.x, message.y};
}

const ReplyLedger::Tile* ReplyLedger::find(const Message& message) const {
  const auto tile = tiles_.find(unit_of(message));
  return tile == tiles_.end() ? nullptr : &tile->second;
}

ReplyLedger::Expectation ReplyLedger::expectation_of(const Message& read) const {
  const Tile* tile = find(read);
  if (tile == nullptr) return Expectation::kFirst;
  const auto earlier = tile->replies.find({read.address, read.size});
  if (earlier == tile->replies.end()) return Expectation::kFirst;
  return earlier->second == hash_of(*read.reply) ? Expectation::kSame : Expectation::kNew;
}

bool ReplyLedger::as_known(const Message& read, const Message::Bytes& got) const {
  const Tile* tile = find(read);
  if (tile == nullptr) return false;
  const auto earlier = tile->replies.find({read.address, read.size});
  if (earlier != tile->replies.end()) return earlier->second == hash_of(got);
  return tile->written.holds(read.address, got.data(), read.size);
}

void ReplyLedger::remember(const std::string& where) {
  if (++places_ > kMostPlaces) {
    throw foundation::Fault(
        foundation::FaultKind::kDescription, where,
        "expected reads of at most " + std::to_string(kMostPlaces) + " different places");
  }
}

void ReplyLedger::replied(const Message& read, const Message::Bytes& got,
                          const std::string& where) {
  ++compared_;
  Tile& tile = tiles_[unit_of(read)];
  const Place place{read.address, read.size};
  const auto [reply, is_new] = tile.replies.try_emplace(place);
  if (is_new) remember(where);
  reply->second = hash_of(*read.reply);
  tile.longest = std::max(tile.longest, read.size);
  tile.open.erase(place);
  if (got != *read.reply) tile.open.emplace(place, Difference{where, read, got});
}

void ReplyLedger::written(const Message& write, const std::string& where) {
  Tile& tile = tiles_[unit_of(write)];
  // Earlier reads of these bytes are out of date.
  const std::uint64_t from = write.address - std::min<std::uint64_t>(write.address, tile.longest);
  auto next = tile.replies.lower_bound({from, 0});
  while (next != tile.replies.end() && next->first.address < write.address + write.size) {
    const Place place = next->first;
    ++next;
    if (place.address + place.size <= write.address) continue;
    tile.replies.erase(place);
    --places_;
    const auto difference = tile.open.find(place);
    if (difference == tile.open.end()) continue;
    count(difference->second);
    tile.open.erase(difference);
  }
  if (!is_memory(write)) return;
  const std::size_t before = tile.written.pages();
  tile.written.write(write.address, write.data.data(), write.size);
  pages_ += tile.written.pages() - before;
  if (pages_ > foundation::KnownBytes::kMostPages) {
    throw foundation::Fault(foundation::FaultKind::kDescription, where,
                            "expected writes of at most " +
                                std::to_string(foundation::KnownBytes::kMostPages) +
                                " different pages of 4 KiB");
  }
}

void ReplyLedger::count(const Difference& difference) {
  const Message::Bytes& reply = *difference.read.reply;
  std::size_t first = reply.size();
  std::uint64_t bytes = 0;
  for (std::size_t i = reply.size(); i-- > 0;) {
    if (reply[i] == difference.got[i]) continue;
    first = i;
    ++bytes;
  }
  ++different_;
  if (difference.read.times) {
    Message::Bytes expected = reply;
    Message::Bytes got = difference.got;
    difference.read.times->clear(expected);
    difference.read.times->clear(got);
    if (got == expected) ++different_times_;
  }
  different_bytes_ += bytes;
  if (texts_.size() == kMostTexts) return;
  std::string line = difference.read.to_line();
  line = line.substr(0, line.find(" data="));
  const std::string count = std::to_string(bytes) + " of " + std::to_string(reply.size());
  texts_.push_back(difference.where + ": " + line + ": " + count + " bytes differ, at " +
                   foundation::hex(difference.read.address + first) + " expected " +
                   hex_of(reply, first) + ", not " + hex_of(difference.got, first));
}

void ReplyLedger::finish() {
  for (auto& [unit, tile] : tiles_) {
    for (const auto& [place, difference] : tile.open) count(difference);
    tile.open.clear();
  }
}

}  // namespace tvp::replay
