#include "platform/checks/memory/left_state.h"

#include <string>

#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

std::string counted_text(std::uint32_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

Probe::Kinds LeftState::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kMailbox) | Probe::bit(Kind::kProgramEnds);
}

void LeftState::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      links_[event.agent == BusMaster::kNoc1 ? 1 : 0] =
          event.is_linked ? Access{event.core, event.pc} : Access{};
      return;
    case Kind::kMailbox: {
      Mailbox& box =
          mailboxes_.at(static_cast<unsigned>(event.core)).at(static_cast<unsigned>(event.agent));
      box.words = event.packets;
      if (event.is_written) box.pc = event.pc;
      return;
    }
    default:
      program_ends();
  }
}

void LeftState::program_ends() {
  report_links();
  report_mailboxes();
  links_ = {};
  for (auto& of_sender : mailboxes_)
    for (Mailbox& box : of_sender) box.pc = 0;
}

void LeftState::report_links() {
  for (unsigned niu = 0; niu < kNius; ++niu) {
    const Access& link = links_.at(niu);
    if (link.core == BusMaster::kDebug) continue;
    warn(link.core, "the last request of NIU " + std::to_string(niu) +
                        " is linked, so its path stays reserved after the program, and the NIU "
                        "starts no other request. Expected a last request without `linked`." +
                        at(link.core, link.pc));
  }
}

/// Words of an earlier program have been reported.
void LeftState::report_mailboxes() {
  for (unsigned from = 0; from < kMasters; ++from)
    for (unsigned to = 0; to < kMasters; ++to) {
      const Mailbox& box = mailboxes_.at(from).at(to);
      if (box.words == 0 || box.pc == 0) continue;
      const auto sender = static_cast<BusMaster>(from), receiver = static_cast<BusMaster>(to);
      warn(sender, "leaves " + counted_text(box.words, "word") + " in the mailbox to " +
                       WriterText::core_name(receiver) +
                       " at the end of the program, so the next read there gets a word of an "
                       "earlier call. Expected as many reads of " +
                       WriterText::core_name(receiver) +
                       " as words. Make all threads call the "
                       "functions that exchange words, e.g. read_tile_value." +
                       at(sender, box.pc));
    }
}

}  // namespace tvp::checks
