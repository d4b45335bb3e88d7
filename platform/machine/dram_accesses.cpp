#include "platform/machine/dram_accesses.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

bool DramAccesses::give(unsigned kind, std::span<const std::uint32_t> words) {
  for (KnownCore& known : cores_) {
    if (known.kind != kind) continue;
    known.given.assign(words.begin(), words.end());
    std::sort(known.given.begin(), known.given.end());
    known.stored.clear();
    for (const std::uint32_t word : known.given) buffers_.given(word, known.core->where());
    return true;
  }
  return false;
}

/// A number among the arguments may be an address by chance, as 32, where the first buffer is, so
/// this alone says nothing.
bool DramAccesses::went_on(const KnownCore& by, const DramBuffers::Found& found) {
  const std::vector<std::uint32_t>& given = by.given;
  if (!found.before || !std::binary_search(given.begin(), given.end(), *found.before)) return false;
  // A kernel may be given where in the buffer it begins.
  const std::uint64_t step = std::max(found.page_bytes, 1U);
  return std::none_of(given.begin(), given.end(), [&](std::uint32_t word) {
    return word >= found.buffer && word - found.buffer < found.bank_bytes &&
           (word - found.buffer) % step == 0;
  });
}

/// A kernel that has an address from a table has that in its L1. There is what the tile's other
/// kernels are given as well, who may use the buffer: its address is in a table where it stands
/// more often than that.
bool DramAccesses::is_stored(KnownCore& by, const Access& access,
                             const DramBuffers::Found& found) const {
  if (std::find(by.stored.begin(), by.stored.end(), found.buffer) != by.stored.end()) return true;
  const auto buffer = static_cast<std::uint32_t>(found.buffer),
             on_tile = static_cast<std::uint32_t>(access.address),
             begin_on_tile = static_cast<std::uint32_t>(access.address - found.address) + buffer;
  std::ptrdiff_t stands = 0;
  for (const KnownCore& known : cores_)
    stands -= std::count(known.given.begin(), known.given.end(), buffer);
  for (std::size_t at = 0; at + sizeof buffer <= l1_.size() && stands <= 0; at += sizeof buffer) {
    std::uint32_t word = 0;
    std::memcpy(&word, l1_.data() + at, sizeof word);
    if (word == buffer || word == on_tile || word == begin_on_tile) ++stands;
  }
  if (stands <= 0) return false;
  by.stored.push_back(found.buffer);
  return true;
}

std::string DramAccesses::not_given(const DramBuffers::Found& found) {
  return "address " + foundation::hex(found.address) + " of DRAM bank " +
         std::to_string(found.bank) + ", in the buffer at " + foundation::hex(found.buffer) +
         ", whose address is not among the arguments of its kernel; that of the buffer before it "
         "is, " +
         foundation::hex(*found.before);
}

void DramAccesses::started(support::BusMaster core, const Access& access) {
  if (!access.is_read)
    buffers_.written(access.noc0, access.address, access.bytes,
                     access.of_nothing ? sender_of_nothing(core, access) : std::string(),
                     command_of(core, access));
  const DramBuffers::Found found = buffers_.look_up(access.noc0, access.address, access.bytes);
  if (found.beyond.empty() && !found.before) return;
  for (KnownCore& known : cores_) {
    if (known.core->master() != core) continue;
    if (found.beyond.empty() && !went_on(known, found)) return;
    if (is_told(known)) return;
    if (!found.beyond.empty()) {
      warn(known, access, found.beyond);
    } else if (!is_stored(known, access, found)) {
      warn(known, access, not_given(found));
    }
    return;
  }
}

DramBuffers::Command DramAccesses::command_of(support::BusMaster core, const Access& access) const {
  DramBuffers::Command command{
      .cycle = access.now, .x = tile_.x, .y = tile_.y, .core = core, .from = access.from};
  if (access.made != nullptr) command.made = *access.made;
  for (const KnownCore& known : cores_)
    if (known.core->master() == core) command.pc = *known.core->pc_of_access();
  return command;
}

/// What is told if the host ever reads it.
std::string DramAccesses::sender_of_nothing(support::BusMaster core, const Access& access) const {
  for (const KnownCore& known : cores_) {
    if (known.core->master() != core) continue;
    const std::uint32_t pc = *known.core->pc_of_access();
    const std::string at = symbols_.describe(tile_.chip, tile_.x, tile_.y, known.kind, pc);
    return known.core->where() + " has sent " + std::to_string(access.bytes) +
           " bytes of its L1 from " + foundation::hex(access.from) +
           " on, where nobody has ever written anything" +
           (at.empty() ? ", at pc " + foundation::hex(pc) : "\n  in " + at);
  }
  return {};
}

bool DramAccesses::is_told(const KnownCore& of) {
  if (told_at_ != buffers_.changes()) {
    told_.clear();
    for (KnownCore& known : cores_) known.stored.clear();
  }
  told_at_ = buffers_.changes();
  const auto place = std::make_pair(of.core, *of.core->pc_of_access());
  return std::find(told_.begin(), told_.end(), place) != told_.end();
}

void DramAccesses::warn(const KnownCore& of, const Access& access, const std::string& beyond) {
  const std::uint32_t pc = *of.core->pc_of_access();
  told_.emplace_back(of.core, pc);
  const std::string at = symbols_.describe(tile_.chip, tile_.x, tile_.y, of.kind, pc);
  warnings_.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, of.core->where(),
      (access.is_read ? "reads " : "writes ") + std::to_string(access.bytes) + " bytes at " +
          beyond + (at.empty() ? ", at pc " + foundation::hex(pc) : "\n  in " + at)));
}

}  // namespace tvp::platform
