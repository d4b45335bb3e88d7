#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns about a store of a core that overwrites a change of the word. This is an atomic's change
/// that no core of the tile has loaded, or a store of another core after this core's last load.
/// The change is lost: a semaphore that is reset too late, or a sum of a load and a store.
///
/// A reset that came before the increment only by luck is a finding as well. The tile has loaded
/// the word, signalled the incrementing tile, reset the word, and sent that tile nothing since.
class LostUpdates : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "lost_updates"; }
  const char* summary() const override {
    return "stores that overwrite a change of the word which the core has not loaded";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr std::size_t kMost = 16;  ///< if there are more words, the oldest is dropped
  static constexpr unsigned kCores = 5;
  /// Knowledge of a core about a word.
  struct Known {
    enum class State : std::uint8_t { kNothing, kLoaded, kChanged };
    State state = State::kNothing;
    Cycle loaded = 0;
    ProbeEvent store{};  ///< another core's store since `loaded`, if kChanged
  };
  using Place = std::pair<std::uint8_t, std::uint8_t>;  ///< x, y of NoC 0
  struct Word {
    std::uint32_t address = 0;
    bool is_semaphore = false;  ///< one of the program's, which stays
    bool is_unseen = false;
    ProbeEvent atomic{};             ///< the first that no core has seen
    ProbeEvent store{};              ///< the last one of a core
    std::vector<Place> signalled{};  ///< tiles that got a signal since a core's last load
    std::vector<Place> may_race{};   ///< `signalled` at the store, without those signalled since
    std::array<Known, kCores> cores{};
  };
  Word& word_at(std::uint32_t address);
  void changed(const ProbeEvent& atomic);
  void accessed(const ProbeEvent& access);
  void accessed(Word& word, const ProbeEvent& access);
  void report(const Word& word, const ProbeEvent& store, const std::string& lost,
              const std::string& advice, const std::string& line);
  void report_atomic(const Word& word, const ProbeEvent& store);
  void report_race(const Word& word, const ProbeEvent& atomic);
  void signals(const ProbeEvent& command);
  void report_store(const Word& word, const ProbeEvent& store);
  void ask();

  CoreAccessRange range_{tile_};
  std::vector<Word> words_;
  std::vector<std::uint32_t> reported_;  ///< pc of the store
};

}  // namespace tvp::checks
