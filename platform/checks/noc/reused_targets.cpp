#include "platform/checks/noc/reused_targets.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;
using Request = ProbeEvent::Request;

Probe::Kinds ReusedTargets::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kRequest) | Probe::bit(Kind::kRead) |
         Probe::bit(Kind::kProgramEnds);
}

void ReusedTargets::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      return command(event);
    case Kind::kRequest: {
      if (event.request != Request::kAtomic || !event.is_local || event.is_own) return;
      std::vector<std::uint32_t>& counts = tile_at(event.x0, event.y0).counts;
      const auto address = static_cast<std::uint32_t>(event.address) & ~3U;
      if (std::find(counts.begin(), counts.end(), address) != counts.end()) return;
      counts.push_back(address);
      range_.add(address, address + 4);
      return range_.ask();
    }
    case Kind::kProgramEnds:
      tiles_.clear();
      range_.clear();
      return range_.ask();
    default:
      if (event.agent <= BusMaster::kT2 && range_.touches(event.address, event.bytes))
        loaded(event);
  }
}

ReusedTargets::Tile& ReusedTargets::tile_at(std::uint8_t x, std::uint8_t y) {
  for (Tile& known : tiles_)
    if (known.x == x && known.y == y) return known;
  return tiles_.emplace_back(Tile{.x = x, .y = y});
}

void ReusedTargets::command(const ProbeEvent& event) {
  if (event.is_broadcast || event.remote != ProbeEvent::Place::kTensix) return;
  const bool is_atomic = event.request == Request::kAtomic;
  if (!is_atomic && (event.request != Request::kWrite || event.bytes == 0)) return;
  Tile& tile = tile_at(event.x0, event.y0);
  if (is_atomic) {
    tile.announced = tile.written;
    return;
  }
  const std::uint64_t begin = event.remote_address, end = begin + event.bytes;
  if (!tile.counts.empty()) {
    const auto found =
        std::find_if(tile.writes.begin(), tile.writes.end(), [&](const Write& known) {
          return known.number < tile.announced && begin < known.end && known.begin < end;
        });
    if (found != tile.writes.end()) report(*found, event);
  }
  const Write write{begin, end, tile.written++, event.cycle, event.pc};
  if (tile.writes.size() < kMost) return tile.writes.push_back(write);
  tile.writes[tile.oldest] = write;
  tile.oldest = (tile.oldest + 1) % kMost;
}

void ReusedTargets::loaded(const ProbeEvent& event) {
  for (Tile& tile : tiles_) {
    const bool is_count = std::any_of(tile.counts.begin(), tile.counts.end(), [&](auto count) {
      return count < event.address + event.bytes && event.address < count + 4;
    });
    if (!is_count) continue;
    tile.writes.clear();
    tile.oldest = 0;
  }
}

void ReusedTargets::report(const Write& first, const ProbeEvent& second) {
  const std::pair places(first.pc, second.pc);
  if (std::find(reported_.begin(), reported_.end(), places) != reported_.end()) return;
  reported_.push_back(places);
  const std::string tile =
      "tile (" + std::to_string(second.x0) + "," + std::to_string(second.y0) + ")";
  warn(second.core, "writes " + std::to_string(second.bytes) + " bytes to address " +
                        foundation::hex(second.remote_address) + " of " + tile +
                        " over data that it announced there in cycle " +
                        std::to_string(first.cycle) +
                        ". No core of this tile has loaded since then the count by which " + tile +
                        " gives room back, so that tile may still need the data. Call "
                        "remote_cb_reserve_back, or wait "
                        "for that count, before" +
                        at(second.core, second.pc));
}

}  // namespace tvp::checks
