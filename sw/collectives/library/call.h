#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sw/collectives/library/choice.h"
#include "sw/runtime/metal_classes.h"

namespace tvp::collectives {

enum class DataType : std::uint8_t { kFloat32, kBfloat16, kInt32 };
/// Bitwise operations are for integers only.
enum class ReduceOp : std::uint8_t { kSum, kAverage, kMax, kMin, kProduct, kAnd, kOr, kXor };

/// The options of a call.
struct CallOptions {
  std::string algorithm = {};  ///< as `./vp collectives list` names them; empty: the chooser's
  std::string variant = {};    ///< form of the algorithm; empty: its first
  std::uint32_t segments = 0;  ///< pieces of a message; 0: the chooser's, or 1
  /// The queue of a mesh of chips; null for the first queue.
  runtime::MeshCommandQueue* queue = nullptr;
  bool blocking = true;  ///< waits for the end, like Call::wait()
};

/// The result of a call: the choice of the algorithm, and times and traffic after the end.
struct CallRecord {
  Choice choice;
  std::string schedule;  ///< "all_reduce ring N=8"
  double time_ns = 0;    ///< from the first rank's begin to the last one's end
  double begin_ns = 0;   ///< simulated time of the first rank's begin
  double end_ns = 0;
  bool staged = false;  ///< the host copied data to memories of the library and back
  bool over = false;
  std::uint64_t messages = 0;  ///< number and bytes of messages of all ranks
  std::uint64_t bytes = 0;
};

/// A collective that has been called, and may still wait in a queue.
class Call {
 public:
  Call(std::shared_ptr<const CallRecord> record, std::function<void()> wait)
      : record_(std::move(record)), wait_(std::move(wait)) {}

  /// True if the call has ended; lets no time pass.
  bool done() const { return record_->over; }
  /// Lets time pass until the call ends. Throws HangError that names the step of each rank.
  void wait() const {
    if (!record_->over) wait_();
  }
  /// Describes the call; times and traffic are valid after its end.
  const CallRecord& record() const { return *record_; }

 private:
  std::shared_ptr<const CallRecord> record_;
  std::function<void()> wait_;
};

}  // namespace tvp::collectives
