#pragma once

#include "foundation/clock_ratio.h"
#include "models/support/calendar.h"
#include "models/support/time_base.h"

namespace tvp::support {

/// A calendar under the time base of the current kernel. Its cycle 0 is time 0 of SystemC.
class CalendarBlock : public TimeBase::Block {
 public:
  CalendarBlock(Calendar& calendar, foundation::Period period)
      : calendar_(calendar), period_(period), base_(TimeBase::current()) {
    base_.add(*this);
  }
  ~CalendarBlock() override { base_.remove(*this); }
  CalendarBlock(const CalendarBlock&) = delete;
  CalendarBlock& operator=(const CalendarBlock&) = delete;

  TimeBase& base() { return base_; }
  Calendar& calendar() { return calendar_; }
  /// The first cycle at or after `time`.
  Cycle cycle_at(const sc_core::sc_time& time) const {
    return time == TimeBase::never() ? kNever : period_.edge_at_or_after(time.value());
  }
  sc_core::sc_time time_of(Cycle cycle) const {
    return cycle == kNever ? TimeBase::never()
                           : sc_core::sc_time::from_value(period_.time_ps(cycle));
  }

  /// The calendar's cycle becomes that of sc_time_stamp(), for a process of the user that is about
  /// to act on an idle block.
  void follow_kernel() {
    const Cycle now = cycle_at(sc_core::sc_time_stamp());
    if (now > calendar_.now() && calendar_.next() >= now) calendar_.run_until(now);
  }

  sc_core::sc_time next_time() const override { return time_of(calendar_.next()); }
  void run_before(const sc_core::sc_time& end) override { calendar_.run_until(cycle_at(end)); }
  void cut(const sc_core::sc_time& end) override { calendar_.cut(cycle_at(end)); }

 private:
  Calendar& calendar_;
  const foundation::Period period_;
  TimeBase& base_;
};

}  // namespace tvp::support
