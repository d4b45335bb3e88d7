#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::support {

/// Takes the changes of signals. Changes come in no particular order of time: tiles run ahead of
/// each other.
class SignalSink {
 public:
  virtual ~SignalSink() = default;
  virtual void change(std::uint32_t signal, Cycle when, std::uint64_t value) = 0;
};

/// A value of a model that a wave file can show. Off, and one pointer test to set, until somebody
/// attaches a sink.
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

 private:
  SignalSink* sink_ = nullptr;
  std::uint32_t number_ = 0;
};

}  // namespace tvp::support
