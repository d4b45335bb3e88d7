#include "models/tensix/coprocessor/frontend/missing_waits.h"

#include <algorithm>
#include <utility>

#include "foundation/hex.h"
#include "foundation/regs/tensix_disassembler.h"
#include "foundation/warning_sink.h"

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;

namespace {

std::string instruction_text(std::uint32_t instruction, unsigned thread) {
  return regs::tensix::disassemble(instruction) + " of T" + std::to_string(thread);
}

}  // namespace

MissingWaits::MissingWaits(std::string where, const CoprocessorConfig& config,
                           const Offered& offered, foundation::FaultPolicy& faults)
    : where_(std::move(where)),
      mode_(mode_of(config.missing_waits)),
      config_mode_(std::min(mode_, mode_of(config.missing_config_waits))),
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
