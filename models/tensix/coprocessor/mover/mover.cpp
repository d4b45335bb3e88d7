#include "models/tensix/coprocessor/mover/mover.h"

#include <algorithm>
#include <cstring>

#include "models/support/tile_scheduler.h"

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;
using support::kNever;
using support::Watch;

namespace {

// Destinations outside L1 (Mover.md, functional model).
constexpr std::uint32_t kConfigEnd = 0x10000;
constexpr std::uint32_t kInstructionRam = 0x40000;
constexpr std::uint32_t kInstructionRamEnd = 0x50000;

// Opcodes of the TDMA-RISC command processor.
constexpr std::uint32_t kMove = 0x40, kWait = 0x46, kWrite = 0x66, kNop = 0x89;
constexpr std::uint32_t kCompact = 1U << 31;

}  // namespace

void Mover::undefined(const std::string& what) {
  faults_.raise(Fault(FaultKind::kFirmware, where_, what + " (undefined)"));
}

void Mover::wake_at(Cycle t) {
  if (has_scheduler()) {
    scheduler().wake(*this, t);
  } else if (t < next()) {
    set_next(t);
  }
}

bool Mover::check(const Job& job, std::uint32_t bytes) {
  const auto in_l1 = [this, bytes](std::uint32_t address) {
    return std::uint64_t{address} + bytes <= l1_.size_bytes();
  };
  if (job.target == Job::Target::kL1 && !in_l1(job.destination)) {
    undefined("mover destination beyond the end of L1");
    return false;
  }
  if (job.target != Job::Target::kL1 && (job.destination & 0xFFFFU) + bytes > 0x10000) {
    undefined("mover writes across the end of a region");
    return false;
  }
  if (job.copy && !in_l1(job.source)) {
    undefined("mover source beyond the end of L1");
    return false;
  }
  return true;
}

void Mover::begin(std::uint32_t destination, std::uint32_t source, std::uint32_t bytes,
                  std::uint32_t direction, Cycle first_burst) {
  Job job;
  job.destination = destination;
  job.source = source;
  job.copy = direction == kL1ToL1 || direction == kL1ToL0;
  if (direction == kL1ToL1 || direction == kClearL1) {
    job.target = Job::Target::kL1;
  } else if (destination < kConfigEnd) {
    job.target = Job::Target::kConfig;
  } else if (destination >= kInstructionRam && destination < kInstructionRamEnd) {
    job.target = Job::Target::kInstructionRam;
    job.destination -= kInstructionRam;
  } else {
    job.target = Job::Target::kNowhere;
  }
  job.units = check(job, bytes) ? bytes / kUnitBytes : 0;
  job_ = job;
  busy_ = true;
  busy_signal_.set(first_burst, 1);
  job_next_ = first_burst;
}

void Mover::start(std::uint32_t destination, std::uint32_t source, std::uint32_t bytes,
                  std::uint32_t direction, Cycle now) {
  begin(destination, source, bytes, direction, now + 1);
  wake_at(now + 1);
}

void Mover::enqueue(Command command, Cycle now) {
  command.from = now + 1;
  if ((command.word & kCompact) == 0) {
    if (credits_ == 0) {
      undefined("TDMA-RISC command with parameters when two are queued already");
    } else {
      --credits_;
    }
  }
  queue_[(first_ + queued_) % kQueueCapacity] = command;
  ++queued_;
  wake_at(now + 1);
}

void Mover::write_unit(std::uint32_t destination, const std::uint8_t* data, Cycle now) {
  switch (job_.target) {
    case Job::Target::kL1:
      std::memcpy(l1_.bytes() + destination, data, kUnitBytes);
      break;
    case Job::Target::kConfig:
      for (unsigned i = 0; i < kUnitBytes; i += 4) {
        std::uint32_t word;
        std::memcpy(&word, data + i, 4);
        client_.mover_writes_config((destination + i) / 4, word, now);
      }
      break;
    case Job::Target::kInstructionRam:
      client_.mover_writes_instruction_ram(destination, data, now);
      break;
    case Job::Target::kNowhere:
      break;
  }
}

L1Access Mover::access(std::uint32_t address, std::uint32_t bytes, Cycle now, Cycle done) {
  return {.agent = support::BusMaster::kMover,
          .address = address,
          .bytes = bytes,
          .now = now,
          .done = done};
}

void Mover::burst(Cycle now) {
  const std::uint32_t units = std::min<std::uint32_t>(kBurstUnits, job_.units);
  const std::uint32_t bytes = units * kUnitBytes;
  const std::array<std::uint8_t, kUnitBytes> zeros{};
  Cycle end =
      now + (job_.copy ? (units * kBurstCopyCycles + kBurstUnits - 1) / kBurstUnits : units);
  if (job_.copy) {
    end = std::max(end, l1_.reserve(L1Client::kMoverRead, job_.source, bytes, false, 1, now));
    l1_.was_read(access(job_.source, bytes, now, end));
  }
  // Unit by unit, since destination and source may overlap.
  for (std::uint32_t i = 0; i < bytes; i += kUnitBytes) {
    std::array<std::uint8_t, kUnitBytes> unit = zeros;
    if (job_.copy) std::memcpy(unit.data(), l1_.bytes() + job_.source + i, kUnitBytes);
    write_unit(job_.destination + i, unit.data(), now);
  }
  if (job_.target == Job::Target::kL1) {
    end = std::max(end, l1_.reserve(L1Client::kMoverWrite, job_.destination, bytes, true, 1, now));
    l1_.was_written(access(job_.destination, bytes, now, end), order());
  }
  job_.destination += bytes;
  job_.source += bytes;
  job_.units -= units;
  job_next_ = end;
}

void Mover::finish(Cycle now) {
  busy_ = false;
  busy_signal_.set(now, 0);
  job_next_ = kNever;
  watch_hub_.changed(Watch::kTdma, now, order());
  client_.mover_idle(now);
}

void Mover::move_command(const Command& command, Cycle now) {
  const std::uint32_t word = command.word;
  const auto& p = command.parameters;
  if ((word & kCompact) != 0) {
    const std::uint32_t source = command.base + ((word >> 8) & 0xFFU);
    begin(((word >> 16) & 0xFFU) << 4, source << 4, ((word >> 24) & 0x3FU) << 4,
          ((word >> 30) & 1U) != 0 ? kL1ToL1 : kL1ToL0, now);
  } else {
    begin(p[1] << 4, p[0] << 4, (p[2] & 0xFFFFU) << 4, p[3] & 3U, now);
  }
}

void Mover::write_command(const Command& command, Cycle now) {
  if ((command.word & kCompact) != 0 || (command.word & 0x600U) != 0x600U) {
    return undefined("TDMA-RISC write command without parameters");
  }
  const std::uint32_t bytes = (command.word & 0x100U) != 0 ? 8 : 4;
  const std::uint32_t address = command.parameters[0];
  if (address % bytes != 0 || std::uint64_t{address} + bytes > l1_.size_bytes()) {
    return undefined("TDMA-RISC write command to a bad address");
  }
  const Cycle done = l1_.reserve(L1Client::kMoverWrite, address, bytes, true, 1, now);
  l1_.write(access(address, bytes, now, done), &command.parameters[2], order());
}

bool Mover::head_waits() const {
  const std::uint32_t opcode = queue_[first_].word & 0xFFU;
  return busy_ && (opcode == kMove || opcode == kWait);
}

void Mover::execute_head(Cycle now) {
  const Command command = queue_[first_];
  switch (command.word & 0xFFU) {
    case kMove:
      move_command(command, now);
      break;
    case kWait:
    case kNop:
      break;
    case kWrite:
      write_command(command, now);
      break;
    default:
      undefined("unknown TDMA-RISC command");
      break;
  }
  first_ = (first_ + 1) % kQueueCapacity;
  --queued_;
  if ((command.word & kCompact) == 0 && credits_ < kParameterCredits) ++credits_;
  // One command in each cycle (assumed).
  if (queued_ != 0) queue_[first_].from = std::max(queue_[first_].from, now + 1);
  watch_hub_.changed(Watch::kTdma, now, order());
}

Cycle Mover::next_action() const {
  Cycle t = job_next_;
  if (queued_ != 0 && !head_waits()) t = std::min(t, queue_[first_].from);
  return t;
}

void Mover::run() {
  // next() may be a wake-up for work that is already done.
  Cycle now = std::max(next(), Cycle{0});
  while (now != kNever && may_act(now)) {
    if (job_next_ <= now && job_.units == 0) finish(now);
    if (queued_ != 0 && !head_waits() && queue_[first_].from <= now) execute_head(now);
    if (job_next_ <= now && job_.units != 0) burst(now);
    now = next_action();
    set_next(now);
  }
}

}  // namespace tvp::tensix::coprocessor
