#pragma once

#include <array>
#include <memory>
#include <string>

#include "models/noc/overlay.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::platform {

/// Rows of the stream registers of one tile. A stream that a core or a NoC write adds to is a
/// credit counter, one that both of its buffer registers are stored to holds the two counters of a
/// circular buffer (as tt-metal keeps them); a row is made when that shows.
class StreamWaves : public support::Probe::Listener {
 public:
  /// `path` is that of the tile.
  StreamWaves(support::WaveRecorder& recorder, std::string path)
      : recorder_(recorder), path_(std::move(path)) {}

  void on(const support::ProbeEvent& written) override;

 private:
  struct Stream {
    bool is_buffer = false;
    bool is_credit = false;
    std::uint32_t size = 0;   ///< of the register that is both: space given out, pages received
    std::uint32_t space = 0;  ///< before the last update
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
