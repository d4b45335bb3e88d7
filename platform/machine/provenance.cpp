#include "platform/machine/provenance.h"

#include "foundation/hex.h"

namespace tvp::platform {

using support::BusMaster;

namespace {

const char* core_name(BusMaster core) {
  static constexpr const char* kNames[] = {"BRISC",  "NCRISC", "TRISC0",
                                           "TRISC1", "TRISC2", "ERISC"};
  return core <= BusMaster::kE ? kNames[static_cast<unsigned>(core)] : "?";
}

constexpr const char* kNoStores =
    "stores of the tile's cores are not kept, unless with --set keep_stores=true";

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

std::string cycle_text(support::Cycle cycle) { return " in cycle " + std::to_string(cycle); }

}  // namespace

std::string Provenance::core(unsigned x, unsigned y, BusMaster master) const {
  const bool is_ethernet = master == BusMaster::kE;
  return "chip" + std::to_string(chip_.id()) + (is_ethernet ? ".ethernet(" : ".tensix(") +
         std::to_string(x) + "," + std::to_string(y) + ")." + core_name(master);
}

std::string Provenance::at(unsigned x, unsigned y, BusMaster core, std::uint32_t pc,
                           support::Cycle cycle) const {
  const std::string line =
      symbols_.describe(chip_.id(), x, y, static_cast<unsigned>(core), pc, cycle);
  if (!line.empty()) return "\n  in " + line;
  return pc == 0 ? std::string() : ", at pc " + foundation::hex(pc);
}

std::string Provenance::written(unsigned x, unsigned y, const Write& write) const {
  if (write.agent == BusMaster::kDebug)
    return keeps_stores_
               ? "the host has written it, and nobody since"
               : "the host has written it, and no NIU or unit since; " + std::string(kNoStores);
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
    return core(x, y, write.core) + " has read it from elsewhere, which came" + cycle +
           at(x, y, write.core, write.pc, write.cycle);
  return core(write.x, write.y, write.core) + " has sent it, which came" + cycle +
         at(write.x, write.y, write.core, write.pc, write.cycle);
}

std::string Provenance::writer_of(tensix::TensixTile& tile, std::uint32_t address) const {
  const Write* const write = tile.l1().in_flight().last_writer(address);
  if (write == nullptr || write->agent == BusMaster::kDebug)
    return "a store of one of the tile's cores; which, --set keep_stores=true says";
  return written(tile.x(), tile.y(), *write);
}

std::string Provenance::of_l1(tensix::TensixTile& tile, std::uint64_t address) const {
  if (!tile.l1().contains(address, 1)) return {};
  const Write* const write = tile.l1().in_flight().last_writer(static_cast<std::uint32_t>(address));
  if (write == nullptr)
    return (keeps_stores_ ? "nobody has written it"
                          : "neither the host nor a NIU nor a unit has written it; " +
                                std::string(kNoStores)) +
           left_at_end(tile);
  return written(tile.x(), tile.y(), *write) + made_from(tile, *write) + left_at_end(tile);
}

std::string Provenance::made_from(tensix::TensixTile& tile, const Write& write) const {
  const bool packed = write.agent >= BusMaster::kPacker0 && write.agent <= BusMaster::kPacker3;
  if (!packed || write.is_foreign() || !tile.l1().in_flight().is_of_last_program(write.cycle))
    return {};
  constexpr std::size_t kMost = 4;
  std::string text;
  std::size_t told = 0;
  for (const support::PageUses::Input& input : tile.l1().page_uses().inputs()) {
    const Write* const last = tile.l1().in_flight().last_writer(input.address);
    if (last == nullptr) continue;
    if (told++ == kMost) break;
    text += "\nThe last of circular buffer " + std::to_string(input.buffer) +
            " that was unpacked there: " + written(tile.x(), tile.y(), *last);
  }
  return text;
}

std::string Provenance::left_at_end(tensix::TensixTile& tile) const {
  constexpr std::size_t kMost = 4;
  std::string text;
  std::size_t told = 0;
  for (const support::PageUses::Left& left : tile.l1().page_uses().left()) {
    if (told++ == kMost) break;
    const std::string buffer = "circular buffer " + std::to_string(left.buffer);
    text += "\nAt its end " + buffer + " of " + tile.where() + " held " +
            std::to_string(left.pages) +
            (left.popped ? " pages that nobody had popped, unlike others; pushed last by "
                         : " pages, of which nobody popped any; pushed last by ") +
            core_name(left.last_push.core) +
            at(tile.x(), tile.y(), left.last_push.core, left.last_push.pc, support::kNever);
  }
  told = 0;
  for (const support::UnseenArrivals::Arrival& each : tile.l1().in_flight().unseen_at_end()) {
    if (told++ == kMost) break;
    text += "\nAt its end no core of " + tile.where() + " had looked at what announces " +
            std::to_string(each.bytes) + " bytes at " + foundation::hex(each.address) +
            " of L1, which tile (" + std::to_string(each.x) + "," + std::to_string(each.y) +
            ") of NoC 0 has sent";
  }
  return text;
}

std::string Provenance::commanded(const DramBuffers::Command& command) const {
  return core(command.x, command.y, command.core) + " has written it, by a command of " +
         std::to_string(command.bytes) + " bytes from " + foundation::hex(command.from) +
         " of its L1" + cycle_text(command.cycle) +
         at(command.x, command.y, command.core, command.pc, command.cycle);
}

std::string Provenance::of_dram(const DramBuffers::Origin& origin) const {
  if (origin.writer != nullptr) {
    std::string text = commanded(*origin.writer);
    if (origin.writer->made)
      text += "\nThere " + written(origin.writer->x, origin.writer->y, *origin.writer->made);
    tensix::TensixTile* const tile = chip_.tensix_at(origin.writer->x, origin.writer->y);
    if (tile == nullptr) return text;
    if (origin.writer->made) text += made_from(*tile, *origin.writer->made);
    // Of another program nothing is known that concerns it.
    const bool last = tile->l1().in_flight().is_of_last_program(origin.writer->cycle);
    return last ? text + left_at_end(*tile) : text;
  }
  std::string text = "no kernel has written it since its buffer was made";
  if (origin.neighbor != nullptr)
    return text + ", only other bytes of its page: " + commanded(*origin.neighbor);
  for (std::size_t i = 0; i < origin.given.size(); ++i)
    text += (i == 0 ? "; these had its address: " : ", ") + origin.given[i];
  return text;
}

}  // namespace tvp::platform
