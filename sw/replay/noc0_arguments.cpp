#include "sw/replay/noc0_arguments.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "sw/runtime/errors.h"

namespace tvp::replay {

using runtime::bad_use;
using runtime::CoreCoord;

namespace {

constexpr std::uint32_t kWordBytes = 4;

template <typename Number>
bool take(std::string_view& text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}
bool take(std::string_view& text, std::string_view sign) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(sign.size());
  return true;
}

/// Little-endian.
std::uint32_t word_at(const foundation::HostMessage::Bytes& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < kWordBytes; ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
  return word;
}
void set_word(foundation::HostMessage::Bytes& bytes, std::size_t at, std::uint32_t word) {
  for (unsigned i = 0; i < kWordBytes; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(word >> (8 * i));
}

}  // namespace

Noc0Arguments::Noc0Arguments(std::string key, const std::string& text) : key_(std::move(key)) {
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    places_.push_back(parse(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

Noc0Arguments::Place Noc0Arguments::parse(const std::string& text) const {
  Place place;
  place.text = text;
  std::string_view rest = text;
  unsigned first = 0;
  bool good = take(rest, first, 10);
  if (good && take(rest, ":")) {
    place.chip = first;
    good = take(rest, first, 10);
  }
  place.core.x = first;
  good = good && take(rest, "-") && take(rest, place.core.y, 10) && take(rest, ":0x") &&
         take(rest, place.address, 16) && rest.empty() && place.address % kWordBytes == 0;
  if (!good) {
    bad_use(key_ + " " + text,
            "expected [CHIP:]X-Y:0xADDR, the core and the address in its L1 of two words with the "
            "coordinates; '+' joins several");
  }
  return place;
}

Noc0Arguments::Message Noc0Arguments::translated(const Message& write, const PlayedChips& chips) {
  Message changed = write;
  if (write.bar) return changed;
  for (Place& place : places_) {
    const std::uint64_t offset = place.address - write.address;
    if (write.chip != place.chip || CoreCoord{write.x, write.y} != place.core ||
        place.address < write.address || offset + 2 * kWordBytes > write.data.size())
      continue;
    const auto at = static_cast<std::size_t>(offset);
    const CoreCoord noc0{word_at(write.data, at), word_at(write.data, at + kWordBytes)};
    const std::optional<CoreCoord> core = chips.translated_worker(place.chip, noc0);
    if (!core) continue;
    set_word(changed.data, at, core->x);
    set_word(changed.data, at + kWordBytes, core->y);
    place.found = true;
  }
  return changed;
}

void Noc0Arguments::finish() const {
  for (const Place& place : places_) {
    if (place.found) continue;
    bad_use(key_ + " " + place.text,
            "expected a WRITE of the recording with both words and the NoC 0 coordinates of a "
            "worker there, on a chip that translates coordinates");
  }
}

}  // namespace tvp::replay
