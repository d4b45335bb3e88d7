#pragma once

#include <cstdint>
#include <string>

#include "platform/checks/chip_checks.h"
#include "platform/checks/record/dram_buffers.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

/// Names the writers of data in the memories of a chip, for a host that has found a wrong result.
class Provenance {
 public:
  /// `keeps_stores`: the writers of stores by cores are recorded.
  Provenance(const ChipChecks& checks, unsigned chip, const CodeNames& names, bool keeps_stores)
      : checks_(checks), text_(chip, names, keeps_stores) {}

  /// The origin of a byte in the L1 of the tile at (x, y).
  std::string of_l1(unsigned x, unsigned y, std::uint32_t address) const;
  std::string of_dram(const DramBuffers::Origin& origin) const;

 private:
  using Write = LastWriters::Write;

  const TileRecord* record_at(unsigned x, unsigned y) const;
  const Write* last_writer(unsigned x, unsigned y, std::uint32_t address) const;
  std::string sent_from(const Write& write) const;
  std::string commanded(const DramBuffers::Command& command) const;
  /// The origins of a packed result: the writers of the data that the tile's last program unpacked.
  /// Each circular buffer has a sentence on a line, first those that the compute kernel does not
  /// fill itself.
  std::string made_from(unsigned x, unsigned y, const Write& write,
                        bool follows_senders = true) const;
  /// Observations at the end of a tile's last program, a sentence on a line each. Right programs
  /// may have them too.
  std::string signallers_of(unsigned x, unsigned y) const;
  std::string kernels_at(unsigned x, unsigned y) const;
  std::string left_at_end(unsigned x, unsigned y) const;
  std::string pusher_of(unsigned x, unsigned y, std::uint32_t address) const;
  /// The kernels of other tiles that send, for a byte that nothing has written and a tile without a
  /// kernel.
  std::string senders() const;

  const ChipChecks& checks_;
  const WriterText text_;
};

}  // namespace tvp::checks
