#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_output.h"
#include "models/noc/niu/niu_steps.h"

namespace tvp::noc {

/// Answers of a NIU to requests of other tiles: when L1 has given their bytes, when they leave, and
/// the two virtual channels that they share.
class NiuAnswers {
 public:
  NiuAnswers(const NiuContext& context, NiuSteps& steps, NiuOutput& output)
      : context_(context), steps_(steps), output_(output) {}

  Packet& make(const Packet& request, PacketKind kind, std::uint32_t bytes);
  /// Cycles until L1 has given all flits of an answer, behind those of the answers before it.
  std::uint64_t read_from_l1(std::uint32_t flits, support::Cycle now);
  /// The bytes that `request` asks for have all been read `latency` cycles after `now`.
  void finish_read(Packet& request, support::Cycle now, std::uint64_t latency);
  /// `response` leaves when it has been made, after a write or an atomic that was done at `done`.
  void leave_after(support::Cycle done, Packet& response);

  /// Takes one of the channels of responses, or waits for one.
  /// True when it got one.
  bool respond(Packet& response, support::Cycle now);
  /// A channel of responses has room again. Answers the one that has taken it, or null.
  Packet* vc_freed(support::Cycle now);

  bool idle() const { return waiting_.empty(); }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  const NiuContext& context_;
  NiuSteps& steps_;
  NiuOutput& output_;
  std::vector<Packet*> waiting_;             ///< for a virtual channel, in order
  static constexpr unsigned kTickBits = 10;  ///< ticks of a cycle
  std::uint64_t read_ = 0;                   ///< ticks, when L1 has given what was asked for so far
};

}  // namespace tvp::noc
