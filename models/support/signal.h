#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::support {

/// Receives the changes of signals. Changes come in any order of time, since tiles run ahead of
/// each other and models know some ends in advance.
class SignalSink {
 public:
  virtual ~SignalSink() = default;
  virtual void change(std::uint32_t signal, Cycle when, std::uint64_t value) = 0;
  /// Changes a signal that is watched as a level by `delta` from `when` on.
  virtual void add(std::uint32_t signal, Cycle when, std::int64_t delta) = 0;
};

/// A value of a model that a wave file can show. Without a sink, setting it costs one pointer test.
class Signal {
 public:
  void attach(SignalSink& sink, std::uint32_t number) {
    sink_ = &sink;
    number_ = number;
  }
  void set(Cycle when, std::uint64_t value) {
    if (sink_ != nullptr) [[unlikely]]
      sink_->change(number_, when, value);
  }
  bool on() const { return sink_ != nullptr; }

 protected:
  SignalSink* sink_ = nullptr;
  std::uint32_t number_ = 0;
};

/// A sum of overlapping parts: the depth of a queue, or the activity of a link or unit. The parts
/// may be reported in any order and in advance.
class LevelSignal : public Signal {
 public:
  void add(Cycle when, std::int64_t delta) {
    if (sink_ != nullptr) [[unlikely]]
      sink_->add(number_, when, delta);
  }
  /// Adds 1 in [begin, end).
  void occupy(Cycle begin, Cycle end) {
    add(begin, 1);
    add(end, -1);
  }
  void set(Cycle, std::uint64_t) = delete;
};

}  // namespace tvp::support
