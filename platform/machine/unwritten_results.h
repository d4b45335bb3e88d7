#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "foundation/warning_sink.h"
#include "platform/machine/dram_buffers.h"
#include "platform/machine/host_dram_watch.h"

namespace tvp::platform {

/// Warns of what the host reads from buffers in DRAM of which kernels have the address, and which
/// nobody has written, once for each buffer. Silicon gives it what lies there.
class UnwrittenResults : public HostDramWatch {
 public:
  UnwrittenResults(std::string where, DramBuffers& buffers, foundation::WarningSink& warnings)
      : where_(std::move(where)), buffers_(buffers), warnings_(warnings) {}

  void accessed(noc::Node noc0, std::uint64_t address, std::uint32_t bytes, bool write) override;

 private:
  const std::string where_;
  DramBuffers& buffers_;
  foundation::WarningSink& warnings_;
  std::set<std::uint64_t> told_;  ///< when the buffers were made
};

}  // namespace tvp::platform
