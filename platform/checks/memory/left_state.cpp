#include "platform/checks/memory/left_state.h"

#include <string>

#include "foundation/regs/overlay.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

std::string counted_text(std::uint32_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Threads of the coprocessor count by the scalar unit: T2 pushes and T0 pops.
BusMaster core_of(BusMaster agent, bool is_push) {
  if (agent != BusMaster::kThcon) return agent;
  return is_push ? BusMaster::kT2 : BusMaster::kT0;
}

}  // namespace

Probe::Kinds LeftState::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kMailbox) | Probe::bit(Kind::kBuffer) |
         Probe::bit(Kind::kStreamRead) | Probe::bit(Kind::kStreamWritten) |
         Probe::bit(Kind::kProgramEnds);
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
    case Kind::kBuffer:
      if (event.index < kBuffers && !event.is_own)
        buffers_.at(event.index) = {.pages = event.packets};
      return;
    case Kind::kStreamRead:
      if (event.stream < kBuffers && event.index == regs::overlay::kRemoteDestBufSize) waits(event);
      return;
    case Kind::kStreamWritten:
      if (event.stream < kBuffers && buffers_.at(event.stream).pages != 0) counted(event);
      return;
    default:
      program_ends();
  }
}

void LeftState::counted(const ProbeEvent& event) {
  Pages& buffer = buffers_.at(event.stream);
  const bool is_reset = event.pushed == 0 || (event.popped == 0 && buffer.popped != 0);
  if (is_reset) {  // firmware resets the counts, also after a kernel
    report_pages(event.stream);
    buffer = {.pages = buffer.pages};
    return;
  }
  if (event.pushed != buffer.pushed) buffer.last_push = {core_of(event.agent, true), event.pc};
  if (event.popped != buffer.popped) buffer.last_pop = {core_of(event.agent, false), event.pc};
  buffer.pushed = event.pushed;
  buffer.popped = event.popped;
}

void LeftState::waits(const ProbeEvent& event) {
  if (event.packets == 0) return;
  Pages& buffer = buffers_.at(event.stream);
  const auto count = static_cast<std::uint16_t>(event.packets - 1);
  const auto more = static_cast<std::int16_t>(count - buffer.awaited);
  if (buffer.waiter.core != BusMaster::kDebug && more <= 0) return;
  buffer.waiter = {event.agent, event.pc};
  buffer.awaited = count;
}

void LeftState::program_ends() {
  report_links();
  report_mailboxes();
  for (unsigned i = 0; i < kBuffers; ++i) report_pages(i);
  links_ = {};
  buffers_ = {};
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

/// The counts are of 16 bits.
void LeftState::report_pages(unsigned number) {
  const Pages& buffer = buffers_.at(number);
  const auto left = static_cast<std::int16_t>(buffer.pushed - buffer.popped);
  if (left <= 0) return;
  if (buffer.popped == 0) {
    const auto unseen = static_cast<std::int16_t>(buffer.pushed - buffer.awaited);
    if (buffer.waiter.core == BusMaster::kDebug || unseen <= 0) return;
    warn(buffer.waiter.core,
         "waits for " + counted_text(buffer.awaited, "page") + " of circular buffer " +
             std::to_string(number) + " and pops none, but " + std::to_string(buffer.pushed) +
             " are pushed. Expected a cb_pop_front for each pushed page. Add one, or wait for all "
             "pages." +
             at(buffer.waiter.core, buffer.waiter.pc) + "\n  The last push was" +
             at(buffer.last_push.core, buffer.last_push.pc));
    return;
  }
  warn(buffer.last_push.core,
       "circular buffer " + std::to_string(number) + " still holds " +
           counted_text(static_cast<std::uint32_t>(left), "page") +
           " at the end of the program: " + std::to_string(buffer.pushed) + " were pushed, and " +
           WriterText::core_name(buffer.last_pop.core) + " has popped " +
           std::to_string(buffer.popped) +
           ". Expected a cb_pop_front for each pushed page. Check the numbers of pages of both "
           "kernels." +
           at(buffer.last_push.core, buffer.last_push.pc) + "\n  The last pop was" +
           at(buffer.last_pop.core, buffer.last_pop.pc));
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
