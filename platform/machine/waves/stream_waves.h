#pragma once

#include <array>
#include <memory>
#include <string>

#include "models/noc/overlay.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::platform {

/// Rows of the stream registers of one tile. A stream that a core or a NoC write adds to is a
/// credit counter. A stream whose two buffer registers are stored to holds the two counters of a
/// tt-metal circular buffer. A row appears with the access that decides which of both it is.
class StreamWaves : public support::Probe::Listener {
 public:
  /// `path` is the tile's path.
  StreamWaves(support::WaveRecorder& recorder, std::string path)
      : recorder_(recorder), path_(std::move(path)) {}

  void on(const support::ProbeEvent& written) override;

 private:
  struct Stream {
    bool is_buffer = false;
    bool is_credit = false;
    std::uint32_t size = 0;   ///< last store: credits given out, or pages received
    std::uint32_t space = 0;  ///< value before the last update
    support::Signal received;
    support::Signal acked;
    support::Signal credits;
  };
  void watch(support::Signal& signal, const std::string& name, std::uint32_t initial);
  void show_buffer(Stream& stream, unsigned number, unsigned index, support::Cycle when,
                   std::uint32_t value);
  void show_credits(Stream& stream, unsigned number, support::Cycle when, std::uint32_t value);

  support::WaveRecorder& recorder_;
  std::string path_;
  std::array<std::unique_ptr<Stream>, regs::overlay::kTensixStreams> streams_;
};

}  // namespace tvp::platform
