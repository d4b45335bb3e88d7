#include "platform/checks/coprocessor/dst_races.h"

#include <algorithm>

#include "foundation/regs/tensix_dst.h"
#include "platform/checks/coprocessor/instructions.h"

namespace tvp::checks {

namespace dst = regs::dst;
using Kind = ProbeEvent::Kind;
using Layout = ProbeEvent::Layout;

namespace {

/// Calls with each row of the storage behind row `row` of Dst.
template <typename Call>
void for_storage(unsigned row, Layout layout, const Call& call) {
  const unsigned wrapped = row % dst::kRows;
  const unsigned first = layout == Layout::kRows16 ? wrapped : dst::adjusted(wrapped);
  call(first);
  if (layout == Layout::kRows32) call(first + dst::kBlockRows);
}

/// The thread's instruction that uses Dst: for an unpacker that waited, it is not at the gate.
support::Offered user_of(const ProbeEvent& event) {
  if (event.kind != Kind::kDstWritten) return event.offered;
  return {.instruction = event.instruction, .pc = event.pc, .thread = event.thread};
}

}  // namespace

Probe::Kinds DstRaces::kinds() const {
  if (!tile_.looks_at_l1()) return 0;
  return Probe::bit(Kind::kDstRead) | Probe::bit(Kind::kDstWritten) |
         Probe::bit(Kind::kDstChanged) | Probe::bit(Kind::kDstLoaded);
}

void DstRaces::on(const ProbeEvent& event) {
  if (readers_.empty()) [[unlikely]] {
    readers_.resize(kBlocks);
    writers_.resize(kBlocks);
  }
  switch (event.kind) {
    case Kind::kDstRead:
      return read(event);
    case Kind::kDstWritten:
      return written(event);
    case Kind::kDstChanged:
      look_at_reader(event.index, event);
      return look_at_writer(event.index, event);
    default:
      return look_at_writer(event.index, event);
  }
}

void DstRaces::read(const ProbeEvent& event) {
  const Cycle end = event.cycle + event.rows;
  support::DstInterest& interest = tile_.probe->dst();
  interest.want_until(end);
  User reader{.instruction = event.instruction,
              .thread = event.thread,
              .issued = event.cycle,
              .until = end};
  for (unsigned i = 0; i < event.units; ++i) {
    unsigned row = event.index + i * event.value;
    for (Cycle from = event.cycle; from < end;) {
      // The block of eight rows is free when its last one has been read.
      const unsigned rows = dst::kBlockRows - row % dst::kBlockRows;
      reader.until = std::min(from + rows, end);
      for_storage(row, event.layout, [&](unsigned at) { read_block(at, reader, event, interest); });
      row += rows;
      from += rows;
    }
  }
}

void DstRaces::written(const ProbeEvent& event) {
  tile_.probe->dst().want_until(event.done);
  latest_write_ = std::max(latest_write_, event.done);
  for (unsigned i = 0; i < event.rows; ++i) {
    const unsigned row = event.index + i;
    if (i != 0 && row % dst::kBlockRows != 0) continue;
    for_storage(row, event.layout, [&](unsigned at) { write_block(at, event); });
  }
}

inline void DstRaces::read_block(unsigned row, const User& reader, const ProbeEvent& event,
                                 support::DstInterest& interest) {
  const unsigned block = row / dst::kBlockRows;
  Cycle changes_before = reader.until;
  if (event.cycle < latest_write_) [[unlikely]] {
    look_at_writer(row, event);
    changes_before = std::max(changes_before, writers_[block].until);
  }
  readers_[block] = reader;
  interest.want_changes(row, changes_before);
}

void DstRaces::write_block(unsigned row, const ProbeEvent& event) {
  const unsigned block = row / dst::kBlockRows;
  look_at_reader(row, event);
  writers_[block] = {.instruction = event.instruction,
                     .thread = event.thread,
                     .issued = event.cycle,
                     .until = event.done};
  tile_.probe->dst().want_changes(row, std::max(readers_[block].until, event.done));
  tile_.probe->dst().want_loads(row, event.done);
}

void DstRaces::look_at_reader(unsigned row, const ProbeEvent& event) const {
  const User& reader = readers_[row / dst::kBlockRows];
  if (event.cycle >= reader.until) return;
  report_race(row, "changes", "packers still read it", reader,
              "A row may change only after the packers have read it. Put a STALLWAIT for the "
              "packers, or a tile_regs_acquire, before the change",
              event);
}

void DstRaces::look_at_writer(unsigned row, const ProbeEvent& event) const {
  const User& writer = writers_[row / dst::kBlockRows];
  if (event.cycle >= writer.until) return;
  report_race(row, "uses", "an unpacker still writes it", writer,
              "A row may be used only after the unpacker has written it. Put a STALLWAIT for the "
              "unpacker before the use",
              event);
}

void DstRaces::report_race(unsigned row, const char* does, const std::string& meanwhile,
                           const User& other, const std::string& advice,
                           const ProbeEvent& event) const {
  const support::Offered user = user_of(event);
  report(tile_.waits, tile_.where + ".coprocessor.T" + std::to_string(user.thread),
         instruction_text(user.instruction, user.thread) + " " + does + " row " +
             std::to_string(row) + " of Dst at cycle " + std::to_string(event.cycle) + ", while " +
             meanwhile + " (" + instruction_text(other.instruction, other.thread) +
             ", from cycle " + std::to_string(other.issued) + " to " + std::to_string(other.until) +
             "): a wait is missing. " + advice + origin_text(user));
}

}  // namespace tvp::checks
