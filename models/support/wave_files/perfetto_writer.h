#pragma once

#include <map>
#include <string>
#include <vector>

#include "foundation/output_file.h"
#include "models/support/wave_files/wave_writer.h"

namespace tvp::support {

/// Perfetto's own format (protobuf messages of perfetto/trace, compressed): a group for each tile,
/// a track for each row. Texts and single bits become slices, numbers become counters, and packets
/// become arrows between instants. Times are in whole ns, the unit of the format.
class PerfettoWriter : public WaveWriter {
 public:
  explicit PerfettoWriter(const std::string& file);

  void declare(const SignalInfo& signal) override;
  void bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) override;
  void text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) override;
  bool wants_arrows() const override { return true; }
  void arrow(const WaveArrow& arrow) override;
  void close(std::uint64_t time_ps) override;

 private:
  struct Row {
    std::uint64_t track = 0;
    std::string leaf;    ///< name of a single bit's slice
    std::string rest;    ///< the text of the idle state
    unsigned width = 0;  ///< bits of a number
    bool open = false;   ///< a slice has begun
    std::string events;  ///< packets, which compress better by row than by time
  };
  std::uint64_t track_of(const std::string& path, bool is_counter);
  std::uint64_t group_of(const std::string& group);
  /// The number of an event's name, which is written at its first use.
  std::uint64_t name_number(const std::string& name);
  void begin(std::uint64_t time_ps, std::uint32_t signal, const std::string& event);
  /// An event of a track. `fields`: of the TrackEvent besides type, track and name.
  std::string event(std::uint64_t time_ps, std::uint64_t type, std::uint64_t track,
                    const std::string& name, const std::string& fields = {});
  std::string packet(const std::string& content);
  void add(const std::string& packets);
  void compress();

  foundation::OutputFile file_;
  std::vector<Row> rows_;
  std::map<std::string, std::uint64_t> groups_;  ///< tracks of tiles
  std::map<std::string, std::uint64_t> arrow_tracks_;
  std::map<std::string, std::uint64_t> names_;
  std::string packets_;  ///< not yet compressed; descriptors and names, which come first
  std::uint64_t tracks_ = 0;
  std::uint64_t arrows_ = 0;
  bool is_first_ = true;
};

}  // namespace tvp::support
