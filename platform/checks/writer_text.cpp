#include "platform/checks/writer_text.h"

#include "foundation/hex.h"

namespace tvp::checks {

namespace {

constexpr const char* kNoStores =
    "stores of the tile's cores are recorded only with --set keep_stores=true";

bool is_of_niu(BusMaster agent) { return agent == BusMaster::kNoc0 || agent == BusMaster::kNoc1; }

const char* unit_text(BusMaster agent) {
  switch (agent) {
    case BusMaster::kThcon:
      return "the scalar unit";
    case BusMaster::kMover:
      return "the mover";
    default:
      return "a unit";
  }
}

std::string cycle_text(Cycle cycle) { return " in cycle " + std::to_string(cycle); }

}  // namespace

const char* WriterText::core_name(BusMaster core) {
  static constexpr const char* kNames[] = {"BRISC",  "NCRISC", "TRISC0",
                                           "TRISC1", "TRISC2", "ERISC"};
  return core <= BusMaster::kE ? kNames[static_cast<unsigned>(core)] : "?";
}

std::string WriterText::core(unsigned x, unsigned y, BusMaster master) const {
  const bool is_ethernet = master == BusMaster::kE;
  return "chip" + std::to_string(chip_) + (is_ethernet ? ".ethernet(" : ".tensix(") +
         std::to_string(x) + "," + std::to_string(y) + ")." + core_name(master);
}

std::string WriterText::kernel(unsigned x, unsigned y, BusMaster core) const {
  const auto name = names_.kernel({chip_, x, y, static_cast<unsigned>(core)});
  return name ? name() : std::string();
}

std::string WriterText::at(unsigned x, unsigned y, BusMaster core, std::uint32_t pc,
                           Cycle cycle) const {
  const std::string line = names_.describe({chip_, x, y, static_cast<unsigned>(core)}, pc, cycle);
  if (!line.empty()) return "\n  in " + line;
  return pc == 0 ? std::string() : ", at pc " + foundation::hex(pc);
}

std::string WriterText::written(unsigned x, unsigned y, const LastWriters::Write& write) const {
  if (write.agent == BusMaster::kDebug)
    return keeps_stores_
               ? "the host has written it, and nothing has since"
               : "the host has written it, and no NIU or unit has since; " + std::string(kNoStores);
  const std::string cycle = cycle_text(write.cycle);
  if (write.core == BusMaster::kDebug && !write.is_foreign())
    return (is_of_niu(write.agent) ? "a NIU" : unit_text(write.agent)) +
           (" has written it" + cycle);
  if (write.core == BusMaster::kDebug)
    return is_of_niu(write.agent) ? "tile (" + std::to_string(write.x) + "," +
                                        std::to_string(write.y) + ") of NoC 0 has sent it," + cycle
                                  : unit_text(write.agent) + (" has written it" + cycle);
  if (write.agent == write.core)
    return core(x, y, write.core) + " has stored it" + cycle +
           at(x, y, write.core, write.pc, write.cycle);
  if (!is_of_niu(write.agent))
    return core(x, y, write.core) + " has packed it" + cycle +
           at(x, y, write.core, write.pc, write.cycle);
  if (!write.is_foreign())
    return core(x, y, write.core) + " has read it from elsewhere, and it came" + cycle +
           at(x, y, write.core, write.pc, write.cycle);
  return core(write.x, write.y, write.core) + " has sent it, and it came" + cycle +
         at(write.x, write.y, write.core, write.pc, write.cycle);
}

std::string WriterText::unknown() const {
  return keeps_stores_
             ? "nothing has written it"
             : "neither the host nor a NIU nor a unit has written it; " + std::string(kNoStores);
}

}  // namespace tvp::checks
