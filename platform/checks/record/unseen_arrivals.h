#pragma once

#include <cstdint>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// Writes of other tiles into this tile's L1 that no signal has announced yet. A signal is a word
/// (a semaphore or a flag) that came later over the NoC and that a core of this tile has read. A
/// use of the data before the signal is right only by luck of timing.
///
/// A word counts as an announcement if it was written by an atomic, inline, or in a packet of at
/// most 16 bytes. A word that one core has read counts for all cores of the tile, since they can
/// notify each other in many ways. Other notifications (registers, the host, the tile's own reads
/// of other tiles) announce all data that is there. Data whose own words are polled needs no
/// announcement.
class UnseenArrivals {
 public:
  static constexpr std::uint32_t kMostOfSignal = 16;  ///< bytes

  struct Arrival {
    unsigned x = 0, y = 0;  ///< place of the tile that wrote it, in coordinates of NoC 0
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
  };
  struct Use {
    enum class Kind : std::uint8_t { kLoads, kSends, kPushes };
    Kind kind = Kind::kLoads;
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    unsigned buffer = 0;  ///< for kPushes: the circular buffer
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    /// `signal`: address of a word that came after the data and that no core has read; 0: none.
    virtual void used_unannounced(const Use& use, const Arrival& arrival, std::uint32_t signal) = 0;
  };

  /// Must be called before the first event. Without a listener nothing is recorded.
  void set_listener(Listener* listener) { listener_ = listener; }

  void arrived(const Arrival& arrival);
  void signaled(std::uint32_t address, std::uint32_t bytes);
  void know_all();
  /// A core has loaded from [begin(), end()).
  void loaded(const Use& use);
  void sends(const Use& use) { use_whole(use); }
  void pushes(const Use& use) { use_whole(use); }

  bool any() const { return !unseen_.empty(); }
  /// In the order of arrival.
  std::vector<Arrival> unseen() const;
  /// Range around all data and words that no core has read.
  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }

 private:
  /// If there are more, the oldest are dropped.
  static constexpr std::size_t kMost = 32;
  /// A core that loads this many different words reads data; it does not poll a flag.
  static constexpr unsigned kWordsOfData = 4;
  static constexpr std::uint32_t kNowhere = ~0U;

  struct Unseen {
    Arrival arrival;
    std::uint64_t number = 0;
    unsigned loads = 0;  ///< number of loads of different words
    std::uint32_t last_address = 0, last_pc = 0;
  };
  struct Signal {
    std::uint32_t address = 0, bytes = 0;
    std::uint64_t number = 0;
  };
  static bool meet(std::uint32_t a, std::uint32_t a_bytes, std::uint32_t b, std::uint32_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
  }
  void use_whole(const Use& use);
  std::uint32_t signal_behind(std::uint64_t number) const;
  void know(std::uint64_t number);
  void find_range();

  Listener* listener_ = nullptr;
  std::vector<Unseen> unseen_;   ///< in the order of arrival
  std::vector<Signal> signals_;  ///< later than the first of unseen_
  std::uint64_t arrivals_ = 0;   ///< number of arrivals and signals so far
  std::uint32_t begin_ = kNowhere, end_ = 0;
};

}  // namespace tvp::checks
