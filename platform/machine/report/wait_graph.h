#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tvp::platform {

/// Both texts with a comma in between, or `more` if `text` is empty.
inline std::string comma(const std::string& text, const std::string& more) {
  return text.empty() ? more : text + ", " + more;
}

/// Agents that wait for each other. The graph finds the waits that no living agent can end, and
/// those that only follow from others. The report of a hang consists of its lines.
class WaitGraph {
 public:
  /// Why a wait never ends, the surest reason first. kStrayed: its signal went elsewhere. kFollows:
  /// other waiting agents could end it, if any are known.
  enum class Reason : std::uint8_t { kImpossible, kStrayed, kGiversEnded, kFollows };

  struct Wait {
    std::string who{};  ///< "chip0.tensix(1,1).BRISC"
    // Threads of all chips follow the cores of all chips, each in the order of chips.
    unsigned chip = 0;
    bool is_of_thread = false;
    std::string place{};  ///< "kernel_main (reader.cpp:31)"; may be empty
    /// "waits for semaphore 0 to be 2; it is 3". Empty: the wait has no line of its own.
    std::string what{};
    std::string cause{};  ///< behind `what` at a root: "and has passed it"
    /// Behind `what` in a cycle or if another agent is the root: "TRISC0 frees them".
    std::string gives{};
    Reason reason = Reason::kFollows;
    std::vector<std::size_t> givers{};      ///< agents that end such waits
    std::vector<std::size_t> candidates{};  ///< agents that perhaps do, if no giver is known
    bool gave_nothing = false;              ///< none of the givers has ever ended one
    bool is_likely_root = false;            ///< if no giver is known
    bool is_partial = false;                ///< some of the awaited pages are there
    bool is_unsignalled = false;            ///< nothing has ever signalled the awaited word
  };

  /// Returns the number of the agent.
  std::size_t add(Wait wait) {
    waits_.push_back(std::move(wait));
    return waits_.size() - 1;
  }
  Wait& operator[](std::size_t agent) { return waits_[agent]; }
  bool is_empty() const { return waits_.empty(); }

  /// All waits, for merged() in another process.
  nlohmann::ordered_json to_json() const;
  /// The waits of several to_json(), each with all waits of some chips.
  static WaitGraph merged(const std::vector<nlohmann::ordered_json>& graphs);

  /// The roots first, then the waits that follow from them. Waits at one place for one cause share
  /// a line.
  std::vector<std::string> lines() const;

 private:
  using Agents = std::vector<std::size_t>;

  const Agents& next(std::size_t agent) const {
    const Wait& wait = waits_[agent];
    return wait.givers.empty() ? wait.candidates : wait.givers;
  }
  /// The agents from which `agent` is reached back on a path of givers, from it on; empty if there
  /// is no such path.
  Agents cycle_from(std::size_t agent, bool with_candidates) const;
  std::vector<bool> reaching(const Agents& roots) const;
  std::string text_of(std::size_t agent, bool is_root) const;
  std::string cycle_text(const Agents& cycle, bool is_sure) const;
  /// The shortest cycle of agents without a line, from the giver that gave nothing on. kSure: by
  /// known givers. kUnsignalled: also by candidates, from a wait for a word that nothing has
  /// signalled. kPartial: also by candidates, from a wait for more pages than its giver pushes.
  /// kGaveNothing: also by candidates, if it has a giver that gave nothing.
  enum class Cycles : std::uint8_t { kUnsignalled, kSure, kPartial, kGaveNothing, kAny };
  Agents best_cycle(const std::vector<bool>& explained, Cycles kind) const;
  /// Appends a line for each group of agents with the same text.
  void append(std::vector<std::string>& lines, const Agents& agents, bool are_roots) const;

  std::vector<Wait> waits_;
};

}  // namespace tvp::platform
