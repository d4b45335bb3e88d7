#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "foundation/regs/pim.h"
#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns if two tasklets of a PIM unit use the same bytes of WRAM, one of them writes, and nothing
/// orders the two uses, loads and stores or DMA transfers. Order comes from the start of a tasklet,
/// from meetings of all tasklets and from mutexes, not from time. Each tasklet has a vector clock,
/// and each word of WRAM the clocks of its last write and of the reads since (FastTrack, Flanagan
/// and Freund, PLDI 2009). A tasklet that loads a word several times in a row polls it, so its
/// writer's stores come before.
class TaskletRaces : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "tasklet_races"; }
  const char* summary() const override {
    return "uses of WRAM by two tasklets without a barrier or a mutex in between";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr unsigned kUnits = 4;
  static constexpr unsigned kTasklets = regs::pim::kMaxTasklets;
  static constexpr std::uint32_t kWordBytes = 4;
  static constexpr std::uint32_t kBlockWords = 64;
  static constexpr std::uint32_t kBlockBytes = kBlockWords * kWordBytes;
  static constexpr std::uint8_t kNobody = 0xFF;
  using Clock = std::array<std::uint32_t, kTasklets>;

  /// Bytes of a word that a tasklet uses at one of its times.
  struct Use {
    std::uint32_t pc = 0;
    std::uint32_t time = 0;  ///< component of the tasklet's clock
    std::uint8_t tasklet = kNobody;
    std::uint8_t bytes = 0;  ///< a bit for each
  };
  /// Reads of a word by several tasklets.
  struct Readers {
    std::array<Use, kTasklets> last{};
  };
  struct Word {
    Use write, read;
    Readers* readers = nullptr;
  };
  using Block = std::array<Word, kBlockWords>;
  struct Tasklet {
    Clock clock{};
    Use last_load;  ///< to recognize polls
    std::uint32_t loaded = 0;
  };

  /// A load before a store of another tasklet.
  struct Doubt {
    Use load, store;
    std::uint32_t address = 0;
  };

  void reset();
  void meet();
  void decide(const ProbeEvent& event);
  void report_doubts();
  void transfers(const ProbeEvent& event);
  void access(const ProbeEvent& event);
  void load(Word& word, const Use& use, std::uint32_t address);
  void store(Word& word, const Use& use, std::uint32_t address);
  bool is_before(const Use& earlier, const Use& later) const;
  void report(const Use& first, const Use& second, std::uint32_t address, bool first_writes,
              bool second_writes);
  void doubt(const Use& load, const Use& store, std::uint32_t address);
  static void join(Clock& clock, const Clock& other);

  std::array<Tasklet, kTasklets> tasklets_{};
  std::array<Clock, regs::pim::tasklet::kMutexes> mutexes_{};
  std::vector<std::unique_ptr<Block>> blocks_;  ///< parts of WRAM; null: not used yet
  std::deque<Readers> readers_;
  std::vector<Doubt> doubts_;
  std::set<std::uint32_t> polls_;                               ///< pcs
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< pcs
};

}  // namespace tvp::checks
