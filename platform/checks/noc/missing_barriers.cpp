#include "platform/checks/noc/missing_barriers.h"

#include <string>

#include "foundation/regs/noc.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds MissingBarriers::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kAnswer) | Probe::bit(Kind::kCounterRead) |
         Probe::bit(Kind::kProgramEnds);
}

MissingBarriers::Answer MissingBarriers::answer_of(ProbeEvent::Request request) {
  if (request == ProbeEvent::Request::kRead) return Answer::kRead;
  return request == ProbeEvent::Request::kAtomic ? Answer::kAtomic : Answer::kWrite;
}

void MissingBarriers::on(const ProbeEvent& event) {
  if (event.kind == Kind::kCounterRead) return counter_read(event);
  if (event.kind == Kind::kAnswer) return answered(event);
  if (event.kind == Kind::kProgramEnds) return program_ends();
  if (!event.is_posted && event.core <= BusMaster::kE)
    last(event, answer_of(event.request))[static_cast<unsigned>(event.core)] = {
        true, event.remote == ProbeEvent::Place::kDram, event.pc};
}

/// A counter of answers, or of outstanding requests, covers the commands of all cores. If two cores
/// of a tile use one NIU, a barrier compares the counter with the sum of the counts of both.
void MissingBarriers::counter_read(const ProbeEvent& event) {
  namespace noc = regs::noc;
  if (event.index == noc::kMstRdRespReceived) {
    last(event, Answer::kRead) = {};
  } else if (event.index == noc::kMstWrAckReceived) {
    last(event, Answer::kWrite) = {};
  } else if (event.index == noc::kMstAtomicRespReceived) {
    last(event, Answer::kAtomic) = {};
  } else if (event.index >= noc::kMstReqsOutstandingId &&
             event.index < noc::kMstWriteReqsOutgoingId) {
    last_[niu_of(event)] = {};
  }
}

void MissingBarriers::answered(const ProbeEvent& event) {
  const Answer answer = answer_of(event.request);
  const TileContext::Core* const core = tile_.core(event.core);
  if (core == nullptr || event.core > BusMaster::kE) return;
  Command& command = last(event, answer)[static_cast<unsigned>(event.core)];
  if (!command.is_there) return;
  const CodeOwner owner = tile_.owner(*core);
  if (!tile_.names.is_of_first(owner, event.pc) || tile_.names.is_of_first(owner, command.pc))
    return;
  report(answer, niu_of(event), event.core, command.pc, " is answered");
  command = {};
}

/// No core has looked at the counter of these writes to DRAM, so only luck has made the kernel end
/// later. The effect of others may be known by a signal of another tile.
void MissingBarriers::program_ends() {
  for (unsigned niu = 0; niu < last_.size(); ++niu)
    for (unsigned i = 0; i < kCores; ++i) {
      const Command& command = last_[niu][static_cast<unsigned>(Answer::kWrite)][i];
      const auto master = static_cast<BusMaster>(i);
      const TileContext::Core* const core = tile_.core(master);
      if (command.is_there && command.is_to_dram && core != nullptr &&
          !tile_.names.is_of_first(tile_.owner(*core), command.pc))
        report(Answer::kWrite, niu, master, command.pc,
               " is answered, and its answer was in time only by luck");
    }
  last_ = {};
}

void MissingBarriers::report(Answer answer, unsigned niu, BusMaster core, std::uint32_t pc,
                             const std::string& when) {
  struct Words {
    const char* command;
    const char* barrier;
  };
  static constexpr Words kWords[kAnswers] = {{"a read", "noc_async_read_barrier"},
                                             {"a write", "noc_async_write_barrier"},
                                             {"an atomic operation", "noc_async_atomic_barrier"}};
  const auto [what, barrier] = kWords[static_cast<unsigned>(answer)];
  warn(core, std::string("its kernel ends before ") + what + " that it started on NoC " +
                 std::to_string(niu) + when + ". Expected a " + barrier +
                 " before the end. Add one." + at(core, pc));
}

}  // namespace tvp::checks
