#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about a store of a core that overwrites an atomic's change of the word, if no core of the
/// tile has loaded the word in between. The change is lost: a semaphore that is reset too late, or
/// a sum of a load and a store.
class LostUpdates : public Check {
 public:
  explicit LostUpdates(const TileContext& tile);
  const char* name() const override { return "lost_updates"; }
  const char* summary() const override {
    return "stores that overwrite an atomic's change which no core has loaded";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr std::size_t kMost = 16;  ///< if there are more words, the oldest is dropped
  struct Word {
    std::uint32_t address = 0;
    bool is_unseen = false;
    ProbeEvent atomic{};  ///< the first that no core has seen
  };
  void changed(const ProbeEvent& atomic);
  void accessed(const ProbeEvent& access);
  void report(const Word& word, const ProbeEvent& store);
  void ask();

  unsigned range_ = 0;  ///< number of the probe's range of accesses by cores
  std::uint32_t begin_ = ~0U, end_ = 0;
  std::vector<Word> words_;
  std::vector<std::uint32_t> reported_;  ///< pc of the store
};

}  // namespace tvp::checks
