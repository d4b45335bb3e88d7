#include "platform/checks/memory/changed_l1.h"

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds ChangedL1::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramBegins) | Probe::bit(Kind::kProgramEnds) |
         Probe::bit(Kind::kGiven);
}

void ChangedL1::on(const ProbeEvent& event) {
  if (event.kind == Kind::kGiven) {
    if (event.address > tile_.l1.size() || event.bytes > tile_.l1.size() - event.address) return;
    const auto there = tile_.l1.subspan(event.address, event.bytes);
    given_.push_back({.address = static_cast<std::uint32_t>(event.address),
                      .number = event.index,
                      .bytes = {there.begin(), there.end()}});
  } else if (event.kind == Kind::kProgramBegins) {
    if (tile_.l1.size() < kJumpBytes) return;
    runs_ = true;
    jump_.assign(tile_.l1.begin(), tile_.l1.begin() + kJumpBytes);
  } else {
    if (const std::string text = changed(); !text.empty())
      tile_.warnings.warn({foundation::FaultKind::kFirmware, tile_.where, text});
    runs_ = false;
    given_.clear();
  }
}

std::vector<foundation::Fault> ChangedL1::found_so_far(bool /*is_idle*/) const {
  const std::string text = changed();
  if (text.empty()) return {};
  return {foundation::Fault(foundation::FaultKind::kFirmware, tile_.where, text)};
}

/// Code has priority: overwritten code may be the cause of the other changes.
std::string ChangedL1::changed() const {
  const std::string code = changed_code();
  return code.empty() ? changed_given() : code;
}

std::string ChangedL1::changed_code() const {
  if (!runs_) return {};
  std::uint32_t address = 0;
  std::string of;
  if (const auto jump = first_difference(tile_.l1, 0, jump_)) {
    address = *jump;
    of = "the jump by which BRISC comes out of reset";
  } else if (const auto change = tile_.code->change(tile_.l1)) {
    address = change->address;
    for (const TileContext::Core& core : tile_.cores)
      if (core.number == change->core) {
        const std::string at = tile_.names.describe(tile_.owner(core), address);
        of = "code of " + core.where + (at.empty() ? "" : ", " + at);
      }
  } else {
    return {};
  }
  return overwritten(address, of);
}

std::string ChangedL1::changed_given() const {
  using Use = TileContext::Given::Use;
  for (const Given& given : given_) {
    const TileContext::Given& place = tile_.given->at(given.number);
    if (place.use == Use::kShared) continue;
    for (std::uint32_t i = 0; i < given.bytes.size(); ++i) {
      const std::uint32_t address = given.address + i;
      if (tile_.l1[address] == given.bytes[i]) continue;
      if (place.use == Use::kStored && !is_foreign(address)) continue;
      if (place.use == Use::kUnused && is_foreign(address)) continue;  // see UnsetAtomics
      const std::string number = place.each == 0 ? "" : " " + std::to_string(i / place.each);
      return overwritten(address, place.what + number);
    }
  }
  return {};
}

std::string ChangedL1::overwritten(std::uint32_t address, const std::string& what) const {
  return "a kernel has overwritten L1 at " + foundation::hex(address) + ", " + what +
         ". Expected that no kernel writes there. Check the address of the write. " +
         writer_of(address);
}

bool ChangedL1::is_foreign(std::uint32_t address) const {
  const LastWriters::Write* const write = tile_.record->l1.last_writer(address);
  return write != nullptr && write->agent > BusMaster::kT2 && write->agent != BusMaster::kThcon &&
         write->agent != BusMaster::kDebug;
}

std::string ChangedL1::writer_of(std::uint32_t address) const {
  const LastWriters::Write* const write = tile_.record->l1.last_writer(address);
  if (write == nullptr || write->agent == BusMaster::kDebug)
    return "A core of this tile stored there. Run with --set keep_stores=true to see which one.";
  return WriterText(tile_.chip, tile_.names, tile_.record->l1.keeps_stores())
      .written(tile_.x, tile_.y, *write);
}

}  // namespace tvp::checks
