#include "models/tensix/coprocessor/frontend/missing_waits.h"

#include <algorithm>
#include <utility>

#include "foundation/hex.h"
#include "foundation/warning_sink.h"
#include "models/regs/tensix_disassembler.h"

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;
using support::BusMaster;

namespace {

std::string instruction_text(std::uint32_t instruction, unsigned thread) {
  return regs::tensix::disassemble(instruction) + " of T" + std::to_string(thread);
}

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

MissingWaits::MissingWaits(std::string where, const CoprocessorConfig& config, L1Port& l1,
                           const Offered& offered, foundation::FaultPolicy& faults)
    : where_(std::move(where)),
      mode_(mode_of(config.missing_waits)),
      config_mode_(std::min(mode_, mode_of(config.missing_config_waits))),
      in_flight_(l1.in_flight()),
      offered_(offered),
      faults_(faults) {}

MissingWaits::Mode MissingWaits::mode_of(const foundation::Choice& choice) {
  if (choice == "off") return Mode::kOff;
  return choice == "warn" ? Mode::kWarn : Mode::kFault;
}

void MissingWaits::report(Mode mode, const std::string& where, const std::string& text) {
  const Fault fault(FaultKind::kFirmware, where, text + ": a wait is missing");
  auto* const sink = dynamic_cast<foundation::WarningSink*>(&faults_);
  if (mode == Mode::kWarn && sink != nullptr) {
    sink->warn(fault);
  } else {
    faults_.raise(fault);
  }
}

void MissingWaits::announces(std::uint32_t instruction, unsigned thread, support::Cycle now) {
  if (!on()) return;
  const L1InFlight::Transfer* const first = in_flight_.under_way_by(thread, now);
  if (first == nullptr) return;
  report(mode_, where_ + ".T" + std::to_string(thread),
         instruction_text(instruction, thread) + " tells others at cycle " + std::to_string(now) +
             " of what " + who(*first) + does(*first) + when(*first));
}

void MissingWaits::packs_ahead(std::uint32_t instruction, unsigned thread) {
  report(config_mode_, where_ + ".T" + std::to_string(thread),
         instruction_text(instruction, thread) +
             " takes rows of Dst that T1 has not committed (semaphore 1 is 0)");
}

void MissingWaits::warn(const std::string& text) {
  auto* const sink = dynamic_cast<foundation::WarningSink*>(&faults_);
  if (config_mode_ != Mode::kOff && sink != nullptr)
    sink->warn(Fault(FaultKind::kFirmware, where_, text));
}

void MissingWaits::tell_forgotten(DstHandover::Missing wait) {
  const std::string what = instruction_text(offered_.instruction, offered_.thread);
  if (wait == DstHandover::Missing::kAcquire) {
    warn(what +
         " is about a part of Dst that T1 has not waited for (SEMWAIT for semaphore 1 below "
         "its maximum), which T2 happened to have packed by then: a tile_regs_acquire is "
         "missing, or comes too late");
  } else {
    warn(what +
         " is about a part of Dst that T2 has not waited for (SEMWAIT for semaphore 1 above "
         "0), which T1 happened to have committed by then: a tile_regs_wait is missing, or "
         "comes too late");
  }
}

void MissingWaits::outside_part(unsigned row, bool halves) {
  warn(instruction_text(offered_.instruction, offered_.thread) + " changes Dst at row " +
       std::to_string(row) + ", outside of " +
       (halves ? "the half that is T1's now: T2 may be packing from there"
               : "all that there is: the row is taken modulo the size of Dst") +
       "; an index of a tile is too large (a half has 8 tiles of 16 bits or 4 of 32, with "
       "dst_full_sync_en it is 16 or 8)");
}

void MissingWaits::never_released(unsigned parts) {
  std::string text = "its program has ended, and T2 has not released " + std::to_string(parts) +
                     " of the parts of Dst that T1 has committed: a tile_regs_release is missing";
  if (last_pack_.pc != 0)
    text += "; thread T2, " + regs::tensix::disassemble(last_pack_.instruction) +
            ", which its core pushed at pc " + foundation::hex(last_pack_.pc);
  warn(text);
}

void MissingWaits::too_early(const L1InFlight::Transfer& first,
                             const L1InFlight::Transfer& second) {
  const bool of_thread = second.access.instruction != 0;
  report(mode_, of_thread ? where_ + ".T" + std::to_string(second.access.thread) : where_,
         who(second) + does(second) + " from cycle " + std::to_string(second.access.now) +
             " on, while " + who(first) + does(first) + when(first) +
             (second.is_write ? in_flight_.sender_text() : std::string()));
}

void MissingWaits::changed_too_early(unsigned row, const DstInFlight::User& reader, Cycle now) {
  report(mode_, where_ + ".T" + std::to_string(offered_.thread),
         instruction_text(offered_.instruction, offered_.thread) + " changes row " +
             std::to_string(row) + " of Dst at cycle " + std::to_string(now) +
             ", while packers read it (" + instruction_text(reader.instruction, reader.thread) +
             ", from cycle " + std::to_string(reader.issued) + " to " +
             std::to_string(reader.until) + ")");
}

void MissingWaits::used_too_early(unsigned row, const DstInFlight::User& writer, Cycle now) {
  report(mode_, where_ + ".T" + std::to_string(offered_.thread),
         instruction_text(offered_.instruction, offered_.thread) + " uses row " +
             std::to_string(row) + " of Dst at cycle " + std::to_string(now) +
             ", which an unpacker still writes (" +
             instruction_text(writer.instruction, writer.thread) + ", from cycle " +
             std::to_string(writer.issued) + " to " + std::to_string(writer.until) + ")");
}

void MissingWaits::reconfigured_too_early(unsigned index, const Offered& user, const char* reader,
                                          Cycle now, Cycle until) {
  const bool of_thread = offered_.thread != Offered::kNone;
  const std::string by = of_thread ? instruction_text(offered_.instruction, offered_.thread)
                                   : std::string("a store of a core");
  report(config_mode_, of_thread ? where_ + ".T" + std::to_string(offered_.thread) : where_,
         by + " changes configuration word " + std::to_string(index) + " at cycle " +
             std::to_string(now) + ", with which " + reader + " (" +
             instruction_text(user.instruction, user.thread) + ") still works" +
             (until == support::kNever ? std::string() : ", until cycle " + std::to_string(until)));
}

}  // namespace tvp::tensix::coprocessor
