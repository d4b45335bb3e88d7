#include "platform/checks/record/dram_buffers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "foundation/hex.h"

namespace tvp::checks {

namespace {

constexpr unsigned kNoBank = ~0U;
/// Limit up to which a buffer's written pages are recorded. The banks of a chip hold this many
/// pages of 768 bytes.
constexpr unsigned kMostPages = 1U << 24;

bool has_node(const foundation::DramChannel& channel, noc::Node noc0) {
  for (const foundation::ChipNode& endpoint : channel.endpoints)
    if (endpoint.x == noc0.x && endpoint.y == noc0.y) return true;
  return false;
}

}  // namespace

void DramBuffers::set(std::uint64_t address, const Buffer& buffer) {
  ++changes_;
  if (buffer.bank_bytes == 0) {
    buffers_.erase(address);
  } else {
    Held held{buffer, changes_};
    if (buffer.pages <= kMostPages) held.written.assign(std::max(buffer.pages, 1U), false);
    buffers_[address] = std::move(held);
  }
}

DramBuffers::Place DramBuffers::place_of(noc::Node noc0, std::uint64_t address) const {
  unsigned number = 0;
  for (const foundation::DramChannel& channel : spec_.dram) {
    for (const foundation::DramBank& bank : channel.banks) {
      if (has_node(channel, noc0) && address - bank.offset < bank.bytes)
        return {number, address - bank.offset};
      ++number;
    }
  }
  return {kNoBank, 0};
}

/// The buffer in which an address of a bank lies.
DramBuffers::Buffers::const_iterator DramBuffers::around(std::uint64_t address) const {
  const auto behind = buffers_.upper_bound(address);
  if (behind == buffers_.begin()) return buffers_.end();
  const auto found = std::prev(behind);
  return address - found->first < found->second.bank_bytes ? found : buffers_.end();
}

DramBuffers::Pages DramBuffers::pages_of(const Held& buffer, std::uint64_t from, const Place& at,
                                         std::uint32_t bytes) {
  if (buffer.pages == 0) return {0, 1, 1};
  const std::uint64_t first = (at.address - from) / buffer.page_bytes;
  const std::uint64_t last = (at.address + bytes - 1 - from) / buffer.page_bytes;
  return {first * buffer.banks + at.bank, buffer.banks, last - first + 1};
}

/// Bytes of a page, or of the range in a bank of a buffer without pages.
std::uint64_t DramBuffers::range_bytes(const Held& buffer) {
  constexpr std::uint64_t kWithoutPages = 4096;
  return buffer.pages != 0 ? buffer.page_bytes : kWithoutPages;
}

std::uint64_t DramBuffers::key_of(std::uint64_t range, unsigned bank) { return range << 8 | bank; }

/// True if two tiles write different data to the same place, and the later one has not heard from
/// any other tile since the earlier write.
bool DramBuffers::are_rivals(const Command& earlier, const Command& later) {
  return !earlier.is_of_host() && !later.is_of_host() && earlier.moment >= later.heard &&
         (earlier.x != later.x || earlier.y != later.y) && earlier.sample != later.sample &&
         earlier.address < later.address + later.bytes &&
         later.address < earlier.address + earlier.bytes;
}

/// Records a writer and drops the earlier ones that it covers. If commands write a range in many
/// pieces, only the latest kMostOfPage writers stay.
std::optional<DramBuffers::Command> DramBuffers::note_writer(Held& buffer, std::uint64_t from,
                                                             const Place& at, Command by) {
  if (by.is_of_host() && buffer.writers.empty()) return std::nullopt;
  std::optional<Command> rival;
  by.address = at.address;
  const std::uint64_t end = by.address + by.bytes;
  const std::uint64_t last = (end - 1 - from) / range_bytes(buffer);
  for (std::uint64_t range = (at.address - from) / range_bytes(buffer); range <= last; ++range) {
    std::vector<Command>& known = buffer.writers[key_of(range, at.bank)];
    for (const Command& earlier : known)
      if (!rival && are_rivals(earlier, by)) rival = earlier;
    std::erase_if(known, [&](const Command& earlier) {
      return earlier.address >= by.address && earlier.address + earlier.bytes <= end;
    });
    if (by.is_of_host()) continue;
    if (known.size() == kMostOfPage) known.erase(known.begin());
    known.push_back(by);
  }
  return rival;
}

std::optional<DramBuffers::Origin> DramBuffers::origin(noc::Node noc0,
                                                       std::uint64_t address) const {
  const Place at = place_of(noc0, address);
  if (at.bank == kNoBank) return std::nullopt;
  const auto found = around(at.address);
  if (found == buffers_.end()) return std::nullopt;
  Origin origin{.buffer = found->first, .given = texts_of(found->second.given)};
  const std::uint64_t range = (at.address - found->first) / range_bytes(found->second);
  const auto known = found->second.writers.find(key_of(range, at.bank));
  if (known == found->second.writers.end()) return origin;
  for (const Command& command : known->second) {
    const bool is_there =
        at.address >= command.address && at.address - command.address < command.bytes;
    (is_there ? origin.writer : origin.neighbor) = &command;
  }
  return origin;
}

std::optional<DramBuffers::Command> DramBuffers::written(noc::Node noc0, std::uint64_t address,
                                                         std::uint32_t bytes,
                                                         const std::string& of_nothing,
                                                         const Command& by) {
  if (buffers_.empty() || bytes == 0) return std::nullopt;
  const Place at = place_of(noc0, address);
  if (at.bank == kNoBank) return std::nullopt;
  const auto found = around(at.address);
  if (found == buffers_.end()) return std::nullopt;
  Held& held = buffers_.find(found->first)->second;
  Command command = by;
  command.bytes = bytes;
  std::optional<Command> rival = note_writer(held, found->first, at, command);
  std::vector<bool>& written = held.written;
  const Pages pages = pages_of(found->second, found->first, at, bytes);
  for (std::uint64_t i = 0, page = pages.first; i < pages.count && page < written.size(); ++i) {
    written[page] = true;
    if (!of_nothing.empty()) {
      held.of_nothing[page] = of_nothing;
    } else if (!held.of_nothing.empty()) {
      held.of_nothing.erase(page);
    }
    page += pages.step;
  }
  return rival;
}

void DramBuffers::written(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) {
  written(noc0, address, bytes, {}, Command{});
}

void DramBuffers::given(std::uint64_t word, const std::string& core,
                        const std::function<std::string()>& kernel) {
  const auto found = buffers_.find(word);
  if (found == buffers_.end()) return;
  std::vector<Holder>& known = found->second.given;
  const bool is_known = std::any_of(known.begin(), known.end(),
                                    [&](const Holder& each) { return each.core == core; });
  if (!is_known) known.push_back({core, kernel});
}

std::vector<std::string> DramBuffers::texts_of(const std::vector<Holder>& holders) {
  std::vector<std::string> texts;
  texts.reserve(holders.size());
  for (const Holder& each : holders) texts.push_back(each.text());
  return texts;
}

std::optional<DramBuffers::Unwritten> DramBuffers::unwritten(noc::Node noc0, std::uint64_t address,
                                                             std::uint32_t bytes) const {
  if (buffers_.empty() || bytes == 0) return std::nullopt;
  const Place at = place_of(noc0, address);
  if (at.bank == kNoBank) return std::nullopt;
  const auto found = around(at.address);
  if (found == buffers_.end()) return std::nullopt;
  const std::vector<bool>& written = found->second.written;
  const Pages pages = pages_of(found->second, found->first, at, bytes);
  for (std::uint64_t i = 0, page = pages.first; i < pages.count && page < written.size(); ++i) {
    const auto nothing = found->second.of_nothing.find(page);
    const bool is_sent = nothing != found->second.of_nothing.end();
    if (!written[page] || is_sent)
      return Unwritten{found->first, static_cast<std::uint32_t>(page), found->second.made_at,
                       texts_of(found->second.given), is_sent ? nothing->second : std::string()};
    page += pages.step;
  }
  return std::nullopt;
}

std::string DramBuffers::page_text(noc::Node noc0, std::uint64_t address) const {
  const Place at = place_of(noc0, address);
  const auto found = at.bank == kNoBank ? buffers_.end() : around(at.address);
  if (found == buffers_.end() || found->second.pages == 0) return {};
  const Pages pages = pages_of(found->second, found->first, at, 1);
  return "page " + std::to_string(pages.first) + " of the buffer at " +
         foundation::hex(found->first);
}

std::string DramBuffers::beyond_at(const Place& at) const {
  const auto found = around(at.address);
  std::string where;
  if (found == buffers_.end()) {
    where = "where no buffer is";
  } else {
    const Buffer& buffer = found->second;
    if (buffer.pages == 0) return {};
    const std::uint64_t page =
        (at.address - found->first) / buffer.page_bytes * buffer.banks + at.bank;
    if (page < buffer.pages) return {};
    where = "page " + std::to_string(page) + " of the buffer at " + foundation::hex(found->first) +
            ", which has " + std::to_string(buffer.pages);
  }
  return "address " + foundation::hex(at.address) + " of DRAM bank " + std::to_string(at.bank) +
         ", " + where;
}

DramBuffers::Found DramBuffers::look_up(noc::Node noc0, std::uint64_t address,
                                        std::uint32_t bytes) const {
  if (buffers_.empty()) return {};
  const Place first = place_of(noc0, address);
  if (first.bank == kNoBank) return {};
  Found found;
  found.bank = first.bank;
  found.address = first.address;
  found.beyond = beyond_at(first);
  if (found.beyond.empty() && bytes > 1)
    found.beyond = beyond_at({first.bank, first.address + bytes - 1});
  const auto buffer = around(first.address);
  if (!found.beyond.empty() || buffer == buffers_.end() || buffer == buffers_.begin()) return found;
  found.buffer = buffer->first;
  found.bank_bytes = buffer->second.bank_bytes;
  found.page_bytes = buffer->second.page_bytes;
  found.before = std::prev(buffer)->first;
  return found;
}

}  // namespace tvp::checks
