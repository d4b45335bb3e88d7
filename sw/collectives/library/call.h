#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sw/collectives/library/choice.h"

namespace tvp::runtime {
class MeshCommandQueue;
}

namespace tvp::collectives {

enum class DataType : std::uint8_t { kFloat32, kBfloat16, kInt32 };
enum class ReduceOp : std::uint8_t { kSum, kAverage, kMax, kMin, kProduct };

/// How a call is done.
struct CallOptions {
  std::string algorithm = {};  ///< as `./vp collectives list` names them; empty: the chooser's
  std::string variant = {};    ///< form of the algorithm; empty: its first
  std::uint32_t segments = 0;  ///< pieces of a message; 0: the chooser's, or 1
  /// Of a mesh of chips; none: its first one.
  runtime::MeshCommandQueue* queue = nullptr;
  bool blocking = true;  ///< waits for the end, as Call::wait()
};

/// What there is to know of a collective that was called.
struct CallRecord {
  Choice choice;
  std::string schedule;  ///< "all_reduce ring N=8"
  double time_ns = 0;    ///< from the first rank's begin to the last one's end
  bool staged = false;   ///< the host moved data to memories of the library's and back
  bool over = false;
  std::uint64_t messages = 0;  ///< of all ranks, and bytes of them
  std::uint64_t bytes = 0;
};

/// A collective that has been asked for, perhaps waiting in a queue.
class Call {
 public:
  Call(std::shared_ptr<const CallRecord> record, std::function<void()> wait)
      : record_(std::move(record)), wait_(std::move(wait)) {}

  /// Whether it is over; does not let time pass.
  bool done() const { return record_->over; }
  /// Lets time pass until it is over. Throws HangError naming the steps at which ranks stand.
  void wait() const {
    if (!record_->over) wait_();
  }
  /// What it was, and how it went once it is over.
  const CallRecord& record() const { return *record_; }

 private:
  std::shared_ptr<const CallRecord> record_;
  std::function<void()> wait_;
};

}  // namespace tvp::collectives
