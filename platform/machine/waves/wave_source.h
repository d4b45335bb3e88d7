#pragma once

namespace tvp::support {
class WaveRecorder;
}

namespace tvp::platform {

/// A source of signals for waves and traces.
class WaveSource {
 public:
  virtual ~WaveSource() = default;
  /// Attaches the signals. The machine calls it before the run if waves or traces are recorded.
  virtual void watch(support::WaveRecorder& recorder) = 0;
};

}  // namespace tvp::platform
