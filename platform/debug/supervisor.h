#pragma once

#include <sys/types.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/position.h"
#include "platform/debug/process_line.h"

namespace tvp::debug {

/// The process that the user has started, while copies of it run and wait.
///
/// It keeps the list of the copies that wait as checkpoints. To go back, it lets a checkpoint make
/// a copy of itself that repeats the run. It passes signals on to the copy that runs now and ends
/// as this one does. All copies are its children and end with it.
class Supervisor {
 public:
  Supervisor(std::vector<ProcessLine> lines, std::size_t most_checkpoints, unsigned active_line,
             pid_t active);
  [[noreturn]] void run();

 private:
  struct Checkpoint {
    unsigned line = 0;
    pid_t process = 0;
    Position position;
    bool after_write = false;  ///< replays of earlier ones lack what the debugger wrote here
  };
  struct Copy {
    unsigned line = 0;
    pid_t process = 0;
  };

  void handle(const nlohmann::json& message);
  void add_checkpoint(const nlohmann::json& message);
  /// Drops the checkpoint that is missed least: old ones may be far apart.
  void thin_out();
  void drop_from(std::size_t index);
  void drop_all();
  /// The text of a failure; empty if another copy runs now.
  std::string travel(Replay replay);
  /// The number of stops between a checkpoint and replay.end; empty after a failure.
  std::optional<std::uint64_t> count_stops(const Checkpoint& from, const Replay& replay);
  std::string arrive(std::size_t index, Replay replay);
  std::optional<Copy> start(const Checkpoint& from, const Replay& replay);
  /// The next message of a copy; empty if it has died or the debugger interrupts.
  std::optional<nlohmann::json> message_of(const Copy& copy, bool interruptible = true);
  std::optional<unsigned> free_line();
  void end(pid_t process);
  /// Forwards signals, and ends if the active copy has ended. False if `watched` has ended.
  bool look_at_signals(pid_t watched);
  [[noreturn]] void end_as(int status);

  const std::vector<ProcessLine> lines_;
  const std::size_t most_checkpoints_;
  Copy active_;
  std::vector<Checkpoint> checkpoints_;  ///< in the order of time
  std::vector<bool> used_;               ///< lines
  int signals_ = -1;
  std::string failure_;
  int ends_by_ = 0;  ///< a signal that ends the run
};

}  // namespace tvp::debug
