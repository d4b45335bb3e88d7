#pragma once

#include <array>
#include <string>

#include "sw/collectives/ideal/ideal_machine.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A protocol of NCCL, by which a message takes `alpha_ns` and a part of its bytes on the wire is
/// data. `simple` waits for a fence after each slice. `ll` stores a flag of 4 bytes beside each 4
/// bytes of data, so that the receiver needs no fence, and `ll128` has 8 bytes of flags in each
/// 128. Sources: latencies of a step of a ring over NVLink in NCCL's src/graph/tuning.cc; lines in
/// its src/include/device.h.
struct Protocol {
  const char* name;
  double alpha_ns;
  double data_share;
};
inline constexpr std::array<Protocol, 3> kProtocols{
    {{"simple", 3400, 1.0}, {"ll", 600, 0.5}, {"ll128", 1900, 120.0 / 128}}};

/// Throws Fault(kDescription) that lists the names.
const Protocol& protocol_named(const std::string& name);

/// The time of a vector on an ideal machine with one port for each rank, in ns.
double time_by(const Protocol& protocol, const Schedule& schedule, double bytes,
               double bytes_per_ns);

/// A line of figures for a vector of that size.
std::string text(const Protocol& protocol, const Schedule& schedule, double bytes,
                 double bytes_per_ns);

}  // namespace tvp::collectives
