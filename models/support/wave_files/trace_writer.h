#pragma once

#include <map>
#include <string>
#include <vector>

#include "foundation/output_file.h"
#include "models/support/wave_files/wave_writer.h"

namespace tvp::support {

/// Trace events of Chrome and Perfetto ("Trace Event Format", JSON array): a process for each chip,
/// a thread for each row. Texts and single bits become complete events, numbers become counters.
/// Times are in us with six decimals, so every ps is exact.
class TraceWriter : public WaveWriter {
 public:
  explicit TraceWriter(const std::string& file);

  void declare(const SignalInfo& signal) override;
  void bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) override;
  void text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) override;
  void close(std::uint64_t time_ps) override;

 private:
  struct Row {
    unsigned process = 0;
    std::string name;    ///< quoted name below the process
    std::string leaf;    ///< name of a single bit's event
    std::string rest;    ///< the text of the idle state
    std::string event;   ///< event since `begin_ps`; empty for the idle state
    unsigned width = 0;  ///< bits of a number
    std::uint64_t begin_ps = 0;
  };
  unsigned process_of(const std::string& scope);
  void begin(std::uint64_t time_ps, std::uint32_t signal, const std::string& event);
  void write(const std::string& event);

  foundation::OutputFile file_;
  std::vector<Row> rows_;
  std::map<std::string, unsigned> processes_;
  bool first_ = true;
};

}  // namespace tvp::support
