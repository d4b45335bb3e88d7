// WormholeMachine with chips in other ranks.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/machine/wormhole_machine.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

void WormholeMachine::refuse_observers(const PlatformConfig& config) {
  const auto refuse = [](const foundation::Text& key, const char* name) {
    if (key.value().empty()) return;
    throw Fault(FaultKind::kDescription, name,
                key.value() + ": cannot observe chips of several ranks; run it without mpirun");
  };
  refuse(config.wave.file, "wave.file");
  refuse(config.wave.trace, "wave.trace");
  refuse(config.profile.file, "profile.file");
  refuse(config.record.file, "record.file");
  refuse(config.record.events, "record.events");
  if (config.gdb.port != 0)
    throw Fault(FaultKind::kDescription, "gdb.port",
                "gdb cannot reach chips of several ranks; run it without mpirun");
  if (config.foreign.shared_kernel)
    throw Fault(FaultKind::kDescription, "mpirun",
                "a simulation that a SystemC program runs has one rank; run it without mpirun");
}

void WormholeMachine::join_ranks(const SystemDescription& system) {
  const foundation::Period clock = foundation::Period::of_mhz(clock_mhz());
  for (std::size_t number = 0; number < system.links.size(); ++number) {
    const LinkDescription& link = system.links[number];
    const unsigned owners[] = {chip_ranks_->owner_of(link.a.chip),
                               chip_ranks_->owner_of(link.b.chip)};
    for (unsigned end = 0; end < 2; ++end) {
      if (owners[end] == chip_ranks_->rank() && owners[1 - end] != chip_ranks_->rank())
        chip_ranks_->join(number, *links_[number], end, owners[1 - end], clock);
    }
  }
  share(*chip_ranks_, places_);
  chip_ranks_->set_warnings([this] { return take_warnings(); },
                            [this](const auto& warnings) { note_warnings(warnings); });
  if (chip_ranks_->is_host()) {
    DeviceAccess& devices = *this;
    ProgramAccess& programs = *this;
    ranked_devices_ = std::make_unique<RankedDevices>(devices, *chip_ranks_, system);
    ranked_programs_ = std::make_unique<RankedPrograms>(programs, *chip_ranks_, system);
    return;
  }
  set_host_memory(absent_host_memory_);
  // Rank 0 has all warnings, in the order of one process.
  for (const auto& faults : chip_faults_) faults->hold();
}

std::vector<ChipRanks::Warnings> WormholeMachine::take_warnings() {
  std::vector<ChipRanks::Warnings> all;
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    auto kept = chip_faults_[i]->take();
    if (chip_ranks_->is_host()) {
      chip_faults_[i]->release();
    } else {
      // The own list decides for which warnings rank 0 will need lines.
      for (const HeldFaultPolicy::Kept& each : kept) faults_.note(each.fault, each.lines);
    }
    if (!kept.empty()) all.push_back({places_[i], std::move(kept)});
  }
  return all;
}

void WormholeMachine::note_warnings(const std::vector<ChipRanks::Warnings>& warnings) {
  for (const ChipRanks::Warnings& each : warnings)
    for (const HeldFaultPolicy::Kept& kept : each.kept) faults_.note(kept.fault, kept.lines);
}

void WormholeMachine::serve(Message& calls) {
  std::optional<Fault> failure;
  while (!calls.at_end()) {
    Message result;
    const auto call = calls.get<RankCall>();
    bool has_answer = call != RankCall::kClock;
    try {
      serve_one(call, calls, result, has_answer);
    } catch (const Fault& fault) {
      // All ranks know the faults of a window. A fault of another call without an answer goes into
      // the next answer.
      if (call != RankCall::kClock && !failure) failure.emplace(fault);
    }
    if (!has_answer) continue;
    chip_ranks_->answer(result, failure ? &*failure : nullptr);
    failure.reset();
  }
}

void WormholeMachine::serve_one(RankCall call, Message& arguments, Message& result,
                                bool& has_answer) {
  switch (call) {
    case RankCall::kClock: {
      const auto cycles = arguments.get<std::uint64_t>();
      chip_ranks_->set_others_next(arguments.get<support::Cycle>());
      clock(cycles);
      return;
    }
    case RankCall::kSync:
      result.put(own_next_cycle());
      return;
    case RankCall::kBar0:
    case RankCall::kBar2:
    case RankCall::kTile:
      RankedDevices::serve(*this, call, arguments, result, has_answer);
      return;
    case RankCall::kSymbols:
    case RankCall::kBuffers:
    case RankCall::kArguments:
    case RankCall::kGiven:
    case RankCall::kDramBuffer:
    case RankCall::kL1Buffer:
    case RankCall::kOrigin:
      RankedPrograms::serve(*this, call, arguments, result, has_answer);
      return;
    case RankCall::kLines: {
      result.put_text(lines_of(fault_in(arguments)));
      const std::vector<Finding> found = findings(false);
      result.put(static_cast<std::uint32_t>(found.size()));
      for (const Finding& each : found) {
        result.put(each.place);
        put_fault(result, each.fault);
      }
      return;
    }
    case RankCall::kReport:
      result.put_text(own_report(arguments.get<bool>()).dump());
      return;
    case RankCall::kDigest: {
      const auto half = arguments.get<unsigned>();
      const auto place = arguments.get<std::size_t>();
      settle();
      StateDigest digest(arguments.get<std::uint64_t>());
      add_to_digest(digest, half, place);
      result.put(digest.value());
      return;
    }
    case RankCall::kCheckAtEnd:
      for (const auto& chip : chips_) chip->check_conservation();
      return;
    case RankCall::kFinish:
      finish();
      return;
    default:
      throw Fault(FaultKind::kInternal, "mpi",
                  "unknown call " + std::to_string(static_cast<unsigned>(call)));
  }
}

}  // namespace tvp::platform
