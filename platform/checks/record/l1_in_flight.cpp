#include "platform/checks/record/l1_in_flight.h"

#include "foundation/hex.h"
#include "foundation/regs/overlay.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

std::string L1InFlight::sender_text() const {
  static constexpr const char* kNames[] = {"BRISC",  "NCRISC", "TRISC0",
                                           "TRISC1", "TRISC2", "ERISC"};
  if (!sender_.is_foreign() || sender_.core > BusMaster::kE || sender_.pc == 0) return {};
  return " (a write that (" + std::to_string(sender_.x) + ", " + std::to_string(sender_.y) +
         ") of NoC 0 sent, by " + kNames[static_cast<unsigned>(sender_.core)] + " at pc " +
         foundation::hex(sender_.pc) + ")";
}

inline L1InFlight::Side L1InFlight::side_of(BusMaster agent) {
  switch (agent) {
    case BusMaster::kB:
    case BusMaster::kNc:
    case BusMaster::kT0:
    case BusMaster::kT1:
    case BusMaster::kT2:
      return Side::kCores;
    case BusMaster::kUnpacker0:
    case BusMaster::kUnpacker1:
      return Side::kUnpackers;
    case BusMaster::kPacker0:
    case BusMaster::kPacker1:
    case BusMaster::kPacker2:
    case BusMaster::kPacker3:
      return Side::kPackers;
    case BusMaster::kMover:
      return Side::kMover;
    case BusMaster::kNoc0:
    case BusMaster::kNoc1:
      return Side::kNius;
    default:
      return Side::kOthers;
  }
}

/// A NIU reads the data that it sends from the front, 32 bytes a cycle (ISA NoC/README.md). Other
/// agents may write the bytes that it has read. Packers also go from the front and are slower. They
/// stay behind the NIU if they are behind it at their first byte.
bool L1InFlight::behind_reading_niu(const Transfer& earlier, const Transfer& transfer) {
  constexpr std::uint32_t kNiuBytes = 32;
  const L1Access &niu = earlier.access, &writer = transfer.access;
  if (earlier.is_write || side_of(niu.agent) != Side::kNius) return false;
  const Cycle rest = std::min<Cycle>(niu.bytes, kNiuBytes * (niu.done - writer.now));
  const std::uint32_t unread = niu.address + niu.bytes - static_cast<std::uint32_t>(rest);
  const bool packs = side_of(writer.agent) == Side::kPackers;
  return (packs ? std::max(writer.address, niu.address) + 1 : writer.address + writer.bytes) <=
         unread;
}

void L1InFlight::look_at(const L1Access& access, bool is_write) {
  const Side side = side_of(access.agent);
  if (program_began_ == kNever) [[unlikely]]
    program_began_ = access.now;
  if (is_write && side != Side::kCores) note_writer(access, side);
  if (is_write && side == Side::kCores && keeps_stores_) [[unlikely]] {
    stores_.note(access.address, access.bytes,
                 {.cycle = access.now,
                  .pc = pc_of(access.agent),
                  .core = access.agent,
                  .agent = access.agent});
  }
  if (side == Side::kOthers) return;
  if (side == Side::kPackers && is_write && page_uses_ != nullptr && page_uses_->on())
    page_uses_->used_by_thread(access.thread, access.address, access.bytes, true);
  if (side == Side::kNius && is_write && page_uses_ != nullptr) report_foreign_write(access);
  const Transfer transfer{.access = access, .is_write = is_write, .pc = pushed_at_};
  if (side != Side::kNius && may_meet_commands(access)) hold_to_commands(transfer, side);
  hold_to_under_way(transfer, side);
  if (side == Side::kCores) return;
  const bool goes_on = access.done > access.now && count_ < kMost;
  if (goes_on) under_way_[count_++] = transfer;
  if (has_removed_) return find_lowest();
  if (goes_on && side != Side::kNius)
    set_limits(std::min(lowest_, access.address), std::max(end_, access.address + access.bytes));
}

void L1InFlight::note_writer(const L1Access& access, Side side) {
  written_.note(access.address, access.bytes);
  LastWriters::Write write{.cycle = access.now, .agent = access.agent};
  PageUses::User own;
  if (side == Side::kPackers) {
    write.core = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + access.thread);
    write.pc = page_uses_ == nullptr ? 0 : page_uses_->pushed_at();
  } else if (side == Side::kNius &&
             has_command(access.address, access.address + access.bytes, true, own)) {
    write.core = own.core;
    write.pc = own.pc;
  } else if (side == Side::kNius) {
    write = sender_;
    write.cycle = access.now;
    write.agent = access.agent;
  }
  note_writer(access.address, access.bytes, write);
  if (access.address < guarded_end_) [[unlikely]] {
    const std::uint64_t end = std::uint64_t{access.address} + access.bytes;
    const bool answers = access.address >= kAnswers && end <= kAnswersEnd;
    if (guard_ != nullptr && !answers) guard_->trespassed(write, access.address, access.bytes);
  }
}

/// Reports a NIU's write to PageUses unless it is the answer to a read of a core of this tile.
void L1InFlight::report_foreign_write(const L1Access& access) {
  PageUses::User own;
  if (!has_command(access.address, access.address + access.bytes, true, own))
    page_uses_->written_for_others(access.agent, access.address, access.bytes,
                                   sender_is_here_ ? sender_.core : BusMaster::kDebug);
}

/// Compares a transfer with those under way. Transfers of one side execute in order.
void L1InFlight::hold_to_under_way(const Transfer& transfer, Side side) {
  for (unsigned i = 0; i < count_;) {
    const Transfer& earlier = under_way_[i];
    if (earlier.access.done <= transfer.access.now) {
      under_way_[i] = under_way_[--count_];
      has_removed_ = true;
      continue;
    }
    ++i;
    if (!meet(earlier.access, transfer.access)) continue;
    const Side other = side_of(earlier.access.agent);
    const bool careful = side != other && !(side == Side::kCores && other == Side::kNius);
    if (careful && (transfer.is_write || earlier.is_write) &&
        !behind_reading_niu(earlier, transfer)) [[unlikely]]
      report_too_early(earlier, transfer);
  }
}

/// Compares a transfer with commands of NIUs. Only for cores, data that counts as sent but is still
/// being read is in use: other agents are compared with the NIU's own reads.
void L1InFlight::hold_to_commands(const Transfer& transfer, Side side) {
  for (const Transfer& command : commands_) {
    if (command.access.done <= transfer.access.now) continue;
    if (command.left == 0 && side != Side::kCores) continue;
    if ((transfer.is_write || command.is_write) && meet(command.access, transfer.access)) {
      return report_too_early(command, transfer);
    }
  }
}

void L1InFlight::command_started(BusMaster niu, BusMaster master, std::uint32_t address,
                                 std::uint32_t bytes, bool is_write, Cycle now) {
  if (bytes == 0) return;
  forget_over(now);
  Transfer command{
      .access = {.agent = niu, .address = address, .bytes = bytes, .now = now, .done = kNever},
      .is_write = is_write,
      .is_command = true,
      .core = master,
      .left = bytes};
  command.pc = pc_of(master);
  if (page_uses_ != nullptr && page_uses_->on())
    page_uses_->used({master, command.pc, address, bytes, is_write});
  if (!is_write && arrivals_.any()) {
    arrivals_.sends({UnseenArrivals::Use::Kind::kSends, master, command.pc, address, bytes});
    find_lowest();
  }
  // Several reads may write to the same place: a kernel that measures their latency ignores the
  // data.
  if (may_meet_commands(command.access)) {
    for (const Transfer& earlier : commands_) {
      if (earlier.is_write == is_write || earlier.left == 0) continue;
      if (!meet(earlier.access, command.access)) continue;
      report_too_early(earlier, command);
      break;
    }
  }
  commands_.push_back(command);
  commands_begin_ = std::min(commands_begin_, address);
  commands_end_ = std::max(commands_end_, address + bytes);
  find_lowest();
}

bool L1InFlight::is_unwritten(std::uint32_t address, std::uint32_t bytes) const {
  return address >= stored_end_ && !written_.any(address, bytes);
}

bool L1InFlight::has_command(std::uint32_t begin, std::uint32_t end, bool writes,
                             PageUses::User& found) const {
  if (begin >= commands_end_ || commands_begin_ >= end) return false;
  for (const Transfer& command : commands_) {
    const L1Access& at = command.access;
    if (command.is_write != writes) continue;
    if (at.address >= end || begin >= at.address + at.bytes) continue;
    found = {command.core, command.pc, at.address, at.bytes, writes};
    return true;
  }
  return false;
}

/// The first command that the part may belong to.
L1InFlight::Transfer* L1InFlight::command_of(BusMaster niu, std::uint32_t address,
                                             std::uint32_t bytes, bool is_write) {
  for (Transfer& command : commands_) {
    const L1Access& all = command.access;
    if (all.agent == niu && command.is_write == is_write && address >= all.address &&
        address + bytes <= all.address + all.bytes && command.left >= bytes) {
      return &command;
    }
  }
  return nullptr;
}

void L1InFlight::remove_command(Transfer& command) {
  command = commands_.back();
  commands_.pop_back();
  if (!commands_.empty()) return;
  commands_begin_ = kNowhere;
  commands_end_ = 0;
  find_lowest();
}

void L1InFlight::command_received(BusMaster niu, std::uint32_t address, std::uint32_t bytes) {
  Transfer* const command = command_of(niu, address, bytes, true);
  if (command == nullptr) return;
  command->left -= bytes;
  if (command->left == 0) remove_command(*command);
}

void L1InFlight::command_sent(BusMaster niu, std::uint32_t address, std::uint32_t bytes,
                              Cycle until) {
  Transfer* const command = command_of(niu, address, bytes, false);
  if (command == nullptr) return;
  command->left -= bytes;
  if (command->left != 0) return;
  command->access.done = until;
  ++sent_;
}

void L1InFlight::forget_sent(BusMaster niu) {
  for (std::size_t i = commands_.size(); i-- > 0;) {
    if (commands_[i].left != 0 || commands_[i].access.agent != niu) continue;
    --sent_;
    remove_command(commands_[i]);
  }
}

void L1InFlight::forget_over(Cycle now) {
  if (sent_ == 0) return;
  for (std::size_t i = commands_.size(); i-- > 0;) {
    if (commands_[i].access.done > now) continue;
    --sent_;
    remove_command(commands_[i]);
  }
}

const L1InFlight::Transfer* L1InFlight::under_way_by(unsigned thread, Cycle now) const {
  for (unsigned i = 0; i < count_; ++i) {
    const L1Access& access = under_way_[i].access;
    if (access.instruction != 0 && access.thread == thread && access.done > now) {
      return &under_way_[i];
    }
  }
  return nullptr;
}

void L1InFlight::core_accesses(BusMaster core, std::uint32_t address, std::uint32_t bytes,
                               bool is_write, Cycle now) {
  look_at({.agent = core, .address = address, .bytes = bytes, .now = now, .done = now}, is_write);
  if (!is_write && arrivals_.any())
    arrivals_.loaded({UnseenArrivals::Use::Kind::kLoads, core, pc_of(core), address, bytes});
  forget_over(now);
  find_lowest();
}

void L1InFlight::arrived(const UnseenArrivals::Arrival& arrival) {
  arrivals_.arrived(arrival);
  find_lowest();
}

void L1InFlight::signaled(std::uint32_t address, std::uint32_t bytes) {
  if (!arrivals_.any()) return;
  arrivals_.signaled(address, bytes);
  find_lowest();
}

void L1InFlight::announced_otherwise() {
  if (!arrivals_.any()) return;
  arrivals_.know_all();
  find_lowest();
}

void L1InFlight::pushes(BusMaster core, std::uint32_t pc, unsigned buffer, std::uint32_t begin,
                        std::uint32_t end) {
  arrivals_.pushes({UnseenArrivals::Use::Kind::kPushes, core, pc, begin, end - begin, buffer});
  find_lowest();
}

void L1InFlight::find_lowest() {
  has_removed_ = false;
  std::uint32_t lowest = commands_begin_, end = commands_end_;
  if (arrivals_.any()) {
    lowest = std::min(lowest, arrivals_.begin());
    end = std::max(end, arrivals_.end());
  }
  for (unsigned i = 0; i < count_; ++i) {
    const L1Access& access = under_way_[i].access;
    if (side_of(access.agent) == Side::kNius) continue;
    lowest = std::min(lowest, access.address);
    end = std::max(end, access.address + access.bytes);
  }
  set_limits(lowest, end);
}

inline void L1InFlight::set_limits(std::uint32_t lowest, std::uint32_t end) {
  if (lowest == lowest_ && end == end_) return;
  lowest_ = lowest;
  end_ = end;
  probe_.want_core_accesses(range_, lowest, end);
}

Probe::Kinds L1InFlight::kinds() {
  Probe::Kinds kinds = 0;
  for (const Kind kind : {Kind::kCommand, Kind::kSourceRead, Kind::kAnswer, Kind::kCounterRead,
                          Kind::kRequest, Kind::kServed, Kind::kRead, Kind::kWritten, Kind::kUnpack,
                          Kind::kStreamRead, Kind::kStreamWritten, Kind::kFirstWrite})
    kinds |= Probe::bit(kind);
  return kinds;
}

void L1InFlight::note_source(BusMaster core, std::uint32_t pc, std::uint32_t address) {
  for (Source& each : sources_) {
    if (each.core != core || each.pc != pc) continue;
    each.address = address;
    return;
  }
  sources_[next_source_] = {core, pc, address};
  next_source_ = (next_source_ + 1) % sources_.size();
}

void L1InFlight::on(const ProbeEvent& event) {
  offered_ = event.offered;
  const auto address = static_cast<std::uint32_t>(event.address);
  switch (event.kind) {
    case Kind::kCommand:
      note_pc(event.core, event.pc);
      stored_end_ = event.stored_end;
      if (event.is_local && event.request == ProbeEvent::Request::kWrite)
        note_source(event.core, event.pc, address);
      if (event.is_local)
        command_started(event.agent, event.core, address, event.bytes,
                        event.request == ProbeEvent::Request::kRead, event.cycle);
      return;
    case Kind::kSourceRead:
      return command_sent(event.agent, address, event.bytes, event.done);
    case Kind::kAnswer:
      if (!event.is_local) return;
      command_received(event.agent, address, event.bytes);
      if (event.remote == ProbeEvent::Place::kTensix ||
          event.remote == ProbeEvent::Place::kEthernet)
        announced_otherwise();
      return;
    case Kind::kCounterRead:
      return counters_read(event.agent);
    case Kind::kRequest:
      return requested(event);
    case Kind::kServed:
      return comes_from({});
    case Kind::kRead:
    case Kind::kWritten:
      return accessed(event);
    case Kind::kUnpack:
      pushed_at_ = event.pc;
      stored_end_ = event.stored_end;
      if (page_uses_ != nullptr)
        page_uses_->used_by_thread(event.thread, address, event.bytes, false);
      return;
    case Kind::kStreamRead:
    case Kind::kStreamWritten:
      return stream_counted(event);
    case Kind::kFirstWrite:
      if (page_uses_ != nullptr) page_uses_->written(address, event.bytes);
      return;
    default:
      return;
  }
}

void L1InFlight::accessed(const ProbeEvent& event) {
  const bool is_write = event.kind == ProbeEvent::Kind::kWritten;
  const L1Access access{.agent = event.agent,
                        .address = static_cast<std::uint32_t>(event.address),
                        .bytes = event.bytes,
                        .now = event.cycle,
                        .done = event.done,
                        .instruction = event.instruction,
                        .thread = event.thread};
  if (event.agent <= BusMaster::kT2) {
    note_pc(event.agent, event.pc);
    return core_accesses(event.agent, access.address, access.bytes, is_write, access.now);
  }
  pushed_at_ = event.pc;
  if (!is_write) return read(access);
  if (event.agent == BusMaster::kDebug && page_uses_ != nullptr)
    page_uses_->written_by_host(access.address, access.bytes);
  written(access);
}

/// Data that a core sends to its own tile (`is_own`) is no arrival: cores wait for it by other
/// means.
void L1InFlight::requested(const ProbeEvent& event) {
  const auto address = static_cast<std::uint32_t>(event.address);
  stored_end_ = event.stored_end;
  if (!event.is_local) {
    announced_otherwise();
  } else if (event.request != ProbeEvent::Request::kWrite) {
    signaled(address & ~3U, 4);
  } else if (event.bytes <= UnseenArrivals::kMostOfSignal) {
    signaled(address, event.bytes);
  } else if (!event.is_own) {
    arrived({event.x0, event.y0, address, event.bytes});
  }
  LastWriters::Write sender{.pc = event.pc, .core = event.core};
  sender.x = event.x0;
  sender.y = event.y0;
  comes_from(sender, event.is_own);
}

void L1InFlight::stream_counted(const ProbeEvent& event) {
  namespace overlay = regs::overlay;
  if (page_uses_ == nullptr || !page_uses_->has(event.stream)) return;
  const bool reads = event.kind == ProbeEvent::Kind::kStreamRead;
  const bool moves_data = event.agent == BusMaster::kB || event.agent == BusMaster::kNc;
  if (!reads) (moves_data ? pcs_[static_cast<unsigned>(event.agent)] : pushed_at_) = event.pc;
  if (event.index == overlay::kRemoteDestBufStart) {
    if (reads) return page_uses_->read_popped(event.stream, event.agent, event.packets);
    page_uses_->popped(event.stream, event.popped, event.agent);
  } else if (event.index == overlay::kRemoteDestBufSize) {
    if (reads) return page_uses_->read_pushed(event.stream, event.agent, event.packets);
    page_uses_->pushed(event.stream, event.pushed, event.agent);
  }
}

}  // namespace tvp::checks
