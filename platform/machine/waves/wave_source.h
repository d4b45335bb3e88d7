#pragma once

namespace tvp::support {
class WaveRecorder;
}

namespace tvp::platform {

/// Something that waves and traces show.
class WaveSource {
 public:
  virtual ~WaveSource() = default;
  /// Attaches what there is to see; called before anything runs, if somebody wants it.
  virtual void watch(support::WaveRecorder& recorder) = 0;
};

}  // namespace tvp::platform
