#include "platform/machine/missing_barriers.h"

#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

using support::UnseenAnswers;

namespace {

struct Words {
  const char* command;
  const char* barrier;
};
Words words_of(UnseenAnswers::Kind kind) {
  if (kind == UnseenAnswers::Kind::kRead) return {"a read", "noc_async_read_barrier"};
  if (kind == UnseenAnswers::Kind::kWrite) return {"a write", "noc_async_write_barrier"};
  return {"an atomic operation", "noc_async_atomic_barrier"};
}

}  // namespace

MissingBarriers::MissingBarriers(tensix::TensixTile& tile, unsigned chip,
                                 const SymbolTable& symbols, foundation::WarningSink& warnings)
    : tile_(tile), chip_(chip), symbols_(symbols), warnings_(warnings) {
  tile.l1().in_flight().answers().set_listener(this);
}

bool MissingBarriers::answered(unsigned noc, UnseenAnswers::Kind kind,
                               const UnseenAnswers::Command& command) {
  const auto number = static_cast<unsigned>(command.core);
  if (number >= tensix::kTileCores) return false;
  const riscv::Core& core = tile_.core(static_cast<tensix::TileCore>(number));
  const auto is_firmware = [&](std::uint32_t pc) {
    return symbols_.is_of_first(chip_, tile_.x(), tile_.y(), number, pc);
  };
  if (!is_firmware(core.pc()) || is_firmware(command.pc)) return false;
  const auto [what, barrier] = words_of(kind);
  const std::string at = symbols_.describe(chip_, tile_.x(), tile_.y(), number, command.pc);
  warnings_.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, core.where(),
      std::string("its kernel ends before ") + what + " that it started on NoC " +
          std::to_string(noc) + " is answered: a " + barrier + " is missing" +
          (at.empty() ? ", at pc " + foundation::hex(command.pc) : "\n  in " + at)));
  return true;
}

}  // namespace tvp::platform
