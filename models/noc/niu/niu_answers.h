#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_output.h"
#include "models/noc/niu/niu_steps.h"

namespace tvp::noc {

/// Responses of a NIU to requests of other tiles: the times at which L1 delivers their bytes and at
/// which they leave, and the two virtual channels that they share.
class NiuAnswers {
 public:
  NiuAnswers(const NiuContext& context, NiuSteps& steps, NiuOutput& output)
      : context_(context), steps_(steps), output_(output) {}

  Packet& make(const Packet& request, PacketKind kind, std::uint32_t bytes);
  /// Cycles until L1 has delivered all flits of a response, after those of earlier responses.
  std::uint64_t read_from_l1(std::uint32_t flits, support::Cycle now);
  /// All bytes that `request` reads are there `latency` cycles after `now`.
  void finish_read(Packet& request, support::Cycle now, std::uint64_t latency);
  /// `response` leaves after its preparation, which follows a write or atomic that ended at `done`.
  void leave_after(support::Cycle done, Packet& response);

  /// Takes a response channel and returns true, or queues the response.
  bool respond(Packet& response, support::Cycle now);
  /// A response channel has room again. Returns the response that takes it, or null.
  Packet* vc_freed(support::Cycle now);

  bool idle() const { return waiting_.empty(); }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  const NiuContext& context_;
  NiuSteps& steps_;
  NiuOutput& output_;
  std::vector<Packet*> waiting_;  ///< responses that wait for a virtual channel, in order
  static constexpr unsigned kTickBits = 10;  ///< 2^10 ticks a cycle
  std::uint64_t read_ = 0;                   ///< in ticks: end of all reads of L1 requested so far
};

}  // namespace tvp::noc
