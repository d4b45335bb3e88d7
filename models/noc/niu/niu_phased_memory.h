#pragma once

#include <cstdint>

#include "models/noc/niu/niu_answers.h"
#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_sockets.h"
#include "models/noc/niu/niu_steps.h"

namespace tvp::noc {

/// Accesses of a NIU through nb_transport to a memory that takes time and can refuse (DRAM, host);
/// see Niu::memory.
class NiuPhasedMemory {
 public:
  NiuPhasedMemory(const NiuContext& context, NiuSteps& steps, NiuAnswers& answers,
                  NiuMemorySocket& memory, NiuFromNetworkSocket& from_network)
      : context_(context),
        steps_(steps),
        answers_(answers),
        memory_(memory),
        from_network_(from_network) {}

  /// For a read, `packet` is the response to fill.
  void ask(Packet& packet, tlm::tlm_command command, std::uint64_t address, support::Cycle now);
  /// A later phase from the memory.
  tlm::tlm_sync_enum backward(Packet& packet, const tlm::tlm_phase& phase, support::Cycle when);
  /// Reports to the network that the packet has left the input buffer, unless that was done when
  /// its header arrived (NiuContext::may_refuse).
  void release_input(Packet& packet, support::Cycle now);

 private:
  void taken(Packet& packet, support::Cycle when);
  void done(Packet& packet, support::Cycle when);

  const NiuContext& context_;
  NiuSteps& steps_;
  NiuAnswers& answers_;
  NiuMemorySocket& memory_;
  NiuFromNetworkSocket& from_network_;
  support::Cycle asking_since_ = support::kNever;  ///< cycle of a call of nb_transport_fw
};

}  // namespace tvp::noc
