#include "platform/checks/memory/dram_accesses.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "platform/checks/record/signalled_writes.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

noc::Node node_of(const ProbeEvent& access) { return {access.x1, access.y1}; }
bool reads(const ProbeEvent& access) { return access.request == ProbeEvent::Request::kRead; }

}  // namespace

Probe::Kinds DramAccesses::kinds() const {
  return tile_.dram == nullptr ? 0 : Probe::bit(Kind::kCommand) | KernelArguments::kinds();
}

/// The host has announced a kernel or one of its arguments.
void DramAccesses::announced(const ProbeEvent& event) {
  if (!arguments_.announced(event) || event.kind != Kind::kArgument) return;
  const TileContext::Core& core = *tile_.core(event.core);
  tile_.dram->given(event.value, core.where, tile_.names.kernel(tile_.owner(core)));
}

/// A number among the arguments may equal an address by chance, for example 32, the address of the
/// first buffer. Therefore the address of the buffer before must be an argument, too.
bool DramAccesses::went_on(BusMaster core, const DramBuffers::Found& found) {
  // An argument may be the address of a page within the buffer.
  return found.before && arguments_.has(core, *found.before) &&
         !arguments_.has_any(core, found.buffer, found.bank_bytes, std::max(found.page_bytes, 1U));
}

/// True if L1 contains the buffer's address, for example in a table of the kernel.
bool DramAccesses::is_stored(const ProbeEvent& access, const DramBuffers::Found& found) {
  const auto buffer = static_cast<std::uint32_t>(found.buffer);
  const std::array on_tile{
      static_cast<std::uint32_t>(access.remote_address),
      static_cast<std::uint32_t>(access.remote_address - found.address) + buffer};
  return arguments_.is_in_l1(access.core, buffer, on_tile);
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
  if (!arguments_.has_kernel(event.core)) return;
  if ((found.beyond.empty() && !went_on(event.core, found)) || is_reported(event)) return;
  if (!found.beyond.empty()) {
    warn_of(event, found.beyond +
                       ". Expected an access within a buffer. Check the address, the number of "
                       "the page and the number of bytes.");
  } else if (!is_stored(event, found)) {
    warn_of(event, not_given(found));
  }
}

void DramAccesses::note_written(const ProbeEvent& access) {
  DramBuffers::Command command{.cycle = access.cycle,
                               .x = tile_.x,
                               .y = tile_.y,
                               .core = access.core,
                               .pc = arguments_.has_kernel(access.core) ? access.pc : 0};
  if (tile_.signals != nullptr) {
    command.moment = tile_.signals->moment();
    command.heard = tile_.signals->heard(tile_.x, tile_.y);
  }
  command.sample = sample_of(access);
  std::string of_nothing;
  if (tile_.record != nullptr && access.is_local) {
    command.from = static_cast<std::uint32_t>(access.address);
    const L1InFlight& l1 = tile_.record->l1;
    if (const auto* const made = l1.last_writer(command.from); made != nullptr)
      command.made = *made;
    if (l1.is_unwritten(command.from, access.bytes)) of_nothing = sender_of_nothing(access);
  }
  const auto rival = tile_.dram->written(node_of(access), access.remote_address, access.bytes,
                                         of_nothing, command);
  if (rival && rival->pc != 0 && command.pc != 0) warn_of_rival(access, *rival);
}

/// The first and the last bytes of the data.
std::uint64_t DramAccesses::sample_of(const ProbeEvent& access) const {
  std::uint64_t first = 0, last = 0;
  const std::size_t bytes = std::min<std::size_t>(access.bytes, sizeof first);
  if (!access.is_local || access.address + access.bytes > tile_.l1.size()) return 0;
  std::memcpy(&first, tile_.l1.data() + access.address, bytes);
  std::memcpy(&last, tile_.l1.data() + access.address + access.bytes - bytes, bytes);
  return first ^ (last << 1 | last >> 63);
}

void DramAccesses::warn_of_rival(const ProbeEvent& access, const DramBuffers::Command& rival) {
  if (is_reported(access)) return;
  reported_.emplace_back(access.core, access.pc);
  const WriterText text(tile_.chip, tile_.names, false);
  const DramBuffers::Place place = tile_.dram->place_of(node_of(access), access.remote_address);
  const std::string page = tile_.dram->page_text(node_of(access), access.remote_address);
  warn(
      access.core,
      "writes " + std::to_string(access.bytes) + " bytes at address " +
          foundation::hex(place.address) + " of DRAM bank " + std::to_string(place.bank) +
          (page.empty() ? "" : ", in " + page) + ", where " +
          text.core(rival.x, rival.y, rival.core) + " has written other data in cycle " +
          std::to_string(rival.cycle) +
          ", and nothing orders the two writes. Expected one writer of each page, or a signal from "
          "the first to the second. Check the number of the page." +
          at(access.core, access.pc) +
          "\n  The other write:" + text.at(rival.x, rival.y, rival.core, rival.pc, rival.cycle));
}

/// The text of the warning that the host gets when it reads the place.
std::string DramAccesses::sender_of_nothing(const ProbeEvent& access) {
  const TileContext::Core* const by = tile_.core(access.core);
  if (by == nullptr) return {};
  return by->where + " has sent " + std::to_string(access.bytes) + " bytes of its L1 from " +
         foundation::hex(static_cast<std::uint32_t>(access.address)) +
         ", where nothing has ever been written. Expected data there. Add a noc_async_read "
         "before, or check the address in L1." +
         at(access.core, access.pc);
}

bool DramAccesses::is_reported(const ProbeEvent& access) {
  if (reported_at_ != tile_.dram->changes()) {
    reported_.clear();
    arguments_.forget_l1();
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
