#pragma once

#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A schedule of the XML form of MSCCL (github.com/microsoft/msccl-tools): a lane for each
/// threadblock, s, r, rcs, rrs, rrc, rrcs, cpy, re and nop as steps, `chan` as channel. Of a file
/// with inplace="1" all ranks first copy the input to where the file works on it, as input and
/// output are one memory there. Throws Fault(kDescription) at FILE:LINE.
Schedule from_msccl(const std::string& text, const std::string& file);

/// Writes a schedule. A threadblock has one connection to send on and one to receive from, so lanes
/// may be split. Dependencies after the first of a step become nops before it. Throws
/// Fault(kDescription) for schedules that the format cannot express (averages, switches, and lanes
/// whose forwarding steps need a second connection), and for those that from_msccl refuses.
std::string to_msccl(const Schedule& schedule);

}  // namespace tvp::collectives
