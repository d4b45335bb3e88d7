#include "platform/checks/memory/unfinished_transfers.h"

#include "foundation/hex.h"
#include "platform/checks/coprocessor/instructions.h"

namespace tvp::checks {

namespace {

std::string unit_text(BusMaster agent) {
  switch (agent) {
    case BusMaster::kUnpacker0:
    case BusMaster::kUnpacker1:
      return "unpacker " +
             std::to_string(static_cast<int>(agent) - static_cast<int>(BusMaster::kUnpacker0));
    case BusMaster::kPacker0:
    case BusMaster::kPacker1:
    case BusMaster::kPacker2:
    case BusMaster::kPacker3:
      return "packer " +
             std::to_string(static_cast<int>(agent) - static_cast<int>(BusMaster::kPacker0));
    case BusMaster::kMover:
      return "the mover";
    case BusMaster::kB:
      return "BRISC";
    case BusMaster::kNc:
      return "NCRISC";
    case BusMaster::kT0:
    case BusMaster::kT1:
    case BusMaster::kT2:
      return "TRISC" + std::to_string(static_cast<int>(agent) - static_cast<int>(BusMaster::kT0));
    case BusMaster::kNoc0:
      return "NIU 0";
    case BusMaster::kNoc1:
      return "NIU 1";
    default:
      return "agent " + std::to_string(static_cast<int>(agent));
  }
}

/// "packer 0 (PACR … of T2)", "NIU 0 (a read that NCRISC started at pc 0x5120)".
std::string who(const L1InFlight::Transfer& transfer) {
  const L1Access& access = transfer.access;
  std::string text = unit_text(access.agent);
  if (transfer.is_command) {
    return text + " (a " + (transfer.is_write ? "read" : "write") + " that " +
           unit_text(transfer.core) + " started at pc " + foundation::hex(transfer.pc) + ")";
  }
  if (access.instruction != 0) {
    text += " (" + instruction_text(access.instruction, access.thread) + ")";
  }
  return text;
}

/// "from cycle 10 to 50".
std::string when(const L1InFlight::Transfer& transfer) {
  const std::string from = ", from cycle " + std::to_string(transfer.access.now);
  return transfer.is_command ? from + " on, which is not over"
                             : from + " to " + std::to_string(transfer.access.done);
}

std::string does(const L1InFlight::Transfer& transfer) {
  return std::string(transfer.is_write ? " writes" : " reads") + " L1 " +
         foundation::hex(transfer.access.address) + " to " +
         foundation::hex(transfer.access.address + transfer.access.bytes - 1);
}

}  // namespace

Probe::Kinds UnfinishedTransfers::kinds() const {
  if (!tile_.is_tensix() || tile_.waits == TileContext::Waits::kOff) return 0;
  return TileRecord::kinds() | Probe::bit(ProbeEvent::Kind::kAnnounce);
}

void UnfinishedTransfers::report_missing_wait(const std::string& where, const std::string& text,
                                              const support::Offered& offered,
                                              const std::string& hint) const {
  Check::report(tile_.waits, where,
                text + origin_text(offered) +
                    ". Expected the first transfer to be over, but a wait is missing. Add a "
                    "barrier or a STALLWAIT before the second one." +
                    hint);
}

/// How the page of a circular buffer came to be read while it is filled.
std::string UnfinishedTransfers::hint_of(const TileRecord::Overlap& found) const {
  if (!found.first.is_write || found.second.is_write) return {};
  const auto pushed = tile_.record->page_uses.is_pushed(found.second.access.address);
  if (!pushed) return {};
  if (!*pushed)
    return " The bytes are in a page of a circular buffer that no core has pushed: a cb_wait_front "
           "for it is missing, or waits for too few pages.";
  return found.first.is_command
             ? " The bytes are in a page of a circular buffer that was pushed before its data has "
               "arrived: a noc_async_read_barrier before the cb_push_back is missing."
             : "";
}

void UnfinishedTransfers::on(const ProbeEvent& event) {
  if (event.kind == ProbeEvent::Kind::kAnnounce) return announced(event);
  for (const TileRecord::Overlap& each : tile_.record->found().overlaps) report(each);
}

void UnfinishedTransfers::announced(const ProbeEvent& event) const {
  const L1InFlight::Transfer* const first =
      tile_.record->l1.under_way_by(event.thread, event.cycle);
  if (first == nullptr) return;
  report_missing_wait(tile_.where + ".coprocessor.T" + std::to_string(event.thread),
                      instruction_text(event.instruction, event.thread) +
                          " notifies other cores at cycle " + std::to_string(event.cycle) +
                          ", while " + who(*first) + does(*first) + when(*first),
                      event.offered);
}

void UnfinishedTransfers::report(const TileRecord::Overlap& found) const {
  const auto& [first, second] = found;
  const std::string where = tile_.where + ".coprocessor";
  const bool of_thread = second.access.instruction != 0;
  // The line of the second one is in the report anyway.
  const auto thread =
      static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + first.access.thread);
  const bool is_pushed = !first.is_command && first.access.instruction != 0 && first.pc != 0;
  const std::string pushed =
      is_pushed ? "\n  The first one was pushed" + at(thread, first.pc) : std::string();
  const std::string by = of_thread ? where + ".T" + std::to_string(second.access.thread) : where;
  report_missing_wait(by,
                      who(second) + does(second) + " from cycle " +
                          std::to_string(second.access.now) + " on" +
                          (second.is_write ? tile_.record->l1.sender_text() : std::string()) +
                          ", while " + who(first) + does(first) + when(first),
                      tile_.record->l1.offered(), hint_of(found) + pushed);
}

}  // namespace tvp::checks
