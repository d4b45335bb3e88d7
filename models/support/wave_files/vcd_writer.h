#pragma once

#include <string>
#include <vector>

#include "foundation/output_file.h"
#include "models/support/wave_files/wave_writer.h"

namespace tvp::support {

/// Value change dump (IEEE 1364), with GTKWave's string extension for texts.
class VcdWriter : public WaveWriter {
 public:
  explicit VcdWriter(const std::string& file);

  void declare(const SignalInfo& signal) override;
  void bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) override;
  void text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) override;
  void close(std::uint64_t time_ps) override;

 private:
  void at(std::uint64_t time_ps);
  void enter_scopes(const std::vector<std::string>& wanted);
  static std::string identifier(std::uint32_t signal);

  foundation::OutputFile file_;
  std::vector<std::string> scopes_;
  std::vector<unsigned> widths_;
  bool header_open_ = true;
  std::uint64_t time_ps_ = ~std::uint64_t{0};
};

}  // namespace tvp::support
