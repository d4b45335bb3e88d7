#include "platform/checks/memory/dram_accesses.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

noc::Node node_of(const ProbeEvent& access) { return {access.x1, access.y1}; }
bool reads(const ProbeEvent& access) { return access.request == ProbeEvent::Request::kRead; }

}  // namespace

DramAccesses::DramAccesses(const TileContext& tile) : Check(tile) {
  for (const TileContext::Core& core : tile.cores) cores_.push_back({.core = core});
}

Probe::Kinds DramAccesses::kinds() const {
  if (tile_.dram == nullptr) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kKernel) | Probe::bit(Kind::kArgument);
}

DramAccesses::KnownCore* DramAccesses::known(BusMaster core) {
  for (KnownCore& each : cores_)
    if (each.core.master == core) return &each;
  return nullptr;
}

/// The host has announced a kernel or one of its arguments.
void DramAccesses::announced(const ProbeEvent& event) {
  KnownCore* const core = known(event.core);
  if (core == nullptr) return;
  if (event.kind == Kind::kKernel) {
    core->given.clear();
    core->stored.clear();
    return;
  }
  core->given.push_back(event.value);
  core->is_sorted = false;
  tile_.dram->given(event.value, core->core.where);
}

/// A number among the arguments may equal an address by chance, for example 32, the address of the
/// first buffer. Therefore the address of the buffer before must be an argument, too.
bool DramAccesses::went_on(KnownCore& by, const DramBuffers::Found& found) {
  std::vector<std::uint32_t>& given = by.given;
  if (!by.is_sorted) std::sort(given.begin(), given.end());
  by.is_sorted = true;
  if (!found.before || !std::binary_search(given.begin(), given.end(), *found.before)) return false;
  // An argument may be the address of a page within the buffer.
  const std::uint64_t step = std::max(found.page_bytes, 1U);
  return std::none_of(given.begin(), given.end(), [&](std::uint32_t word) {
    return word >= found.buffer && word - found.buffer < found.bank_bytes &&
           (word - found.buffer) % step == 0;
  });
}

/// True if L1 contains the buffer's address, for example in a table of the kernel. L1 also contains
/// the arguments of the tile's kernels, which may have the address. It is in a table if L1 contains
/// it more often than the arguments do.
bool DramAccesses::is_stored(KnownCore& by, const ProbeEvent& access,
                             const DramBuffers::Found& found) const {
  if (std::find(by.stored.begin(), by.stored.end(), found.buffer) != by.stored.end()) return true;
  const auto buffer = static_cast<std::uint32_t>(found.buffer),
             on_tile = static_cast<std::uint32_t>(access.remote_address),
             begin_on_tile =
                 static_cast<std::uint32_t>(access.remote_address - found.address) + buffer;
  std::ptrdiff_t stands = 0;
  for (const KnownCore& known : cores_)
    stands -= std::count(known.given.begin(), known.given.end(), buffer);
  for (std::size_t at = 0; at + sizeof buffer <= tile_.l1.size() && stands <= 0;
       at += sizeof buffer) {
    std::uint32_t word = 0;
    std::memcpy(&word, tile_.l1.data() + at, sizeof word);
    if (word == buffer || word == on_tile || word == begin_on_tile) ++stands;
  }
  if (stands <= 0) return false;
  by.stored.push_back(found.buffer);
  return true;
}

std::string DramAccesses::not_given(const DramBuffers::Found& found) {
  return "address " + foundation::hex(found.address) + " of DRAM bank " +
         std::to_string(found.bank) + ", in the buffer at " + foundation::hex(found.buffer) +
         ", whose address is not among the arguments of its kernel. Expected an address in the "
         "buffer at " +
         foundation::hex(*found.before) + ", which is one. Check the number of the page.";
}

void DramAccesses::on(const ProbeEvent& event) {
  if (event.kind != Kind::kCommand) return announced(event);
  if (event.remote != ProbeEvent::Place::kDram || event.bytes == 0 || event.is_broadcast) return;
  if (!reads(event)) note_written(event);
  const DramBuffers::Found found =
      tile_.dram->look_up(node_of(event), event.remote_address, event.bytes);
  if (found.beyond.empty() && !found.before) return;
  KnownCore* const by = known(event.core);
  if (by == nullptr || (found.beyond.empty() && !went_on(*by, found)) || is_reported(event)) return;
  if (!found.beyond.empty()) {
    warn_of(event, found.beyond +
                       ". Expected an access within a buffer. Check the address, the number of "
                       "the page and the number of bytes.");
  } else if (!is_stored(*by, event, found)) {
    warn_of(event, not_given(found));
  }
}

void DramAccesses::note_written(const ProbeEvent& access) {
  DramBuffers::Command command{.cycle = access.cycle,
                               .x = tile_.x,
                               .y = tile_.y,
                               .core = access.core,
                               .pc = known(access.core) == nullptr ? 0 : access.pc};
  std::string of_nothing;
  if (tile_.record != nullptr && access.is_local) {
    command.from = static_cast<std::uint32_t>(access.address);
    const L1InFlight& l1 = tile_.record->l1;
    if (const auto* const made = l1.last_writer(command.from); made != nullptr)
      command.made = *made;
    if (l1.is_unwritten(command.from, access.bytes)) of_nothing = sender_of_nothing(access);
  }
  tile_.dram->written(node_of(access), access.remote_address, access.bytes, of_nothing, command);
}

/// The text of the warning that the host gets when it reads the place.
std::string DramAccesses::sender_of_nothing(const ProbeEvent& access) {
  const KnownCore* const by = known(access.core);
  if (by == nullptr) return {};
  return by->core.where + " has sent " + std::to_string(access.bytes) + " bytes of its L1 from " +
         foundation::hex(static_cast<std::uint32_t>(access.address)) +
         ", where nothing has ever been written. Expected data there. Check the address in L1." +
         at(access.core, access.pc);
}

bool DramAccesses::is_reported(const ProbeEvent& access) {
  if (reported_at_ != tile_.dram->changes()) {
    reported_.clear();
    for (KnownCore& each : cores_) each.stored.clear();
  }
  reported_at_ = tile_.dram->changes();
  return std::find(reported_.begin(), reported_.end(), std::make_pair(access.core, access.pc)) !=
         reported_.end();
}

void DramAccesses::warn_of(const ProbeEvent& access, const std::string& beyond) {
  reported_.emplace_back(access.core, access.pc);
  warn(access.core, (reads(access) ? "reads " : "writes ") + std::to_string(access.bytes) +
                        " bytes at " + beyond + at(access.core, access.pc));
}

}  // namespace tvp::checks
