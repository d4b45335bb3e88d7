#pragma once

#include <string>

#include "platform/checks/code_names.h"
#include "platform/checks/record/last_writers.h"

namespace tvp::checks {

/// Texts about the writer of a byte.
class WriterText {
 public:
  /// `keeps_stores`: the writers of stores by cores are recorded.
  WriterText(unsigned chip, const CodeNames& names, bool keeps_stores)
      : chip_(chip), names_(names), keeps_stores_(keeps_stores) {}

  /// Text about a write to the tile at (x, y): "chip0.tensix(1,1).NCRISC has read it from
  /// elsewhere, and it came in cycle 12395\n  in …".
  std::string written(unsigned x, unsigned y, const LastWriters::Write& write) const;
  /// The text if no writer is known.
  std::string unknown() const;
  /// "BRISC".
  static const char* core_name(BusMaster core);
  /// "chip0.tensix(1,1).BRISC".
  std::string core(unsigned x, unsigned y, BusMaster master) const;
  /// The file name of the core's kernel; "" if it has none.
  std::string kernel(unsigned x, unsigned y, BusMaster core) const;
  /// "\n  in kernel_main (…)", or ", at pc 0x…".
  std::string at(unsigned x, unsigned y, BusMaster core, std::uint32_t pc, Cycle cycle) const;

 private:
  const unsigned chip_;
  const CodeNames& names_;
  const bool keeps_stores_;
};

}  // namespace tvp::checks
