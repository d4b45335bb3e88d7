#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/position.h"
#include "platform/debug/process_line.h"

namespace tvp::debug {

/// The earlier states of this process, for reverse execution. A checkpoint is a copy of the process
/// that waits; memory that does not change later is shared.
///
/// Files that the process has open are shared by its copies. Only standard output and standard
/// error are treated: a copy that repeats the run is muted.
class History {
 public:
  /// From here on the caller runs in a copy of the process, and the process is the supervisor.
  /// `detach` is called in the supervisor. Throws HostError.
  History(unsigned checkpoints, const std::function<void()>& detach);

  History(const History&) = delete;
  History& operator=(const History&) = delete;

  /// True once enough host time has passed since the last checkpoint.
  bool is_due();
  /// Makes a checkpoint. Returns the order of the copy when it continues; nothing in this process.
  std::optional<Replay> checkpoint(const Position& position, bool after_write);
  /// Forgets all checkpoints.
  void drop();
  /// Lets a copy of a checkpoint take the place of this process, which then ends. Returns the text
  /// of a failure. `interrupted` is asked now and then.
  std::string travel(const Replay& replay, const std::function<bool()>& interrupted);
  /// Reports the number of stops that this copy has met, and ends.
  [[noreturn]] void counted(std::uint64_t stops);
  /// This copy cannot reach its place, and ends.
  [[noreturn]] void failed(const std::string& why);
  /// Takes the place of the process that wanted to travel.
  void arrived();

  void mute();
  void unmute();

 private:
  [[noreturn]] void refuse(int error) const;
  std::optional<Replay> wait_as_checkpoint();
  void end_with_supervisor() const;

  std::vector<ProcessLine> lines_;
  unsigned line_ = 0;
  pid_t supervisor_ = 0;
  int output_ = -1;  ///< the user's standard output
  int errors_ = -1;
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_look_ = {};
  double interval_s_ = 0;  ///< between checkpoints
  double last_s_ = 0;      ///< host time of this process at the last checkpoint
};

}  // namespace tvp::debug
