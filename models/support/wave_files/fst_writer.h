#pragma once

#include <string>
#include <vector>

#include "foundation/output_file.h"
#include "models/support/wave_files/wave_writer.h"

namespace tvp::support {

/// GTKWave's compressed format, through the library that comes with Verilator.
class FstWriter : public WaveWriter {
 public:
  explicit FstWriter(const std::string& file);
  ~FstWriter() override;

  void declare(const SignalInfo& signal) override;
  void bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) override;
  void text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) override;
  void close(std::uint64_t time_ps) override;

 private:
  struct Declared {
    std::uint32_t handle;
    unsigned width;
  };
  void at(std::uint64_t time_ps);
  void enter_scopes(const std::string& path);

  std::string file_;  ///< close() creates it, so that an early end leaves no invalid FST
  void* context_;
  std::vector<std::string> scopes_;
  std::vector<Declared> signals_;
  std::uint64_t time_ps_ = ~std::uint64_t{0};
};

}  // namespace tvp::support
