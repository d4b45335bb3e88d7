#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/ring_queue.h"
#include "models/noc/niu/niu_answers.h"
#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_counters.h"
#include "models/noc/niu/niu_memory.h"
#include "models/noc/niu/niu_phased_memory.h"
#include "models/noc/niu/niu_registers.h"
#include "models/noc/niu/niu_steps.h"
#include "models/support/probe.h"

namespace tvp::noc {

/// Serves requests of other tiles (ISA NoC/Counters.md, NoC/Ordering.md).
class NiuTarget {
 public:
  NiuTarget(const NiuContext& context, const NiuRegisters& registers, NiuCounters& counters,
            NiuSteps& steps, NiuAnswers& answers, NiuMemory& memory, NiuPhasedMemory& phased)
      : context_(context),
        registers_(registers),
        counters_(counters),
        steps_(steps),
        answers_(answers),
        memory_(memory),
        phased_(phased) {}

  /// Sets the listener for requests of other tiles; null: none.
  void set_probe(const support::Probe* probe) { probe_ = probe; }

  /// The head of a packet with several flits has arrived.
  void head_arrived(const NocExtension& header);
  void tail_arrived(Packet& request, support::Cycle now);
  void serve(Packet& request, support::Cycle now);
  /// A response was passed to the network.
  void answered(const NocExtension& answer, support::Cycle now);
  /// The response's last flit has left the NIU.
  void answer_left(const NocExtension& answer, support::Cycle now);
  /// The memory has committed a write.
  void written(Packet& request, support::Cycle now);
  void served(Packet& request, support::Cycle now);

  /// Requests accepted from the network and not yet served.
  std::uint32_t open() const { return open_; }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  /// A virtual channel of the link from the router.
  struct Input {
    unsigned writes_open = 0;               ///< writes that have begun and are not committed
    bool answering = false;                 ///< the response to a read of L1 has not left
    foundation::RingQueue<Packet*> held{};  ///< requests that wait for these, in order
  };
  Input& input_of(const NocExtension& header);
  bool ignores(const NocExtension& header) const;
  support::Cycle reaches_memory(const NocExtension& header, support::Cycle earliest);
  bool waits(const Input& input, const NocExtension& header) const;
  void begin(Packet& request, support::Cycle now);
  void serve_held(Input& input, support::Cycle now);
  void count_received(const NocExtension& header);
  void serve_read(Packet& request, support::Cycle now);
  bool fits(const Packet& answer) const;
  void ask_for(Packet& answer, support::Cycle now);
  void serve_write(Packet& request, support::Cycle now);
  void serve_inline_write(Packet& request, support::Cycle now);
  void serve_atomic(Packet& request, support::Cycle now);
  void report_request(const NocExtension& header, support::Cycle now) const;
  void write_committed(const NocExtension& header, support::Cycle now);

  const NiuContext& context_;
  const NiuRegisters& registers_;
  NiuCounters& counters_;
  NiuSteps& steps_;
  NiuAnswers& answers_;
  NiuMemory& memory_;
  NiuPhasedMemory& phased_;
  const support::Probe* probe_ = nullptr;
  std::array<Input, vc::kCount> inputs_;
  static constexpr unsigned kTickBits = 10;  ///< 2^10 ticks a cycle
  /// In ticks: the next time at which a DRAM endpoint forwards a read.
  std::uint64_t next_read_ = 0;
  /// Flits of DRAM responses that were requested and have not left.
  std::uint32_t answer_flits_ = 0;
  /// Responses for which the buffer has no room yet, in order.
  foundation::RingQueue<Packet*> not_asked_for_;
  std::uint32_t open_ = 0;
};

}  // namespace tvp::noc
