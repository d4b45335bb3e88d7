#pragma once

#include <cstdint>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns about a core that goes on because of an increment of an earlier program. A word still
/// holds this increment when the next program begins. A core loads the word, and another tile
/// increments it later, but no core loads it again. So no core waited for the second increment, and
/// the data that it announces may not have arrived. Words that hold what they held before the first
/// increment are credits.
class StaleCredits : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "stale_credits"; }
  const char* summary() const override {
    return "cores that go on because of an increment of an earlier program";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr std::size_t kMost = 64;  ///< if there are more words, the oldest is dropped
  struct Word {
    std::uint32_t address = 0;
    std::uint32_t before = 0;     ///< value before the first atomic
    bool is_changed = false;      ///< an atomic has changed it since the last write
    bool is_stale = false;        ///< it was so when this program began
    bool is_incremented = false;  ///< in this program
    bool has_ended = false;       ///< the program that has loaded it, without an increment
    ProbeEvent load{};            ///< last load before the increment; bytes is 0 if there is none
    ProbeEvent increment{};       ///< the first one of this program
  };
  Word* known(std::uint64_t address, std::uint32_t bytes);
  void atomic(const ProbeEvent& event);
  void accessed(const ProbeEvent& access);
  void written(const ProbeEvent& write);
  void program_ends();
  void report(const Word& word);
  std::uint32_t value_of(const Word& word) const;
  void ask();

  CoreAccessRange range_{tile_};
  std::vector<Word> words_;
  std::vector<std::uint32_t> reported_;  ///< pc of the load
};

}  // namespace tvp::checks
