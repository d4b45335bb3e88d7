#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/time.h"
#include "models/tensix/coprocessor/coprocessor_config.h"
#include "models/tensix/coprocessor/dst_in_flight.h"
#include "models/tensix/coprocessor/frontend/dst_handover.h"
#include "models/tensix/coprocessor/frontend/offered.h"

namespace tvp::tensix::coprocessor {

/// Finds what a program does before what it builds on is done, for want of a wait (STALLWAIT): both
/// instructions and their threads are named. Never changes a time.
class MissingWaits : public DstInFlight::Listener {
 public:
  MissingWaits(std::string where, const CoprocessorConfig& config, const Offered& offered,
               foundation::FaultPolicy& faults);

  bool on() const { return mode_ != Mode::kOff; }
  bool looks_at_configuration() const { return config_mode_ != Mode::kOff; }
  /// The thread packs rows of Dst that another one has not handed over (DstHandover).
  void packs_ahead(std::uint32_t instruction, unsigned thread);
  /// A step of that order comes without its wait, and has gone well only by luck.
  void forgotten(DstHandover::Missing wait) {
    if (wait != DstHandover::Missing::kNothing) [[unlikely]]
      tell_forgotten(wait);
  }
  void packs(std::uint32_t instruction, unsigned thread) {
    last_pack_ = {.instruction = instruction, .pc = offered_.pc, .thread = thread};
  }
  /// T1 changes what it has selected from `row` on, which is not in its part of Dst (DstPart); the
  /// part is a half or, if not `halves`, all of it.
  void outside_part(unsigned row, bool halves);
  /// So many parts of Dst of a program that has ended.
  void never_released(unsigned parts);

  void changed_too_early(unsigned row, const DstInFlight::User& reader, Cycle now) override;
  void used_too_early(unsigned row, const DstInFlight::User& writer, Cycle now) override;
  /// A word of the configuration changes at `now`, while `reader` works with it for `user`, until
  /// `until` (kNever: it waits).
  void reconfigured_too_early(unsigned index, const Offered& user, const char* reader, Cycle now,
                              Cycle until);

 private:
  enum class Mode : std::uint8_t { kOff, kWarn, kFault };
  static Mode mode_of(const foundation::Choice& choice);
  void tell_forgotten(DstHandover::Missing wait);
  void warn(const std::string& text);
  void report(Mode mode, const std::string& where, const std::string& text);

  const std::string where_;
  const Mode mode_;
  const Mode config_mode_;
  const Offered& offered_;  ///< what changes Dst
  Offered last_pack_;
  foundation::FaultPolicy& faults_;
};

}  // namespace tvp::tensix::coprocessor
