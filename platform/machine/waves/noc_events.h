#pragma once

#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "foundation/output_file.h"
#include "models/noc/torus/torus.h"
#include "platform/machine/chip.h"

namespace tvp::platform {

/// The NoC events of tt-metal's device profiler, as tt-npe and its viewer read them: a JSON array
/// of the requests of all cores, sorted by core and time. Packets of one command are events of
/// their own.
class NocEvents {
 public:
  /// True if a trace file of this name holds NoC events: noc_trace*.json.
  static bool is_name(const std::string& file);

  /// Observes all NoCs from now on. Throws Fault(kDescription) if the file cannot be written.
  NocEvents(const std::string& file, const std::vector<std::unique_ptr<Chip>>& chips);
  /// Has an effect once.
  void write();

 private:
  struct Event {
    unsigned chip = 0;
    noc::Node from;
    support::BusMaster core = support::BusMaster::kDebug;
    support::Cycle when = 0;  ///< the core has issued the request
    unsigned noc = 0;
    noc::PacketKind kind = noc::PacketKind::kReadRequest;
    bool broadcast = false;
    noc::Node to;     ///< end corner of a broadcast
    noc::Node start;  ///< start corner of a broadcast
    unsigned vc = 0;
    std::uint32_t bytes = 0;
    std::uint32_t sequence = 0;
    auto order() const {
      return std::tuple(chip, from.x, from.y, core, when, noc, sequence, to.x, to.y);
    }
  };
  /// Collects the events of a chip.
  class Observer : public noc::PacketObserver {
   public:
    Observer(std::vector<Event>& events, const Chip& chip) : events_(events), chip_(chip) {}
    void arrives(unsigned noc, const noc::NocExtension& header, noc::Node from, noc::Node to,
                 support::Cycle when) override;

   private:
    std::vector<Event>& events_;
    const Chip& chip_;
  };

  foundation::OutputFile file_;
  std::vector<Event> events_;
  std::deque<Observer> observers_;
};

}  // namespace tvp::platform
