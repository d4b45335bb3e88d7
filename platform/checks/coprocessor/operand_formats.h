#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about circular buffers whose format is not the one for which the unpacker or the packers
/// are configured, once for each buffer and place in the code. Silicon converts the bytes as
/// configured, without notice: inits of operations leave formats as they are (tt-metal issues
/// 51284, 19896 and 27504).
///
/// Formats of equal width are compared only if both are floats, since kernels move integers as
/// floats of their width.
class OperandFormats : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "operand_formats"; }
  const char* summary() const override {
    return "circular buffers that are unpacked, or packed, in another format than their own";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  struct Buffer {
    unsigned index = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    unsigned format = 0;
  };
  void use(const ProbeEvent& event, unsigned format);
  void report_use(const ProbeEvent& event, const Buffer& buffer, unsigned format);

  std::vector<Buffer> buffers_;
  std::vector<std::pair<unsigned, std::uint32_t>> reported_;  ///< buffer and pc
};

}  // namespace tvp::checks
