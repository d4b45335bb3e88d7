#pragma once

#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// Reads a schedule in the XML form of MSCCL (github.com/microsoft/msccl-tools). A threadblock is a
/// lane, `chan` is the channel, and s, r, rcs, rrs, rrc, rrcs, cpy, re and nop are steps. With
/// inplace="1" the input and output of the file are one memory, so all ranks first copy the input
/// there. Throws Fault(kDescription) at FILE:LINE.
Schedule from_msccl(const std::string& text, const std::string& file);

/// Writes a schedule. A threadblock has one connection to send on and one to receive from, so lanes
/// may be split. Dependencies after the first of a step become nops before it. Throws
/// Fault(kDescription) for schedules that the format cannot express (averages, switches, and lanes
/// whose forwarding steps need a second connection), and for those that from_msccl refuses.
std::string to_msccl(const Schedule& schedule);

}  // namespace tvp::collectives
