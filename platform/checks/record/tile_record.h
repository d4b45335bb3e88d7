#pragma once

#include <cstdint>
#include <vector>

#include "models/support/huge_pages.h"
#include "platform/checks/event_types.h"
#include "platform/checks/record/hand_overs.h"
#include "platform/checks/record/l1_in_flight.h"
#include "platform/checks/record/loaded_code.h"
#include "platform/checks/record/page_uses.h"
#include "platform/checks/record/unseen_arrivals.h"

namespace tvp::checks {

/// The state of a Tensix tile, computed from the events of its probe for all its checks. It gets
/// each event before the checks, which then report its findings at this event.
class TileRecord : private L1InFlight::Listener,
                   private L1InFlight::Guard,
                   private PageUses::Listener,
                   private UnseenArrivals::Listener,
                   public support::OnHugePages {
 public:
  TileRecord(Probe& probe, const LoadedCode& code);
  TileRecord(const TileRecord&) = delete;
  TileRecord& operator=(const TileRecord&) = delete;

  static Probe::Kinds kinds();
  void on(const ProbeEvent& event) {
    if (has_found_) [[unlikely]]
      forget_found();
    if ((Probe::bit(event.kind) & HandOvers::kKinds) != 0) hand_overs_.on(event);
    if ((Probe::bit(event.kind) & kAnnouncements) != 0) return announced(event);
    l1.on(event);
  }

  /// `second` begins while `first` is under way, and one of them writes what the other uses.
  struct Overlap {
    L1InFlight::Transfer first, second;
  };
  /// A use of data of another tile before the signal that announces it. `signal`: the address of
  /// the signal; 0: none is known.
  struct Unannounced {
    UnseenArrivals::Use use;
    UnseenArrivals::Arrival arrival;
    std::uint32_t signal = 0;
  };
  /// A write of a NIU or a unit to memory of the firmware.
  struct Trespass {
    LastWriters::Write write;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
  };
  struct Found {
    std::vector<Overlap> overlaps;
    std::vector<Unannounced> unannounced;
    std::vector<Trespass> trespasses;
    std::vector<PageUses::Misuse> misuses;
  };
  /// Findings at the last event of on().
  const Found& found() const { return found_; }
  bool has_found() const { return has_found_; }
  void forget_found();

  L1InFlight l1;
  PageUses page_uses;
  const HandOvers& hand_overs() const { return hand_overs_; }

 private:
  static constexpr Probe::Kinds kAnnouncements = Probe::bit(ProbeEvent::Kind::kProgramEnds) |
                                                 Probe::bit(ProbeEvent::Kind::kBuffer) |
                                                 Probe::bit(ProbeEvent::Kind::kProgramBegins);
  void announced(const ProbeEvent& event);
  void too_early(const L1InFlight::Transfer& first, const L1InFlight::Transfer& second) override {
    found_.overlaps.push_back({first, second});
    has_found_ = true;
  }
  void used_unannounced(const UnseenArrivals::Use& use, const UnseenArrivals::Arrival& arrival,
                        std::uint32_t signal) override {
    found_.unannounced.push_back({use, arrival, signal});
    has_found_ = true;
  }
  void trespassed(const LastWriters::Write& write, std::uint32_t address,
                  std::uint32_t bytes) override {
    found_.trespasses.push_back({write, address, bytes});
    has_found_ = true;
  }
  void misused(const PageUses::Misuse& misuse) override {
    found_.misuses.push_back(misuse);
    has_found_ = true;
  }

  const LoadedCode& code_;
  std::vector<PageUses::Buffer> buffers_;  ///< buffers of the next program
  Found found_;
  bool has_found_ = false;
  HandOvers hand_overs_;
};

}  // namespace tvp::checks
